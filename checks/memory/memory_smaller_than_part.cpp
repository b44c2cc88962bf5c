#include <algorithm>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kMemorySmallerThanPartDoc = R"(
## What it looks for
The memory that the driver found against that of the products with the same ids, where the GPU is
not partitioned. Less than half is a fault: products are sold with half of it.

## Why it matters
An old driver that reads the size wrongly, an option that limits it (RV1017), or a stack of memory
that failed.

## How to mend it
A newer kernel; else compare with an equal card.

## Not this
An APU, whose carve-out is set in the BIOS, and a virtual GPU.

## References
- https://docs.kernel.org/gpu/amdgpu/driver-misc.html
)";

std::vector<Finding> run_memory_smaller_than_part(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (machine.surroundings.virtual_machine.value_or(false))
    return {skip("a virtual GPU has the memory it was given")};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* gpu : cards(machine)) {
    if (gpu->kind != GpuKind::dgpu || !gpu->card_bdf) continue;
    if (gpu->partition.memory.value_or("NPS1") != "NPS1" ||
        gpu->partition.compute.value_or("SPX") != "SPX")
      continue;
    // Several products may share an id: the smallest of them decides.
    double least = 0;
    for (const GpuInfo* part : context.db.identify(*gpu)) {
      if (!part->vram_gib) least = -1;
      if (part->vram_gib && least >= 0)
        least = least == 0 ? *part->vram_gib : std::min(least, *part->vram_gib);
    }
    if (least <= 0 || !judged.has(gpu->vram_bytes)) continue;
    const double has = static_cast<double>(*gpu->vram_bytes) / (1ull << 30);
    if (has >= least * 0.45) continue;
    findings.push_back(
        warning("the GPU shows " + fixed(has, 1) + " GiB, the part has " + fixed(least, 0) + " GiB")
            .about(gpu_label(*gpu))
            .saw(gpu_name(*gpu)));
  }
  return judged.rest(
      std::move(findings),
      counted(judged.number(), "GPU shows", "GPUs show") + " the memory that the part has",
      "the database has no memory size of a whole card here");
}

}  // namespace

extern const Check kMemorySmallerThanPart;
constinit const Check kMemorySmallerThanPart{
    .code = "RV1011",
    .id = "memory-smaller-than-part",
    .topic = "memory",
    .title = "The GPU shows less than half of the memory that the part has",
    .doc = kMemorySmallerThanPartDoc,
    .run = run_memory_smaller_than_part};

}  // namespace rocvet
