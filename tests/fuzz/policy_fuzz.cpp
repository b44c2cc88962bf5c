// A site's policy, and an upgrade as a person names it.
#include <string>

#include "base/text.h"
#include "db/database.h"
#include "fuzz/target.h"
#include "plan/plan.h"
#include "report/policy.h"

using namespace rocvet;

FUZZ_TARGET(policy) {
  const auto policy = read_policy(bytes, "x.toml");
  if (policy) {
    Report report;
    apply_policy(report, *policy, "2026-11-21");
    fuzz::use(write_json(report));
  } else {
    const auto parts = split(policy.error().where, ':');
    fuzz::must(!parts.empty() && parts[0] == "x.toml", "a mistake has a place");
  }
  fuzz::use(parse_upgrade(Database::embedded(), bytes));
}
