#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/ras_blocks.h"

namespace rocvet {
namespace {

constexpr std::string_view kDeferredErrorsDoc = R"(
## What it looks for
"de" in ras/<block>_err_count: errors that were found and deferred.

## Why it matters
The data are lost, and marked so. Nothing happens until a program reads them; then it is killed and
the page retired.

## How to mend it
Restart the programs on that GPU; watch whether the count grows.

## Not this
Corrected errors: RV1003. Uncorrected ones: RV1002.

## References
- https://docs.kernel.org/gpu/amdgpu/ras.html
)";

std::vector<Finding> run_deferred_errors(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  each_ras_block(context.machine, judged, [&](const Gpu& gpu, const RasBlock& block) {
    // Where deferred errors are not counted there is nothing to read.
    if (block.errors && !block.errors->deferred) return;
    if (!judged.has(block.errors) || *block.errors->deferred == 0) return;
    const std::uint64_t count = *block.errors->deferred;
    findings.push_back(
        warning("errors of the GPU were found and deferred")
            .about(gpu_label(gpu))
            .saw("ras/" + block.name + "_err_count: " + std::to_string(count) + " deferred")
            .fix({"amd-smi bad-pages"}));
  });
  return judged.rest(std::move(findings),
                     "of " + counted(judged.number(), "block with RAS", "blocks with RAS") +
                         " none deferred an error",
                     "deferred errors are not counted here");
}

}  // namespace

extern const Check kDeferredErrors;
constinit const Check kDeferredErrors{.code = "RV1009",
                                      .id = "deferred-errors",
                                      .topic = "memory",
                                      .title = "Poisoned memory waits to be read",
                                      .doc = kDeferredErrorsDoc,
                                      .run = run_deferred_errors};

}  // namespace rocvet
