// Frameworks that are to move: the published wheel for the GPUs, the ROCm and the Python.
#include <algorithm>

#include "base/text.h"
#include "checks/facts/gpus.h"
#include "checks/facts/situation.h"
#include "db/listing.h"
#include "db/names.h"
#include "plan/judge.h"

namespace rocvet::plan {
namespace {

using Wheels = std::vector<WheelInfo>;

/// The environment that has the framework; null where none has.
const PythonEnvironment* environment_of(const Machine& machine, const std::string& framework) {
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& each : python.frameworks) {
      if (db::framework_name(each.name) == framework) return &python;
    }
  }
  return nullptr;
}

/// Whether a release and the one that a wheel was built for are of one series, "" being any.
bool is_for(const WheelInfo& wheel, const std::string& rocm) {
  const auto wanted = Version::parse(rocm), built = Version::parse(wheel.rocm);
  return !wanted || !built || wanted->starts_with(*built) || built->starts_with(*wanted);
}

bool same_major(const WheelInfo& wheel, const std::string& rocm) {
  const auto here = Version::parse(rocm), built = Version::parse(wheel.rocm);
  return !here || !built || here->parts.front() == built->parts.front();
}

bool has_code(const WheelInfo& wheel, const std::string& gfx) {
  return wheel.gfx.empty() || gfx.empty() || any_target_fits(wheel.gfx, gfx);
}

/// Rows that do not say something are told nothing of it beside one that does.
template <typename Says>
void keep_those_that_say(Wheels& wheels, const Says& says) {
  if (std::ranges::any_of(wheels, says))
    std::erase_if(wheels, [&](const WheelInfo& wheel) { return !says(wheel); });
}

/// Whether the framework that is there now has code for the GPU.
bool runs_now(const Machine& machine, const std::string& framework, const std::string& gfx) {
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& each : python.frameworks) {
      if (db::framework_name(each.name) == framework && !each.gfx.empty() &&
          any_target_fits(each.gfx, gfx))
        return true;
    }
  }
  return false;
}

/// How the target runs the code of another of its generation; "" where nothing is published.
std::string override_for(const Database& database, const SetupGpu& gpu) {
  for (const KnownIssue& issue : database.known_issues({.gfx = gpu.here.gfx})) {
    if (issue.topic == "override-works") return issue.because;
  }
  return {};
}

/// Leaves the wheels that the GPUs here can run; an iGPU beside the one that computes is no reason
/// to give up what serves that one.
void judge_targets(const Judgement& judgement, const std::string& called, Wheels& wheels,
                   const std::string& framework) {
  keep_those_that_say(wheels, [](const WheelInfo& wheel) { return !wheel.gfx.empty(); });
  const std::string source = wheels.back().source;
  std::vector<std::string> without;
  std::string lost;
  std::vector<const SetupGpu*> served;
  for (const SetupGpu& gpu : judgement.then.gpus) {
    const bool any = std::ranges::any_of(
        wheels, [&](const WheelInfo& wheel) { return has_code(wheel, gpu.here.gfx); });
    if (any) {
      served.push_back(&gpu);
      continue;
    }
    const std::string name = gpu.name + " (" + gpu.here.gfx + ")";
    without.push_back(name);
    if (lost.empty() && runs_now(judgement.machine, framework, gpu.here.gfx)) lost = name;
  }
  const std::string none = "no published wheel of " + called + " has code for ";
  if (!lost.empty()) {
    wheels.clear();
    return judgement.breaks("wheel × gpu", none + lost, source);
  }
  if (served.empty() && !without.empty()) {
    for (const SetupGpu& gpu : judgement.then.gpus) {
      const std::string way = override_for(judgement.database, gpu);
      if (way.empty()) continue;
      judgement.plan.notes.push_back(none + gpu.name + "; " + way);
      return;
    }
    wheels.clear();
    return judgement.breaks("wheel × gpu", none + join(without, ", "), source);
  }
  if (!without.empty()) judgement.plan.notes.push_back(none + join(without, ", "));
  std::erase_if(wheels, [&](const WheelInfo& wheel) {
    return std::ranges::none_of(
        served, [&](const SetupGpu* gpu) { return has_code(wheel, gpu->here.gfx); });
  });
}

