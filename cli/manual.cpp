#include "cli/manual.h"

#include <vector>

#include "base/text.h"
#include "checks/check.h"
#include "diagnosis/causes.h"
#include "report/policy.h"
#include "selftests/selftest.h"

namespace rocvet::cli {

Result<std::string> manual_page(std::string_view id) {
  std::vector<std::string> names;
  std::vector<const Check*> checks(all_checks().begin(), all_checks().end());
  checks.push_back(&policy_check());
  for (const Check* check : checks) {
    if (check->code == id || check->id == id) {
      return std::string(check->code) + " " + std::string(check->id) + "\n" +
             std::string(check->title) + "\n" + std::string(check->doc);
    }
    names.emplace_back(check->code);
    names.emplace_back(check->id);
  }
  for (const SelfTest* test : all_selftests()) {
    if (test->id == id)
      return std::string(test->id) + "\n" + std::string(test->title) + "\n" +
             std::string(test->doc);
    names.emplace_back(test->id);
  }
  for (const CauseInfo& cause : all_causes()) {
    if (cause.id == id) return cause_page(cause);
    names.emplace_back(cause.id);
  }
  return missing(
      "", "no check, self-test or root cause '" + std::string(id) + "'" + did_you_mean(id, names));
}

}  // namespace rocvet::cli
