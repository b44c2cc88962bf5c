#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/targets.h"
#include "checks/logs/tool_output.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
The GPU's mode (rocminfo's ISA name, amdgpu.noretry, HSA_XNACK) against the xnack-/xnack+ code
objects of the libraries.

## Why it matters
A code object built for one mode does not load in the other: "Unable to find code object".

## How to mend it
export HSA_XNACK=0 (or 1) as the libraries need; on APUs amdgpu.noretry=1 on the kernel command
line.

## Not this
A GPU without any code in the libraries: RV801.

## References
- https://llvm.org/docs/AMDGPUUsage.html#target-features
- https://rocm.docs.amd.com/en/latest/conceptual/gpu-memory.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  for (const Gpu& gpu : machine.gpus) {
    if (!gpu.gfx) continue;
    const XnackTargets targets = xnack_targets(machine, *gpu.gfx);
    if (!targets.on && !targets.off) continue;
    if (targets.any) continue;  // code without a mode runs in both
    const std::optional<bool> mode = xnack_mode(machine, gpu);
    if (!mode) continue;
    const bool missing_on = *mode && !targets.on, missing_off = !*mode && !targets.off;
    if (!missing_on && !missing_off) continue;
    const std::string want = *mode ? "xnack-" : "xnack+";
    findings.push_back(failing("the GPU runs with XNACK " + std::string(*mode ? "on" : "off") +
                               ", the libraries are built " + want)
                           .about(gpu_label(gpu))
                           .saw(targets.where + " has " + *gpu.gfx + ":" + want + " only")
                           .saw(xnack_evidence(machine, gpu))
                           .fix({Step("export HSA_XNACK={}", *mode ? "0" : "1"),
                                 *mode ? Step("or amdgpu.noretry=1 on the kernel command line")
                                       : Step("or amdgpu.noretry=0 on the kernel command line")}));
  }
  return or_pass(std::move(findings), "the XNACK mode fits the code objects");
}

}  // namespace

extern const Check kXnackMode;
constinit const Check kXnackMode{.code = "RV609",
                                 .id = "xnack-mode",
                                 .topic = "environment",
                                 .title = "The XNACK mode is not the one of the code objects",
                                 .doc = kDoc,
                                 .run = run};

}  // namespace rocvet
