#include "plan/plan.h"

#include <algorithm>

#include "base/text.h"
#include "plan/judge.h"
#include "plan/steps.h"

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

}  // namespace

Result<Plan> plan_upgrade(const Machine& machine, const Database& database,
                          const Upgrade& upgrade) {
  const Setup before = plan::setup_of(machine, database);
  Setup then = plan::after(before, upgrade, database);
  Plan plan;
  std::vector<plan::ChosenWheel> wheels;
  const plan::Judgement judgement{machine, database, upgrade, before, then, plan, wheels};
  plan::judge_driver(judgement);
  plan::judge_unseen(judgement);
  plan::judge_tables(judgement);
  plan::judge_defects(judgement);
  plan::judge_wheels(judgement);
  plan::judge_companions(judgement);
  plan::judge_linked(judgement);
  plan::judge_python(judgement);
  std::ranges::stable_sort(plan.breaks,
                           [](const Break& a, const Break& b) { return a.certain && !b.certain; });
  std::vector<Part> parts = plan::moving_parts(before, then);
  plan.from = described(parts, &Part::before);
  for (const Upgrade::Wheel& wheel : upgrade.frameworks)
    parts.push_back({wheel.framework, "", wheel.version});
  if (!upgrade.python.empty()) parts.push_back({"Python", "", upgrade.python});
  if (plan::moves(parts, "system") && before.rocm_installed)
    plan.moves.push_back("ROCm's packages and their repository, made for " + before.os +
                         ": remove them before, install those for " + then.os + " after");
  if (parts.empty() && plan.judged) plan.notes.push_back("all of this is here already");
  plan.to = described(parts, &Part::after);
  plan::add_steps(judgement, parts);
  plan::add_way_back(judgement, parts);
  return plan;
}

}  // namespace rocvet
