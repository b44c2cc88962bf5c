#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/kernel_events.h"
#include "checks/logs/log_groups.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
Ring timeouts, MES and preemption failures, page faults of programs, resets, illegal instructions.

## Why it matters
A program's kernel went wrong, or the GPU's scheduler firmware did. After a failed reset nothing
works until a reboot.

## How to mend it
One program only: its kernels or an override (RV601). Every program: firmware, driver and ROCm
release.

## Not this
Faults of hardware with RAS reports: RV907.

## References
- https://docs.kernel.org/gpu/amdgpu/debugging.html
- https://docs.kernel.org/gpu/amdgpu/gc/mes.html
)";

std::vector<Finding> run(const Context& context) {
  return execution_findings(context);
}

}  // namespace

extern const Check kGpuHangOrFault;
constinit const Check kGpuHangOrFault{
    .code = "RV906",
    .id = "gpu-hang-or-fault",
    .topic = "kernel_log",
    .title = "The kernel log tells of a hang or page fault of the GPU",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
