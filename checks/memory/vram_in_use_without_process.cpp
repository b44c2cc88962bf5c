#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kVramInUseWithoutProcessDoc = R"(
## What it looks for
Used VRAM of GPUs that are otherwise idle.

## Why it matters
A program that died may have left its memory behind; the next job does not fit. It is shown so
that a comparison is possible.

## How to mend it
Look for the process (`sudo fuser -v /dev/kfd /dev/dri/*`); a leak without one needs a reset or a
reboot.

## Not this
A desktop, which uses some hundred MiB.

## References
- https://docs.kernel.org/gpu/amdgpu/driver-misc.html
)";

std::vector<Finding> run_vram_in_use_without_process(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<std::string> lines;
  for (const Gpu& gpu : context.machine.gpus) {
    if (!gpu.vram_bytes || !gpu.vram_used_bytes || gpu.kind == GpuKind::apu) continue;
    if (*gpu.vram_used_bytes > *gpu.vram_bytes * 9 / 10)
      lines.push_back(gpu_label(gpu) + ": " + std::to_string(*gpu.vram_used_bytes >> 20) + " of " +
                      std::to_string(*gpu.vram_bytes >> 20) + " MiB");
  }
  if (lines.empty()) return {pass("no GPU's memory is used up")};
  return passing("a GPU's memory is used up by something").saw(lines);
}

}  // namespace

extern const Check kVramInUseWithoutProcess;
constinit const Check kVramInUseWithoutProcess{.code = "RV1007",
                                               .id = "vram-in-use-without-process",
                                               .topic = "memory",
                                               .title = "The GPU's memory is in use",
                                               .doc = kVramInUseWithoutProcessDoc,
                                               .run = run_vram_in_use_without_process};

}  // namespace rocvet
