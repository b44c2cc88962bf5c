#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
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

std::vector<Finding> run(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  bool known = false;
  for (const Gpu* gpu : cards(context.machine)) {
    const Result<std::uint64_t>& enabled = gpu->pci.enable_count;
    if (!enabled || gpu->driver.value_or("") != "amdgpu" || !gpu->runtime_status) continue;
    known = true;
    if (*enabled > 0 || *gpu->runtime_status != "active") continue;
    findings.push_back(failing("the GPU is disabled on the PCI bus")
                           .about(gpu_label(*gpu))
                           .saw("enable: 0, runtime_status: active")
                           .fix({"sudo reboot"})
                           .root()
                           .reboot());
  }
  if (!known) return {skip("no GPU tells whether it is enabled")};
  return or_pass(std::move(findings), "the GPUs are enabled on the bus");
}

}  // namespace

extern const Check kPciFunctionDisabled;
constinit const Check kPciFunctionDisabled{
    .code = "RV1117",
    .id = "pci-function-disabled",
    .topic = "pcie",
    .title = "The GPU is switched off in its PCI command register",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
