#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/kernel_events.h"
#include "checks/logs/log_groups.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
Failed suspend and resume of the GPU, a power controller that does not answer, throttling and
over-temperature.

## Why it matters
A GPU that does not come back from runtime suspend vanishes for programs, or locks up whoever
reads its sensors.

## How to mend it
Keep it awake: amdgpu.runpm=0 on the kernel command line, or `echo on` into its power/control.
Heat: cooling.

## Not this
Clocks that stay low without an error: RV1204.

## References
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
- https://docs.kernel.org/power/runtime_pm.html
)";

std::vector<Finding> run(const Context& context) {
  return power_findings(context);
}

}  // namespace

extern const Check kPowerStateFailure;
constinit const Check kPowerStateFailure{
    .code = "RV908",
    .id = "power-state-failure",
    .topic = "kernel_log",
    .title = "The kernel log tells of a GPU that did not wake up or overheated",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
