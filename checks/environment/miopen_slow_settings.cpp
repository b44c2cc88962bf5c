#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
MIOPEN_FIND_ENFORCE of 3 and 4 (search again each time), MIOPEN_DISABLE_CACHE,
MIOPEN_DEBUG_DISABLE_FIND_DB, MIOPEN_CHECK_NUMERICS, MIOPEN_ENABLE_LOGGING.

## Why it matters
Each convolution is compiled or measured anew, minutes instead of seconds; results are the same.

## How to mend it
Unset them once tuning is done.

## Not this
The first run with a new shape, which is slow once.

## References
- https://rocm.docs.amd.com/projects/MIOpen/en/latest/how-to/find-and-immediate.html
- https://rocm.docs.amd.com/projects/MIOpen/en/latest/how-to/debug-log.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  std::vector<std::string> seen;
  const std::string enforce = lower(variable_or_empty(machine, "MIOPEN_FIND_ENFORCE"));
  if (enforce == "3" || enforce == "4" || enforce == "search" || enforce == "search_db_update")
    seen.push_back("MIOPEN_FIND_ENFORCE=" + enforce);
  for (const char* name : {"MIOPEN_DISABLE_CACHE", "MIOPEN_DEBUG_DISABLE_FIND_DB",
                           "MIOPEN_CHECK_NUMERICS", "MIOPEN_ENABLE_LOGGING"}) {
    const std::string value = variable_or_empty(machine, name);
    if (!value.empty() && value != "0" && lower(value) != "off" && lower(value) != "false")
      seen.push_back(std::string(name) + "=" + value);
  }
  if (seen.empty()) return {pass("MIOpen uses what it has found")};
  return warning("MIOpen was told to search or check at every run")
      .saw(seen)
      .fix({"unset the variables above"});
}

}  // namespace

extern const Check kMiopenSlowSettings;
constinit const Check kMiopenSlowSettings{
    .code = "RV618",
    .id = "miopen-slow-settings",
    .topic = "environment",
    .title = "MIOpen was told to search or check at every run",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
