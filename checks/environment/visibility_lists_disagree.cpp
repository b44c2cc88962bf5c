#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"

namespace rocvet {
namespace {

constexpr std::string_view kVisibilityListsDisagreeDoc = R"(
## What it looks for
HIP_VISIBLE_DEVICES and CUDA_VISIBLE_DEVICES, both set and different.

## Why it matters
HIP takes the first and ignores the second; launchers, PyTorch helpers and schedulers read the
second. Ranks land on GPUs that nobody meant.

## How to mend it
Unset one of them, or set both alike.

## Not this
A list that leaves no GPU: RV602.

## References
- https://rocm.docs.amd.com/projects/HIP/en/latest/reference/env_variables.html
)";

std::string without_blanks(const std::string& list) {
  std::string out;
  for (const char letter : list) {
    if (letter != ' ') out += letter;
  }
  return out;
}

std::vector<Finding> run_visibility_lists_disagree(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  const std::string hip = variable_or_empty(machine, "HIP_VISIBLE_DEVICES"),
                    cuda = variable_or_empty(machine, "CUDA_VISIBLE_DEVICES");
  if (hip.empty() || cuda.empty()) return {pass("at most one visibility list of HIP is set")};
  if (without_blanks(hip) == without_blanks(cuda)) return {pass("both lists name the same GPUs")};
  return warning("HIP_VISIBLE_DEVICES and CUDA_VISIBLE_DEVICES name different GPUs")
      .saw("HIP_VISIBLE_DEVICES=" + hip)
      .saw("CUDA_VISIBLE_DEVICES=" + cuda)
      .fix({"unset CUDA_VISIBLE_DEVICES"});
}

}  // namespace

extern const Check kVisibilityListsDisagree;
constinit const Check kVisibilityListsDisagree{.code = "RV611",
                                               .id = "visibility-lists-disagree",
                                               .topic = "environment",
                                               .title = "Two visibility lists name different GPUs",
                                               .doc = kVisibilityListsDisagreeDoc,
                                               .run = run_visibility_lists_disagree};

}  // namespace rocvet
