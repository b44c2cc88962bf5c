#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
HIP_LAUNCH_BLOCKING, AMD_SERIALIZE_KERNEL, AMD_SERIALIZE_COPY, HSA_ENABLE_SDMA=0, AMD_LOG_LEVEL,
HSAKMT_DEBUG_LEVEL and the like.

## Why it matters
They make every launch or copy wait, or write a line for each call. Forgotten in a profile they
cost most of the speed.

## How to mend it
Unset them.

## Not this
Variables that choose devices: RV602.

## References
- https://rocm.docs.amd.com/projects/HIP/en/latest/reference/env_variables.html
- https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/debugging.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  std::vector<std::string> evidence;
  for (const char* name : {"HIP_LAUNCH_BLOCKING", "CUDA_LAUNCH_BLOCKING", "AMD_SERIALIZE_KERNEL",
                           "AMD_SERIALIZE_COPY", "AMD_LOG_LEVEL", "HSAKMT_DEBUG_LEVEL"}) {
    const std::string value = variable_or_empty(machine, name);
    if (!value.empty() && value != "0") evidence.push_back(std::string(name) + "=" + value);
  }
  if (variable_or_empty(machine, "HSA_ENABLE_SDMA") == "0") evidence.push_back("HSA_ENABLE_SDMA=0");
  if (evidence.empty()) return {pass("no variable for debugging is set")};
  return warning("variables for debugging slow the GPU down")
      .saw(evidence)
      .fix({"unset the variables above"});
}

}  // namespace

extern const Check kSlowDebugVariables;
constinit const Check kSlowDebugVariables{.code = "RV607",
                                          .id = "slow-debug-variables",
                                          .topic = "environment",
                                          .title = "Variables for debugging slow the GPU down",
                                          .doc = kDoc,
                                          .run = run};

}  // namespace rocvet
