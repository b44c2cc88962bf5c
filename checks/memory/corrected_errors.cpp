#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/ras_blocks.h"

namespace rocvet {
namespace {

constexpr std::string_view kCorrectedErrorsDoc = R"(
## What it looks for
Corrected errors of each block; a handful since boot is ordinary.

## Why it matters
Many of them, or a growing number, announce a failing part.

## How to mend it
Watch the number; swap slot or cooling; have it replaced when it grows.

## Not this
Uncorrectable errors: RV1002.

## References
- https://docs.kernel.org/gpu/amdgpu/ras.html
)";

std::vector<Finding> run_corrected_errors(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  constexpr std::uint64_t kMany = 1000;
  std::vector<Finding> findings;
  Judged judged;
  each_ras_block(context.machine, judged, [&](const Gpu& gpu, const RasBlock& block) {
    if (!judged.has(block.errors) || block.errors->corrected < kMany) return;
    findings.push_back(
        warning("RAS corrected many errors in " + block.name)
            .about(gpu_label(gpu))
            .saw(block.name + ": " + std::to_string(block.errors->corrected) + " corrected"));
  });
  return judged.rest(std::move(findings),
                     "of " + counted(judged.number(), "block with RAS", "blocks with RAS") +
                         " none corrected many errors",
                     "no GPU here counts its errors (RAS)");
}

}  // namespace

extern const Check kCorrectedErrors;
constinit const Check kCorrectedErrors{.code = "RV1003",
                                       .id = "corrected-errors",
                                       .topic = "memory",
                                       .title = "RAS corrected many errors",
                                       .doc = kCorrectedErrorsDoc,
                                       .run = run_corrected_errors};

}  // namespace rocvet
