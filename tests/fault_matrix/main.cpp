// fault_matrix [--machine M] [--path P] [--fault F] [--sample N] [--seed S] [--jobs J]
// or --list: machines with one fault each, all of them or those named. See README.md.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <random>

#include "tests/fault_matrix/workers.h"

namespace rocvet {
namespace {

constexpr std::size_t kParts = 48;           // of a whole machine, a child each
constexpr std::size_t kCellsOfASample = 40;  // of one child

struct Options {
  std::string machine;
  CellFilter filter;
  std::size_t sample = 0;
  std::uint64_t seed = 1;
  int jobs = 2;
};

/// Nothing for an option that there is not, or that lacks its value: all cells take an hour.
std::optional<Options> read_options(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; i += 2) {
    if (i + 1 == count) return std::nullopt;
    const std::string name = arguments[i], value = arguments[i + 1];
    const auto number = [&] { return std::strtoull(value.c_str(), nullptr, 10); };
    if (name == "--machine")
      options.machine = value;
    else if (name == "--path")
      options.filter.path = value;
    else if (name == "--fault")
      options.filter.fault = value;
    else if (name == "--sample")
      options.sample = number();
    else if (name == "--seed")
      options.seed = number();
    else if (name == "--jobs")
      options.jobs = std::max(1, static_cast<int>(number()));
    else
      return std::nullopt;
  }
  return options;
}

/// "kind check shape" a line: what is wrong today.
std::set<std::string> known_defects() {
  std::set<std::string> known;
  std::ifstream file(ROCVET_SOURCE_DIR "/tests/fault_matrix/known.txt");
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') known.insert(line);
  }
  return known;
}

std::vector<Task> tasks_of(const Options& options) {
  std::vector<Task> tasks;
  const bool every_case = options.machine == "cases";
  for (const std::string& name : whole_machines()) {
    if (!options.machine.empty() && options.machine != name) continue;
    const std::size_t parts = options.filter.path.empty() ? kParts : 1;
    for (std::size_t part = 0; part < parts; ++part) tasks.push_back({name, part, parts});
  }
  for (const std::string& name : case_machines()) {
    if (options.machine.empty() || every_case || options.machine == name) tasks.push_back({name});
  }
  if (options.sample == 0) return tasks;
  std::mt19937_64 random(options.seed);
  std::ranges::shuffle(tasks, random);
  tasks.resize(std::min(tasks.size(), 1 + options.sample / kCellsOfASample));
  for (Task& task : tasks) task.most_cells = kCellsOfASample;
  return tasks;
}

void show_list(const char* sign, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::printf("  %s %s\n", sign, line.c_str());
}

/// One cell, and what it changed.
int show_cell(const Options& options) {
  const auto prepared = prepare(options.machine);
  if (!prepared) {
    std::fprintf(stderr, "%s\n", prepared.error().text().c_str());
    return 3;
  }
  std::string path = options.filter.path;
  if (path.starts_with('/')) path = prepared->paths->of(path, true);
  const auto target = std::ranges::find_if(prepared->targets, [&](const Target& one) {
    return one.name == path || one.name == options.filter.path;
  });
  const auto fault = std::ranges::find_if(
      all_faults(), [&](Fault one) { return to_string(one) == options.filter.fault; });
  if (target == prepared->targets.end() || fault == all_faults().end()) {
    std::fprintf(stderr, "%s is not asked of %s, or there is no such fault\n", path.c_str(),
                 options.machine.c_str());
    return 3;
  }
  const Judgement& sound = prepared->sound;
  const Judgement faulty = judge_cell(*prepared, *target, *fault);
  std::printf("overall: %s -> %s\n", std::string(to_string(sound.overall)).c_str(),
              std::string(to_string(faulty.overall)).c_str());
  for (const std::string& id : differing(sound, faulty)) {
    std::printf("%s\n", id.c_str());
    show_list("-", sound.checks.at(id).findings);
    const auto after = faulty.checks.find(id);
    if (after != faulty.checks.end()) show_list("+", after->second.findings);
  }
  if (sound.causes != faulty.causes) {
    std::printf("causes\n");
    show_list("-", sound.causes);
    show_list("+", faulty.causes);
  }
  for (const Change& change : changes(sound, faulty)) {
    std::printf("%s: %s %s\n", std::string(to_string(change.kind)).c_str(), change.check.c_str(),
                change.what.c_str());
  }
  return 0;
}

/// How many targets and cells each whole machine has.
int list_machines() {
  std::size_t all = 0;
  for (const std::string& name : whole_machines()) {
    const auto prepared = prepare(name);
    if (!prepared) continue;
    std::size_t cells = 0, complaints = 0;
    for (const Target& target : prepared->targets) cells += target.faults().size();
    for (const auto& [id, words] : prepared->sound.checks)
      complaints += words.verdict == Verdict::fail || words.verdict == Verdict::warn;
    std::printf("%-20s %5zu targets %6zu cells, %s, %zu complaints\n", name.c_str(),
                prepared->targets.size(), cells,
                std::string(to_string(prepared->sound.overall)).c_str(), complaints);
    all += cells;
  }
  std::printf("%-20s %zu machines\n%zu cells without them\n", "cases", case_machines().size(), all);
  return 0;
}

int run(const Options& options) {
  const bool one_cell =
      !options.machine.empty() && !options.filter.path.empty() && !options.filter.fault.empty();
  if (one_cell) return show_cell(options);
  const auto began = std::chrono::steady_clock::now();
  Tally tally;
  run_tasks(tasks_of(options), options.filter, options.seed, options.jobs, tally);
  const auto known = known_defects();
  tally.print(known);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  const std::size_t defects = tally.defects(known);
  std::printf("%.0f s with %d processes; %zu defects that are not known\n", took.count(),
              options.jobs, defects);
  return tally.cells() == 0 ? 3 : defects == 0 ? 0 : 1;
}

}  // namespace
}  // namespace rocvet

int main(int count, char** arguments) {
  if (count == 2 && std::string(arguments[1]) == "--list") return rocvet::list_machines();
  if (const auto options = rocvet::read_options(count, arguments)) return rocvet::run(*options);
  std::fprintf(stderr,
               "usage: fault_matrix [--machine M] [--path P] [--fault F] [--sample N] [--seed S] "
               "[--jobs J], or --list\n");
  return 3;
}
