#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/packages.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
amdgpu.ras_enable=0, or a ras_mask without the memory, on a GPU that has ECC.

## Why it matters
The part has error correction and the driver does not report what it finds: bad pages are not
retired and wrong results go unnoticed.

## How to mend it
Take the option away.

## Not this
Consumer cards: they have none.

## References
- https://docs.kernel.org/gpu/amdgpu/ras.html
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!any_instinct(context)) return {skip("there is no data-centre GPU here")};
  const auto enabled = amdgpu_number(machine, "ras_enable"),
             mask = amdgpu_number(machine, "ras_mask");
  if (!enabled && !mask) return {skip("the driver's options are not known")};
  const bool off = enabled && *enabled == 0;
  const bool without_memory = mask && (*mask & 1) == 0;  // bit 0: UMC, the memory controller
  if (!off && !without_memory) return {pass("error detection is not switched off")};
  const std::string option = off ? "ras_enable" : "ras_mask";
  const std::string place = place_of_option(machine, option);
  return warning("error detection of the GPU was switched off")
      .saw("amdgpu." + option + "=" + *amdgpu_option(machine, option) +
           (place.empty() ? "" : ", set by " + place))
      .fix(remove_kernel_parameter(machine,
                                   "amdgpu." + option + "=" + *amdgpu_option(machine, option)))
      .root()
      .reboot();
}

}  // namespace

extern const Check kRasSwitchedOff;
constinit const Check kRasSwitchedOff{.code = "RV1008",
                                      .id = "ras-switched-off",
                                      .topic = "memory",
                                      .title = "Error detection was switched off by an option",
                                      .doc = kDoc,
                                      .run = run};

}  // namespace rocvet
