#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
amdgpu.vramlimit and amdgpu.vis_vramlimit.

## Why it matters
They are meant for tests of the driver. The GPU shows less memory than it has, or only a small
window of it to the processor.

## How to mend it
Take the option away.

## Not this
The carve-out of an APU, which the BIOS sets.

## References
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  bool known = false;
  std::vector<Finding> findings;
  for (const char* name : {"vramlimit", "vis_vramlimit"}) {
    const auto limit = amdgpu_number(machine, name);
    known |= limit.has_value() || machine.kernel.command_line.has_value();
    if (limit.value_or(0) <= 0) continue;
    const std::string place = place_of_option(machine, name);
    findings.push_back(warning("amdgpu." + std::string(name) + " limits the GPU's memory")
                           .saw("amdgpu." + std::string(name) + "=" + std::to_string(*limit) +
                                " (MiB)" + (place.empty() ? "" : ", set by " + place))
                           .fix(remove_kernel_parameter(machine, "amdgpu." + std::string(name) +
                                                                     "=" + std::to_string(*limit)))
                           .root()
                           .reboot());
  }
  if (!known) return {skip("the driver's options are not known")};
  return or_pass(std::move(findings), "no option limits the GPU's memory");
}

}  // namespace

extern const Check kGpuMemoryLimitedByOption;
constinit const Check kGpuMemoryLimitedByOption{
    .code = "RV1017",
    .id = "gpu-memory-limited-by-option",
    .topic = "memory",
    .title = "An option of the driver limits the GPU's memory",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