/// Wheels that do not bring ROCm along use the one that is installed.
void judge_release(const Judgement& judgement, const std::string& called, Wheels& wheels) {
  const std::string& rocm = judgement.then.rocm;
  if (wheels.front().brings_rocm) return;
  if (rocm.empty())
    return judgement.unjudged(called + " uses the ROCm that is installed, and none was seen here");
  const Wheels all = wheels;
  std::erase_if(wheels, [&](const WheelInfo& wheel) { return !same_major(wheel, rocm); });
  if (!wheels.empty()) return;
  std::vector<std::string> releases;
  for (const WheelInfo& wheel : all) {
    if (std::ranges::find(releases, wheel.rocm) == releases.end()) releases.push_back(wheel.rocm);
  }
  judgement.breaks("wheel × rocm",
                   "the published wheels of " + called + " are for ROCm " + join(releases, ", ") +
                       ", not for " + rocm,
                   all.back().source);
}

void judge_interpreter(const Judgement& judgement, const std::string& called, Wheels& wheels,
                       const std::string& python, bool of_system) {
  keep_those_that_say(wheels, [](const WheelInfo& wheel) { return !wheel.python.empty(); });
  if (wheels.front().python.empty()) return;
  if (python.empty())
    return judgement.unjudged("which Python " + called +
                              " is to run on, was not seen: say python= too");
  const WheelInfo last = wheels.back();
  std::erase_if(wheels, [&](const WheelInfo& wheel) { return !has_python(wheel, python); });
  if (!wheels.empty()) return;
  judgement.breaks("wheel × python",
                   "no wheel of " + called + " is published for Python " + python +
                       (of_system ? ", which is this system's" : "") + " (it is for " +
                       join(last.python, ", ") + ")",
                   last.source);
}

/// Released ones that a command is known for, of the ROCm nearest to the one here.
bool better(const WheelInfo& a, const WheelInfo& b, const std::string& rocm) {
  if (a.released != b.released) return a.released;
  if (a.installable != b.installable) return a.installable;
  const bool here_a = is_for(a, rocm), here_b = is_for(b, rocm);
  if (here_a != here_b) return here_a;
  const auto left = Version::parse(a.rocm), right = Version::parse(b.rocm);
  return left && right && *left > *right;
}

void judge_wheel(const Judgement& judgement, const Upgrade::Wheel& asked) {
  const Database& database = judgement.database;
  const std::string called =
      asked.framework + " " + asked.version + (asked.rocm.empty() ? "" : " for ROCm " + asked.rocm);
  ChosenWheel& chosen = judgement.wheels.emplace_back(ChosenWheel{asked, {}, {}});
  Wheels wheels = wheels_of(database, asked.framework, asked.version);
  std::erase_if(wheels, [&](const WheelInfo& wheel) { return !is_for(wheel, asked.rocm); });
  if (wheels.empty()) return judgement.unjudged("nothing is known of a wheel of " + called);
  judge_targets(judgement, called, wheels, asked.framework);
  if (!wheels.empty()) judge_release(judgement, called, wheels);
  if (wheels.empty()) return;
  const PythonEnvironment* here = environment_of(judgement.machine, asked.framework);
  chosen.python = judgement.upgrade.python;
  if (chosen.python.empty() && here != nullptr) chosen.python = series_of(here->python_version);
  const bool of_system = chosen.python.empty();
  judge_interpreter(judgement, called, wheels,
                    of_system ? python_of_system(database, judgement.then.os) : chosen.python,
                    of_system);
  if (wheels.empty()) return;
  chosen.wheel = *std::ranges::min_element(wheels, [&](const WheelInfo& a, const WheelInfo& b) {
    return better(a, b, judgement.then.rocm);
  });
}

}  // namespace

bool has_python(const WheelInfo& wheel, const std::string& python) {
  const auto wanted = Version::parse(python);
  if (!wanted || wheel.python.empty()) return true;  // nothing is known against it
  return std::ranges::any_of(wheel.python, [&](const std::string& text) {
    const auto listed = Version::parse(text);
    return listed && !text.ends_with('t') && wanted->starts_with(*listed);
  });
}

std::vector<WheelInfo> wheels_of(const Database& database, const std::string& framework,
                                 const std::string& version) {
  Wheels found;
  const auto wanted = Version::parse(version);
  for (WheelInfo& wheel : database.wheels(framework)) {
    const auto range = VersionRange::parse(wheel.version);
    if (wanted && range && range->contains(*wanted)) found.push_back(std::move(wheel));
  }
  return found;
}

void judge_wheels(const Judgement& judgement) {
  for (const Upgrade::Wheel& wheel : judgement.upgrade.frameworks) judge_wheel(judgement, wheel);
}

}  // namespace rocvet::plan
