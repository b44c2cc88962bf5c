#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
amdgpu.sched_policy other than 0.

## Why it matters
1 forbids more queues than the hardware has slots for; 2 takes scheduling from the firmware
altogether. Processes then fail to make queues once a few others have some.

## How to mend it
Take the option away.

## Not this
amdgpu.mes, which chooses between two schedulers.

## References
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto policy = amdgpu_number(machine, "sched_policy");
  if (!policy && !machine.kernel.command_line) return {skip("the driver's options are not known")};
  if (policy.value_or(0) == 0) return {pass("queues are scheduled by the firmware")};
  const std::string option = "amdgpu.sched_policy=" + std::to_string(*policy);
  return warning("compute queues are scheduled in a mode for debugging")
      .saw(option)
      .fix(remove_kernel_parameter(machine, option))
      .root()
      .reboot();
}

}  // namespace

extern const Check kDebugScheduling;
constinit const Check kDebugScheduling{
    .code = "RV233",
    .id = "debug-scheduling",
    .topic = "driver",
    .title = "Compute queues are scheduled in a mode for debugging",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
