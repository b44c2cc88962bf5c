#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
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

std::vector<Finding> run(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  for (const Gpu& gpu : context.machine.gpus) {
    const auto pages = gpu.attributes.find("ras/gpu_vram_bad_pages");
    if (pages == gpu.attributes.end() || pages->second.starts_with("error")) continue;
    std::size_t retired = 0, waiting = 0, stuck = 0;
    for (const std::string_view line : split(pages->second, '\n')) {
      if (line.find("0x") == line.npos) continue;
      const std::string_view state = trim(line.substr(line.rfind(':') + 1));
      (state == "P" ? waiting : state == "F" ? stuck : retired) += 1;
    }
    if (stuck + waiting == 0 && retired < 64) continue;
    findings.push_back((stuck > 0 ? failing("bad pages of the GPU's memory could not be retired")
                                  : warning("pages of the GPU's memory are bad"))
                           .about(gpu_label(gpu))
                           .saw(std::to_string(retired) + " retired, " + std::to_string(waiting) +
                                " pending, " + std::to_string(stuck) + " not retired")
                           .fix({"sudo reboot"})
                           .reboot());
  }
  return or_pass(std::move(findings), "no bad page waits, or pages are not counted here");
}

}  // namespace

extern const Check kRetiredPages;
constinit const Check kRetiredPages{.code = "RV1004",
                                    .id = "retired-pages",
                                    .topic = "memory",
                                    .title = "Pages of the GPU's memory are retired",
                                    .doc = kDoc,
                                    .run = run};

}  // namespace rocvet
