#include "plan/plan.h"

#include <algorithm>

#include "base/text.h"
#include "plan/judge.h"

namespace rocvet {
namespace {

using plan::Part;
using plan::Setup;

std::string described(const std::vector<Part>& parts, std::string Part::*side) {
  std::vector<std::string> words;
  for (const Part& part : parts) {
    const std::string& value = part.*side;
    words.push_back(part.name + " " + (value.empty() ? "(none or not known)" : value));
  }
  return join(words, ", ");
}

/// The steps of the install table under one title; an empty one where it has none.
std::optional<AdviceStep> install(const Database& database, const Setup& setup,
                                  const std::string& what) {
  const std::string gfx = setup.gpus.empty() ? "" : setup.gpus.front().here.gfx;
  const auto steps = install_steps(database, {setup.rocm, setup.os, gfx});
  if (!steps) return std::nullopt;
  for (const AdviceStep& step : *steps) {
    if (step.title == what) return step;
  }
  return std::nullopt;
}

AdviceStep in_words(std::string title, std::string why, bool reboot) {
  return {std::move(title), std::move(why), {}, true, reboot, false};
}

bool moves(const std::vector<Part>& parts, std::string_view name) {
  return std::ranges::any_of(parts, [&](const Part& part) { return part.name == name; });
}

void add_steps(const Database& database, const Setup& then, const std::vector<Part>& parts,
               const Upgrade& upgrade, Plan& plan) {
  if (moves(parts, "system"))
    plan.steps.push_back(in_words("Upgrade the system to " + then.os,
                                  "First of all: it brings its own kernel, compiler and Python, "
                                  "and ROCm's packages are made for one system each.",
                                  true));
  if (moves(parts, "driver")) {
    auto step = install(database, then, "driver");
    AdviceStep driver = step ? *std::move(step) : in_words("", "", true);
    driver.title = "Install the driver " + then.driver;
    driver.why = trim(driver.why).empty() ? "No commands are known for this system."
                                          : std::string(trim(driver.why));
    driver.needs_reboot = true;
    plan.steps.push_back(std::move(driver));
  }
  if (moves(parts, "Linux") && !then.kernel.empty())
    plan.steps.push_back(in_words("Install and boot Linux " + then.kernel,
                                  "Keep the running kernel installed: it is the way back.", true));
  if (moves(parts, "ROCm")) {
    auto step = install(database, then, "rocm");
    AdviceStep rocm = step ? *std::move(step) : in_words("", "", false);
    rocm.title = "Install ROCm " + then.rocm;
    rocm.why = trim(rocm.why).empty() ? "No commands are known for this system; `rocvet advise`."
                                      : std::string(trim(rocm.why));
    plan.steps.push_back(std::move(rocm));
  }
  for (const Upgrade::Wheel& asked : upgrade.frameworks) {
    const std::string &framework = asked.framework, &version = asked.version;
    const auto wheels = database.wheels(framework);
    const auto wanted = Version::parse(version);
    for (auto wheel = wheels.rbegin(); wheel != wheels.rend(); ++wheel) {
      const auto range = VersionRange::parse(wheel->version);
      if (!wanted || !range || !range->contains(*wanted) || wheel->index.empty()) continue;
      if (framework != "pytorch") continue;
      plan.steps.push_back(
          {"Install PyTorch " + version,
           "In a new environment: the former one is the way back.",
           {Step("python3 -m venv {}", "rocm-" + version),
            Step("{} install {} torchvision torchaudio --index-url {}",
                 "rocm-" + version + "/bin/pip",
                 "torch==" + version + (wanted->parts.size() < 3 ? ".*" : ""), wheel->index)},
           false,
           false,
           false});
      break;
    }
  }
  if (!plan.steps.empty())
    plan.steps.push_back(
        {"Check it", "The whole stack, as this user.", {"rocvet run"}, false, false, false});
}

void add_way_back(const Database& database, const Setup& before, const std::vector<Part>& parts,
                  const Upgrade& upgrade, Plan& plan) {
  if (moves(parts, "system"))
    plan.back.push_back(in_words("A backup of the system, made before",
                                 "No distribution goes back to its former release.", false));
  if (moves(parts, "Linux"))
    plan.back.push_back(in_words("Boot Linux " + before.kernel,
                                 "From the boot menu; it stays installed until it is removed.",
                                 true));
  for (const char* name : {"driver", "ROCm"}) {
    if (!moves(parts, name)) continue;
    const bool is_driver = std::string_view(name) == "driver";
    auto step = install(database, before, is_driver ? "driver" : "rocm");
    AdviceStep back = step ? *std::move(step) : in_words("", "", is_driver);
    back.title = is_driver ? "The driver " + before.driver : "ROCm " + before.rocm;
    back.why = "Remove the new packages first.";
    if (!is_driver && before.rocm.empty()) continue;
    plan.back.push_back(std::move(back));
  }
  if (!upgrade.frameworks.empty())
    plan.back.push_back(in_words("The former environment", "It was not touched.", false));
  for (AdviceStep& step : plan.back) step.needs_root = !step.commands.empty();
}

}  // namespace

Result<Plan> plan_upgrade(const Machine& machine, const Database& database,
                          const Upgrade& upgrade) {
  const Setup before = plan::setup_of(machine, database);
  Setup then = plan::after(before, upgrade, database);
  Plan plan;
  const plan::Judgement judgement{machine, database, upgrade, before, then, plan};
  plan::judge_driver(judgement);
  plan::judge_tables(judgement);
  plan::judge_defects(judgement);
  plan::judge_frameworks(judgement);
  plan::judge_linked(judgement);
  plan::judge_python(judgement);
  std::ranges::stable_sort(plan.breaks,
                           [](const Break& a, const Break& b) { return a.certain && !b.certain; });
  std::vector<Part> parts = plan::moving_parts(before, then);
  for (const Upgrade::Wheel& wheel : upgrade.frameworks)
    parts.push_back({wheel.framework, "", wheel.version});
  if (!upgrade.python.empty()) parts.push_back({"Python", "", upgrade.python});
  if (before.gpus.empty()) {
    plan.judged = false;
    plan.notes.push_back("no AMD GPU is known here: nothing could be judged of it");
  }
  if (then.dkms && then.kernel.empty()) {
    plan.judged = false;
    plan.notes.push_back("whether the driver builds depends on the kernel: say kernel= too");
  }
  if (parts.empty()) plan.notes.push_back("all of this is here already");
  plan.from = described(plan::moving_parts(before, then), &Part::before);
  plan.to = described(parts, &Part::after);
  add_steps(database, then, parts, upgrade, plan);
  add_way_back(database, before, parts, upgrade, plan);
  return plan;
}

}  // namespace rocvet
