#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kGpuUnknownTargetDoc = R"(
## What it looks for
Each GPU's gfx target, from KFD, ip_discovery or its PCI id.

## Why it matters
Kernels are built for gfx targets. Without the target nobody can say what runs on the GPU.

## How to mend it
Update rocvet's database, or the kernel when the GPU is newer than its driver.

## Not this
A GPU whose target is known and not supported by the installed ROCm: RV401.

## References
- https://llvm.org/docs/AMDGPUUsage.html#processors
)";

std::vector<Finding> run_gpu_unknown_target(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  if (context.machine.gpus.empty()) return {skip("the GPU is Windows' (/dev/dxg)")};
  std::vector<Finding> findings;
  for (const Gpu& gpu : context.machine.gpus) {
    if (gpu.gfx) continue;
    // Cards older than GCN 3 have no target in the sense of ROCm; RV305 speaks of them.
    findings.push_back(Finding{.verdict = Verdict::unknown,
                               .summary = "the gfx target of " + gpu_name(gpu) + " is not known",
                               .subject = gpu_label(gpu)});
  }
  return or_pass(std::move(findings), "every GPU's gfx target is known");
}

}  // namespace

extern const Check kGpuUnknownTarget;
constinit const Check kGpuUnknownTarget{.code = "RV303",
                                        .id = "gpu-unknown-target",
                                        .topic = "detection",
                                        .title = "The gfx target of a GPU is not known",
                                        .doc = kGpuUnknownTargetDoc,
                                        .run = run_gpu_unknown_target};

}  // namespace rocvet
