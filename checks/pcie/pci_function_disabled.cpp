#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kPciFunctionDisabledDoc = R"(
## What it looks for
"enable" is 0 on a GPU that amdgpu drives and that is not suspended.

## Why it matters
The kernel has disabled the device: a resume that failed half-way, or somebody who wrote to the
file. Every access to its memory fails.

## How to mend it
Load the driver anew or restart.

## Not this
A GPU that is suspended at run time: the driver disables it on purpose.

## References
- https://docs.kernel.org/PCI/sysfs-pci.html
)";

std::vector<Finding> run_pci_function_disabled(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* gpu : cards(context.machine)) {
    const Result<std::uint64_t>& enabled = gpu->pci.enable_count;
    judged.lacks(gpu->driver);
    if (gpu->driver.value_or("") != "amdgpu" || !judged.has(enabled, gpu->runtime_status)) continue;
    if (*enabled > 0 || *gpu->runtime_status != "active") continue;
    findings.push_back(failing("the GPU is disabled on the PCI bus")
                           .about(gpu_label(*gpu))
                           .saw("enable: 0, runtime_status: active")
                           .fix({"sudo reboot"})
                           .root()
                           .reboot());
  }
  return judged.rest(
      std::move(findings),
      "of " + counted(judged.number(), "GPU", "GPUs") + " none is disabled on the bus",
      "no GPU of amdgpu shows whether it is enabled");
}

}  // namespace

extern const Check kPciFunctionDisabled;
constinit const Check kPciFunctionDisabled{
    .code = "RV1117",
    .id = "pci-function-disabled",
    .topic = "pcie",
    .title = "The GPU is switched off in its PCI command register",
    .doc = kPciFunctionDisabledDoc,
    .run = run_pci_function_disabled};

}  // namespace rocvet
