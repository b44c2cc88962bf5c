#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kBadPagesNearThresholdDoc = R"(
## What it looks for
Retired pages against the driver's threshold: bad_page_threshold where it is set, else one for each
100 MiB of memory, as the driver computes it.

## Why it matters
Over the threshold the driver refuses to start the GPU at the next boot.

## How to mend it
Plan the replacement of the card now.

## Not this
A few pages: RV1004.

## References
- https://docs.kernel.org/gpu/amdgpu/ras.html
- https://github.com/torvalds/linux/blob/master/drivers/gpu/drm/amd/amdgpu/amdgpu_ras.c
)";

std::vector<Finding> run_bad_pages_near_threshold(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* gpu : cards(context.machine)) {
    const auto option = amdgpu_option(context.machine, "bad_page_threshold");
    judged.lacks(option);
    if (!option && !option.is_missing()) continue;
    const long long set = option ? option->number.value_or(-1) : -1;
    unsigned long long threshold = 0;
    if (set > 0) threshold = static_cast<unsigned long long>(set);
    if (set <= -1 && gpu->vram_bytes) threshold = *gpu->vram_bytes / (100ull << 20);
    if (set <= -1) judged.lacks(gpu->vram_bytes);
    if (threshold == 0 || !judged.has(gpu->ras.bad_pages)) continue;
    const std::size_t bad = gpu->ras.bad_pages->total();
    if (bad * 10 < threshold * 8) continue;
    findings.push_back((bad >= threshold ? failing("the limit of bad pages is reached")
                                         : warning("the limit of bad pages is near"))
                           .about(gpu_label(*gpu))
                           .saw(std::to_string(bad) +
                                " bad pages, the driver gives the GPU up at " +
                                std::to_string(threshold))
                           .fix({"amd-smi bad-pages"}));
  }
  return judged.rest(
      std::move(findings),
      "the bad pages of " + counted(judged.number(), "GPU are", "GPUs are") + " far from the limit",
      "bad pages are not counted here");
}

}  // namespace

extern const Check kBadPagesNearThreshold;
constinit const Check kBadPagesNearThreshold{
    .code = "RV1010",
    .id = "bad-pages-near-threshold",
    .topic = "memory",
    .title = "Nearly as many pages are bad as the driver allows",
    .doc = kBadPagesNearThresholdDoc,
    .run = run_bad_pages_near_threshold};

}  // namespace rocvet
