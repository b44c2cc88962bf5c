#include "tests/fault_matrix/cells.h"

#include <algorithm>
#include <ctime>

#include "base/path_walk.h"

namespace rocvet {
namespace {

double cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Whether a machine that is about some paths is about this target: the thing itself, what is in it
/// or the folder that lists it.
bool concerns(const Target& target, const std::vector<std::string>& about, CanonicalPaths& paths) {
  return about.empty() || std::ranges::any_of(about, [&](const std::string& path) {
           if (!path.starts_with('/')) return target.name == path;
           const std::string &real = paths.of(path, true), &link = paths.of(path, false);
           return target.name == real || target.name == link ||
                  target.name.starts_with(real + "/") || target.name == parent_path(link);
         });
}

}  // namespace

Result<Prepared> prepare(const std::string& name) {
  auto machine = faulty_machine(name);
  if (!machine) return machine.error();
  Prepared out;
  out.machine = std::move(*machine);
  out.paths = std::make_unique<CanonicalPaths>(*out.machine.source);
  AskedSource asked(*out.machine.source, *out.paths);
  out.sound = judge(asked, out.machine.app_log);
  for (Target& target : asked.targets()) {
    if (concerns(target, out.machine.about, *out.paths)) out.targets.push_back(std::move(target));
  }
  return out;
}

Judgement judge_cell(const Prepared& prepared, const Target& target, Fault fault) {
  FaultSource source(*prepared.machine.source, *prepared.paths, target, fault);
  return judge(source, prepared.machine.app_log);
}

void run_target(const Prepared& prepared, const Target& target, const CellFilter& filter,
                std::size_t& skip, const CellEvents& events) {
  std::set<std::string> moved;                    // by faults that a reader cannot know
  std::vector<std::pair<Fault, Judgement>> lost;  // with an error in place of the answer
  for (const Fault fault : target.faults()) {
    if (!filter.fault.empty() && to_string(fault) != filter.fault) continue;
    if (skip > 0) {
      --skip;
      continue;
    }
    events.begins(target, fault);
    const double began = cpu_ms();
    Judgement faulty = judge_cell(prepared, target, fault);
    events.ended(cpu_ms() - began);
    for (const Change& change : changes(prepared.sound, faulty)) events.changed(fault, change);
    if (admits_it(fault)) {
      lost.emplace_back(fault, std::move(faulty));
    } else {
      moved.merge(judged_otherwise(prepared.sound, faulty));
    }
  }
  for (const auto& [fault, faulty] : lost) {
    for (const Change& change : blind_passes(prepared.sound, faulty, moved)) {
      events.changed(fault, change);
    }
  }
}

}  // namespace rocvet
