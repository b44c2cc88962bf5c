#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
amdgpu.dpm=0.

## Why it matters
Without it the clocks stay where the video BIOS left them, which is low, and neither temperature nor
power is watched.

## How to mend it
Take the option away.

## Not this
amdgpu.runpm=0, which only keeps the GPU awake.

## References
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto dpm = amdgpu_number(machine, "dpm");
  if (!dpm && !machine.kernel.command_line) return {skip("the driver's options are not known")};
  if (dpm.value_or(-1) != 0) return {pass("power management is not switched off")};
  const std::string place = place_of_option(machine, "dpm");
  return warning("the driver's power management is switched off")
      .saw("amdgpu.dpm=0" + (place.empty() ? "" : ", set by " + place))
      .fix(remove_kernel_parameter(machine, "amdgpu.dpm=0"))
      .root()
      .reboot();
}

}  // namespace

extern const Check kPowerManagementOff;
constinit const Check kPowerManagementOff{.code = "RV230",
                                          .id = "power-management-off",
                                          .topic = "driver",
                                          .title = "The driver's power management is switched off",
                                          .doc = kDoc,
                                          .run = run};

}  // namespace rocvet
