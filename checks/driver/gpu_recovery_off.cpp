#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
amdgpu.gpu_recovery=0.

## Why it matters
A hang of one program then stays: every process that touches the GPU waits for ever, and only a
restart helps.

## How to mend it
Take the option away; -1 lets the driver decide.

## Not this
A reset that was tried and failed: the kernel log has it (RV906).

## References
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto recovery = amdgpu_number(machine, "gpu_recovery");
  if (!recovery && !machine.kernel.command_line)
    return {skip("the driver's options are not known")};
  if (recovery.value_or(-1) != 0) return {pass("the driver recovers from a hang")};
  const std::string place = place_of_option(machine, "gpu_recovery");
  return warning("the driver was told not to recover from a hang")
      .saw("amdgpu.gpu_recovery=0" + (place.empty() ? "" : ", set by " + place))
      .fix(remove_kernel_parameter(machine, "amdgpu.gpu_recovery=0"))
      .root()
      .reboot();
}

}  // namespace

extern const Check kGpuRecoveryOff;
constinit const Check kGpuRecoveryOff{.code = "RV231",
                                      .id = "gpu-recovery-off",
                                      .topic = "driver",
                                      .title = "The driver does not recover from a hang",
                                      .doc = kDoc,
                                      .run = run};

}  // namespace rocvet
