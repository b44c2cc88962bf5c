#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kRetiredPagesDoc = R"(
## What it looks for
ras/gpu_vram_bad_pages: pages that are reserved because they were bad, pending, or could not be
reserved.

## Why it matters
A few are what the mechanism is for. Pages that could not be reserved are still in use; over the
threshold the part is to be replaced.

## How to mend it
Reboot, so that pending pages are retired; over the threshold have the GPU replaced.

## Not this
Memory that is used up.

## References
- https://docs.kernel.org/gpu/amdgpu/ras.html
)";

std::vector<Finding> run_retired_pages(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* card : cards(context.machine)) {
    const Gpu& gpu = *card;
    if (!judged.has(gpu.ras.bad_pages)) continue;
    const BadPages& pages = *gpu.ras.bad_pages;
    if (pages.stuck + pages.pending == 0 && pages.retired < 64) continue;
    findings.push_back(
        (pages.stuck > 0 ? failing("bad pages of the GPU's memory could not be retired")
                         : warning("pages of the GPU's memory are bad"))
            .about(gpu_label(gpu))
            .saw(std::to_string(pages.retired) + " retired, " + std::to_string(pages.pending) +
                 " pending, " + std::to_string(pages.stuck) + " not retired")
            .fix({"sudo reboot"})
            .reboot());
  }
  return judged.rest(
      std::move(findings),
      "of " + counted(judged.number(), "GPU", "GPUs") + " none has bad pages that wait, or many",
      "no GPU here lists its bad pages (RAS)");
}

}  // namespace

extern const Check kRetiredPages;
constinit const Check kRetiredPages{.code = "RV1004",
                                    .id = "retired-pages",
                                    .topic = "memory",
                                    .title = "Pages of the GPU's memory are retired",
                                    .doc = kRetiredPagesDoc,
                                    .run = run_retired_pages};

}  // namespace rocvet
