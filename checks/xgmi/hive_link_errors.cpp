#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kHiveLinkErrorsDoc = R"(
## What it looks for
ras/xgmi_wafl_err_count of each card: errors of the links between cards, corrected or not.

## Why it matters
An uncorrected error on a link ends the job on both cards. Corrected ones cost a retry each; a link
with many of them is about to fail.

## How to mend it
Find the link that has them (`amd-smi xgmi`), seat the bridge, then have the board looked at.

## Not this
Errors of the memory: RV1002 and RV1003.

## References
- https://docs.kernel.org/gpu/amdgpu/ras.html
- https://docs.kernel.org/gpu/amdgpu/xgmi.html
)";

std::vector<Finding> run_hive_link_errors(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu& gpu : context.machine.gpus) {
    if (!gpu.hive.is_missing()) judged.lacks(gpu.ras.blocks);
    if (!gpu.ras.blocks) continue;
    for (const RasBlock& block : *gpu.ras.blocks) {
      if (block.name != "xgmi_wafl" || !judged.has(block.errors)) continue;
      if (block.errors->uncorrectable + block.errors->corrected == 0) continue;
      const std::string seen = std::to_string(block.errors->uncorrectable) + " uncorrected, " +
                               std::to_string(block.errors->corrected) + " corrected";
      findings.push_back((block.errors->uncorrectable > 0
                              ? failing("uncorrected errors were counted on XGMI links")
                              : passing("XGMI links had errors that a retry mended"))
                             .about(gpu_label(gpu))
                             .saw("xgmi_wafl: " + seen)
                             .sees(block.errors->uncorrectable > 0
                                       ? ObservationName("xgmi-errors-uncorrected")
                                       : "xgmi-errors-corrected")
                             .fix({"amd-smi xgmi"}));
    }
  }
  return judged.rest(
      std::move(findings),
      "no error was counted on the XGMI links of " + counted(judged.number(), "GPU", "GPUs"),
      "errors of XGMI links are not counted here");
}

}  // namespace

extern const Check kHiveLinkErrors;
constinit const Check kHiveLinkErrors{.code = "RV1406",
                                      .id = "hive-link-errors",
                                      .topic = "xgmi",
                                      .title = "Errors were counted on XGMI links",
                                      .doc = kHiveLinkErrorsDoc,
                                      .run = run_hive_link_errors};

}  // namespace rocvet
