#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kErrorCountersDoc = R"(
## What it looks for
aer_dev_fatal and aer_dev_nonfatal of each GPU: errors that were not corrected since boot.

## Why it matters
Uncorrected PCIe errors lose transactions: hangs, wrong data, a GPU that falls off the bus.

## How to mend it
Seat, riser, slot and power; then the card.

## Not this
Corrected errors, which cost a retry each.

## References
- https://docs.kernel.org/PCI/pcieaer-howto.html
)";

std::uint64_t total(const AerCounts& counts) {
  std::uint64_t sum = 0;
  for (const auto& [kind, count] : counts) sum += count;
  return sum;
}

std::vector<Finding> run_error_counters(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* card : cards(context.machine)) {
    const Gpu& gpu = *card;
    judged.has(gpu.pci.fatal, gpu.pci.nonfatal);
    for (const bool fatal : {true, false}) {
      const Result<AerCounts>& counts = fatal ? gpu.pci.fatal : gpu.pci.nonfatal;
      if (!counts || total(*counts) == 0) continue;
      findings.push_back((fatal ? failing("fatal PCIe errors were counted")
                                : warning("uncorrected PCIe errors were counted"))
                             .about(gpu_label(gpu))
                             .saw((fatal ? "aer_dev_fatal: " : "aer_dev_nonfatal: ") +
                                  std::to_string(total(*counts))));
    }
  }
  return judged.rest(
      std::move(findings),
      "of " + counted(judged.number(), "GPU", "GPUs") + " none had an uncorrected PCIe error",
      "the kernel counts no PCIe errors of a GPU here (AER)");
}

}  // namespace

extern const Check kErrorCounters;
constinit const Check kErrorCounters{.code = "RV1102",
                                     .id = "error-counters",
                                     .topic = "pcie",
                                     .title = "PCIe error counters are not zero",
                                     .doc = kErrorCountersDoc,
                                     .run = run_error_counters};

}  // namespace rocvet
