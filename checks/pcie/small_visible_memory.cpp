#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kSmallVisibleMemoryDoc = R"(
## What it looks for
Visible VRAM against all of it: 256 MiB means that Resizable BAR is off.

## Why it matters
It works; copies by the CPU and peer access are limited. Some games and loaders profit from a full
BAR.

## How to mend it
BIOS: Resizable BAR (Smart Access Memory) and Above 4G Decoding on.

## Not this
A BAR without an address: RV1103.

## References
- https://docs.kernel.org/gpu/amdgpu/driver-misc.html
)";

std::vector<Finding> run_small_visible_memory(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<std::string> lines;
  for (const Gpu& gpu : context.machine.gpus) {
    if (gpu.kind == GpuKind::apu || !gpu.vram_bytes || !gpu.visible_vram_bytes ||
        *gpu.visible_vram_bytes >= *gpu.vram_bytes / 2)
      continue;
    lines.push_back(gpu_label(gpu) + ": " + std::to_string(*gpu.visible_vram_bytes >> 20) + " of " +
                    std::to_string(*gpu.vram_bytes >> 20) + " MiB visible");
  }
  if (lines.empty()) return {pass("the CPU sees all of the GPUs' memory")};
  return passing("Resizable BAR is off").saw(lines);
}

}  // namespace

extern const Check kSmallVisibleMemory;
constinit const Check kSmallVisibleMemory{
    .code = "RV1107",
    .id = "small-visible-memory",
    .topic = "pcie",
    .title = "Only a part of the GPU's memory is visible to the CPU",
    .doc = kSmallVisibleMemoryDoc,
    .run = run_small_visible_memory};

}  // namespace rocvet
