#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kAsleepThoughActiveDoc = R"(
## What it looks for
power_state D3cold together with runtime_status "active".

## Why it matters
The PCI core could not bring the device back from its sleep while the driver believes that it runs:
the next access hangs or gives ones.

## How to mend it
Restart, and keep the GPU awake with amdgpu.runpm=0.

## Not this
D3cold of a GPU that is suspended, which is how it saves power.

## References
- https://docs.kernel.org/power/pci.html
)";

std::vector<Finding> run_asleep_though_active(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* gpu : cards(context.machine)) {
    if (!judged.has(gpu->power_state, gpu->runtime_status)) continue;
    if (*gpu->power_state != "D3cold" || *gpu->runtime_status != "active") continue;
    findings.push_back(failing("the GPU is without power though it counts as active")
                           .about(gpu_label(*gpu))
                           .saw("power_state: D3cold, runtime_status: active")
                           .fix(add_kernel_parameter(context.machine, "amdgpu.runpm=0"))
                           .root()
                           .reboot());
  }
  return judged.rest(std::move(findings),
                     "of " + counted(judged.number(), "GPU", "GPUs") +
                         " none is without power while it counts as active",
                     "the kernel does not show the power states of PCI functions");
}

}  // namespace

extern const Check kAsleepThoughActive;
constinit const Check kAsleepThoughActive{
    .code = "RV1209",
    .id = "asleep-though-active",
    .topic = "power",
    .title = "The GPU is without power though it counts as active",
    .doc = kAsleepThoughActiveDoc,
    .run = run_asleep_though_active};

}  // namespace rocvet
