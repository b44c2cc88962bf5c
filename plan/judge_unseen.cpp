// What the upgrade asks about and nobody saw on this machine: it is not said to work.
#include <algorithm>

#include "db/listing.h"
#include "plan/judge.h"

namespace rocvet::plan {
namespace {

void judge_driver_kind(const Judgement& judgement) {
  const Setup &now = judgement.before, &then = judgement.then;
  const bool concerns_driver = then.kernel != now.kernel || then.rocm != now.rocm ||
                               then.os != now.os || !judgement.upgrade.driver.empty();
  if (!concerns_driver || now.wsl) return;
  if (then.driver_kind == DriverKind::unknown) {
    judgement.unjudged(
        "whose driver runs, the kernel's or AMD's, was not seen: neither whether it "
        "builds nor whether it goes with ROCm is judged");
  } else if (then.driver_kind == DriverKind::dkms && then.driver.empty()) {
    judgement.unjudged(
        "of which release AMD's driver is, is not known (driver= says it): whether "
        "it goes with ROCm is not judged");
  }
  if (then.driver_kind == DriverKind::dkms && then.kernel.empty())
    judgement.unjudged("whether the driver builds depends on the kernel: say kernel= too");
}

bool has_framework(const Machine& machine) {
  return std::ranges::any_of(machine.software.python, [](const PythonEnvironment& python) {
    return !python.frameworks.empty();
  });
}

/// Whether any wheel of any framework is for a Python.
bool is_known_python(const Database& database, const std::string& python) {
  return std::ranges::any_of(database.wheels(""), [&](const WheelInfo& wheel) {
    return !wheel.python.empty() && has_python(wheel, python);
  });
}

}  // namespace

void judge_unseen(const Judgement& judgement) {
  const Setup &now = judgement.before, &then = judgement.then;
  const Upgrade& upgrade = judgement.upgrade;
  const Software& software = judgement.machine.software;
  if (now.gpus.empty())
    judgement.unjudged("no AMD GPU is known here: nothing could be judged of it");
  else if (now.nameless_gpus > 0)
    judgement.unjudged("of " + std::to_string(now.nameless_gpus) +
                       " more AMD GPU here the target is not known");
  if (now.wsl && (!upgrade.driver.empty() || !upgrade.kernel.empty()))
    judgement.unjudged(
        "in WSL the driver is that of Windows (AMD Software, Adrenalin Edition) and "
        "the kernel is Microsoft's (wsl --update): no step here moves them");
  judge_driver_kind(judgement);
  const bool moves_stack = then.rocm != now.rocm || then.os != now.os;
  if (moves_stack && then.os.empty()) judgement.unjudged("which system this is, was not seen");
  if (then.os != now.os && then.rocm.empty())
    judgement.unjudged("which ROCm is here, was not seen");
  if (moves_stack && !software.packages)
    judgement.unjudged(
        "packages, Python packages and programs linked to ROCm were not seen here "
        "(a saved report holds none): ask on the machine or of a snapshot");
  if (upgrade.python.empty()) return;
  if (!is_known_python(judgement.database, upgrade.python))
    judgement.unjudged("nothing is known of Python " + upgrade.python);
  else if (!has_framework(judgement.machine))
    judgement.plan.notes.push_back("no Python environment with a framework was found here");
}

}  // namespace rocvet::plan
