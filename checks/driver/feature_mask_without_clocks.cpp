#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
Bits 0 and 1 of amdgpu.ppfeaturemask: scaling of the engine's and the memory's clock.

## Why it matters
A mask copied from a guide for another card may clear them: the clocks then stay at one step.

## How to mend it
Take the option away, or use 0xffffffff, which only adds overclocking.

## Not this
Bit 14 (overdrive) and bit 15 (GFXOFF).

## References
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
- https://github.com/torvalds/linux/blob/master/drivers/gpu/drm/amd/include/amd_shared.h
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto mask = amdgpu_number(machine, "ppfeaturemask");
  if (!mask) return {skip("amdgpu.ppfeaturemask is not known")};
  // PP_SCLK_DPM_MASK and PP_MCLK_DPM_MASK.
  if ((*mask & 3) == 3) return {pass("the feature mask leaves clock scaling on")};
  const std::string text = *amdgpu_option(machine, "ppfeaturemask");
  return warning("the feature mask switches clock scaling off")
      .saw("amdgpu.ppfeaturemask=" + text)
      .fix(remove_kernel_parameter(machine, "amdgpu.ppfeaturemask=" + text))
      .root()
      .reboot();
}

}  // namespace

extern const Check kFeatureMaskWithoutClocks;
constinit const Check kFeatureMaskWithoutClocks{
    .code = "RV232",
    .id = "feature-mask-without-clocks",
    .topic = "driver",
    .title = "The feature mask switches clock scaling off",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
