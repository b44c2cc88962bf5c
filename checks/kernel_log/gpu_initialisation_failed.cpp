#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/kernel_events.h"
#include "checks/logs/log_groups.h"

namespace rocvet {
namespace {

constexpr std::string_view kGpuInitialisationFailedDoc = R"(
## What it looks for
Lines of amdgpu and KFD about a GPU that could not be started: blocks that failed, devices that
were skipped, unknown hardware.

## Why it matters
A GPU that failed here has no node for compute. The first such line is usually the reason for all
that follows.

## How to mend it
See the line itself; each has its own cause, which the diagnosis names.

## Not this
Firmware files that are missing: RV903. Address space: RV904.

## References
- https://docs.kernel.org/gpu/amdgpu/debugging.html
- https://github.com/torvalds/linux/tree/master/drivers/gpu/drm/amd
)";

std::vector<Finding> run_gpu_initialisation_failed(const Context& context) {
  return init_findings(context);
}

}  // namespace

extern const Check kGpuInitialisationFailed;
constinit const Check kGpuInitialisationFailed{
    .code = "RV902",
    .id = "gpu-initialisation-failed",
    .topic = "kernel_log",
    .title = "The kernel log tells of a GPU that did not initialise",
    .doc = kGpuInitialisationFailedDoc,
    .run = run_gpu_initialisation_failed};

}  // namespace rocvet
