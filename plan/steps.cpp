#include "plan/steps.h"

#include "base/text.h"
#include "db/driver_releases.h"

namespace rocvet::plan {
namespace {

constexpr const char* kNoCommands = "No commands are known for this system; `rocvet advise`.";

AdviceStep in_words(std::string title, std::string why, bool reboot) {
  return {std::move(title), std::move(why), {}, true, reboot, false};
}

/// A step of the install table, for a release on a setup's system.
AdviceStep installed(const Judgement& judgement, const Setup& setup, const std::string& rocm,
                     const std::string& what, std::string title) {
  const std::string gfx = setup.gpus.empty() ? "" : setup.gpus.front().here.gfx;
  AdviceStep step = in_words(std::move(title), "", false);
  if (const auto steps = install_steps(judgement.database, {rocm, setup.os, gfx}); steps) {
    for (const AdviceStep& each : *steps) {
      if (each.title != what) continue;
      step.commands = each.commands;
      step.why = trim(each.why);
    }
  }
  if (step.commands.empty() && step.why.empty()) step.why = kNoCommands;
  return step;
}

AdviceStep driver_step(const Judgement& judgement, const Setup& setup, std::string title) {
  // The table knows a driver by a release that it goes with.
  const std::string rocm = rocm_of_driver(judgement.database, setup.driver);
  AdviceStep step = rocm.empty() ? in_words(std::move(title), kNoCommands, true)
                                 : installed(judgement, setup, rocm, "driver", std::move(title));
  step.needs_reboot = true;
  return step;
}

AdviceStep wheel_step(const Judgement& judgement, const ChosenWheel& chosen) {
  const Upgrade::Wheel& asked = chosen.asked;
  const std::string name = asked.framework == "pytorch" ? "PyTorch" : asked.framework;
  AdviceStep step{"Install " + name + " " + asked.version,
                  "In a new environment: the former one is the way back.",
                  {},
                  false,
                  false,
                  false};
  const Setup& then = judgement.then;
  step.commands =
      wheel_commands(judgement.database, *chosen.wheel,
                     {asked.version, then.gpus.empty() ? "" : then.gpus.front().here.gfx, then.os,
                      chosen.python, "rocm-" + asked.version});
  if (!chosen.wheel->released) step.why += " Only builds for tests are published of it.";
  if (step.commands.empty()) step.why += " How it is installed: " + chosen.wheel->source + ".";
  return step;
}

bool driver_is_installed_anew(const Judgement& judgement, const std::vector<Part>& parts) {
  const Setup& then = judgement.then;
  if (then.wsl || then.driver.empty()) return false;
  return moves(parts, "driver") || (moves(parts, "system") && then.driver_kind == DriverKind::dkms);
}

}  // namespace

void add_steps(const Judgement& judgement, const std::vector<Part>& parts) {
  const Setup &now = judgement.before, &then = judgement.then;
  std::vector<AdviceStep>& steps = judgement.plan.steps;
  const bool new_system = moves(parts, "system");
  if (new_system)
    steps.push_back(in_words("Upgrade the system to " + then.os,
                             "First of all: it brings its own kernel, compiler and Python, "
                             "and ROCm's packages are made for one system each.",
                             true));
  if (driver_is_installed_anew(judgement, parts))
    steps.push_back(driver_step(judgement, then, "Install the driver " + then.driver));
  if (moves(parts, "Linux") && !then.kernel.empty() && !then.wsl)
    steps.push_back(in_words("Install and boot Linux " + then.kernel,
                             "Keep the running kernel installed: it is the way back.", true));
  if (!then.rocm.empty() && (moves(parts, "ROCm") || (new_system && now.rocm_installed)))
    steps.push_back(installed(judgement, then, then.rocm, "rocm", "Install ROCm " + then.rocm));
  for (const ChosenWheel& chosen : judgement.wheels) {
    if (chosen.wheel) steps.push_back(wheel_step(judgement, chosen));
  }
  if (!steps.empty())
    steps.push_back(
        {"Check it", "The whole stack, as this user.", {"rocvet run"}, false, false, false});
}

void add_way_back(const Judgement& judgement, const std::vector<Part>& parts) {
  const Setup& before = judgement.before;
  std::vector<AdviceStep>& back = judgement.plan.back;
  if (moves(parts, "system"))
    back.push_back(in_words("A backup of the system, made before",
                            "No distribution goes back to its former release.", false));
  if (moves(parts, "Linux") && !before.wsl)
    back.push_back(
        in_words(before.kernel.empty() ? "Boot the former kernel" : "Boot Linux " + before.kernel,
                 "From the boot menu; it stays installed until it is removed.", true));
  if (moves(parts, "driver") && !before.wsl) {
    if (before.driver.empty()) {
      back.push_back(in_words(before.driver_kind == DriverKind::in_tree
                                  ? "Remove the package amdgpu-dkms"
                                  : "The former driver",
                              before.driver_kind == DriverKind::in_tree
                                  ? "The kernel's own driver serves again, as before."
                                  : "Its release was not seen: note it before the upgrade.",
                              true));
    } else {
      back.push_back(driver_step(judgement, before, "The driver " + before.driver));
      back.back().why = "Remove the new packages first.";
    }
  }
  if (moves(parts, "ROCm") && !before.rocm.empty()) {
    back.push_back(installed(judgement, before, before.rocm, "rocm", "ROCm " + before.rocm));
    back.back().why = "Remove the new packages first.";
  }
  if (!judgement.upgrade.frameworks.empty())
    back.push_back(in_words("The former environment", "It was not touched.", false));
  for (AdviceStep& step : back) step.needs_root = !step.commands.empty();
}

}  // namespace rocvet::plan
