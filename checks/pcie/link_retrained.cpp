#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kLinkRetrainedDoc = R"(
## What it looks for
"Rollover" in aer_dev_correctable: a packet was refused four times in a row, so the link was
retrained.

## Why it matters
A single bad packet costs a retry and is normal. Four in a row is a link that hardly works: riser,
cable, dirty contacts, too high a speed for the slot.

## How to mend it
Reseat the card or the riser; lower the slot's generation in the BIOS to see whether it stops.

## Not this
Bad packets that one retry mended (BadTLP, BadDLLP), and uncorrected errors: RV1102.

## References
- https://docs.kernel.org/PCI/pcieaer-howto.html
- https://docs.kernel.org/admin-guide/abi-testing.html
)";

std::vector<Finding> run_link_retrained(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* gpu : cards(context.machine)) {
    if (!judged.has(gpu->pci.corrected)) continue;
    const auto found = gpu->pci.corrected->find("Rollover");
    const std::uint64_t rollovers = found == gpu->pci.corrected->end() ? 0 : found->second;
    if (rollovers == 0) continue;
    findings.push_back(warning("the PCIe link had to retrain " + std::to_string(rollovers) +
                               (rollovers == 1 ? " time" : " times"))
                           .about(gpu_label(*gpu))
                           .saw("aer_dev_correctable: Rollover " + std::to_string(rollovers)));
  }
  return judged.rest(std::move(findings),
                     "of " + counted(judged.number(), "link", "links") + " none had to retrain",
                     "the kernel counts no PCIe errors of a GPU here (AER)");
}

}  // namespace

extern const Check kLinkRetrained;
constinit const Check kLinkRetrained{.code = "RV1110",
                                     .id = "link-retrained",
                                     .topic = "pcie",
                                     .title = "A PCIe link had to retrain",
                                     .doc = kLinkRetrainedDoc,
                                     .run = run_link_retrained};

}  // namespace rocvet
