#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
amdgpu.runpm=1 or 2, against the driver's own choice (-1).

## Why it matters
The driver leaves it off for cards that do not come back reliably (BACO, BOCO). Forced, the GPU
sleeps after five seconds without use; the next program waits for it, or finds it gone.

## How to mend it
Take the option away.

## Not this
-1 and -2, the driver's own choice; 0, which is off.

## References
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto mode = amdgpu_number(machine, "runpm");
  if (!mode) return {skip("amdgpu.runpm is not known")};
  if (*mode <= 0) return {pass("runtime power management is not forced")};
  const std::string option = "amdgpu.runpm=" + std::to_string(*mode);
  return passing("runtime power management of the GPU was forced on")
      .saw(option)
      .sees("runtime-pm-forced-on")
      .fix(remove_kernel_parameter(machine, option))
      .root()
      .reboot();
}

}  // namespace

extern const Check kRuntimePmForced;
constinit const Check kRuntimePmForced{.code = "RV1212",
                                       .id = "runtime-pm-forced",
                                       .topic = "power",
                                       .title = "Runtime power management was forced on",
                                       .doc = kDoc,
                                       .run = run};

}  // namespace rocvet
