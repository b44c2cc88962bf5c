#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/ras_blocks.h"

namespace rocvet {
namespace {

constexpr std::string_view kUncorrectableErrorsDoc = R"(
## What it looks for
ras/*_err_count of each block of each GPU.

## Why it matters
ECC could not mend these: results may be wrong, and programs that met them were killed.

## How to mend it
Power the machine off and on, watch whether they come back, then have the GPU replaced.

## Not this
Corrected errors: RV1003.

## References
- https://docs.kernel.org/gpu/amdgpu/ras.html
)";

std::vector<Finding> run_uncorrectable_errors(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  each_ras_block(context.machine, judged, [&](const Gpu& gpu, const RasBlock& block) {
    if (!judged.has(block.errors) || block.errors->uncorrectable == 0) return;
    findings.push_back(failing("RAS counted uncorrectable errors in " + block.name)
                           .about(gpu_label(gpu))
                           .saw(block.name + ": " + std::to_string(block.errors->uncorrectable) +
                                " uncorrectable"));
  });
  return judged.rest(std::move(findings),
                     "of " + counted(judged.number(), "block with RAS", "blocks with RAS") +
                         " none counted an uncorrectable error",
                     "no GPU here counts its errors (RAS)");
}

}  // namespace

extern const Check kUncorrectableErrors;
constinit const Check kUncorrectableErrors{.code = "RV1002",
                                           .id = "uncorrectable-errors",
                                           .topic = "memory",
                                           .title = "RAS counted uncorrectable errors",
                                           .doc = kUncorrectableErrorsDoc,
                                           .run = run_uncorrectable_errors};

}  // namespace rocvet
