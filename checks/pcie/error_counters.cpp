#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
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

std::uint64_t total(const std::string& text) {
  std::uint64_t sum = 0;
  for (const std::string_view line : split(text, '\n')) {
    const auto parts = words(line);
    if (parts.size() != 2 || parts[0].starts_with("TOTAL")) continue;
    sum += parse_number(parts[1]).value_or(0);
  }
  return sum;
}

std::vector<Finding> run(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  for (const Gpu& gpu : context.machine.gpus) {
    for (const char* name : {"aer_dev_fatal", "aer_dev_nonfatal"}) {
      const auto found = gpu.attributes.find(name);
      if (found == gpu.attributes.end() || total(found->second) == 0) continue;
      const bool fatal = std::string_view(name) == "aer_dev_fatal";
      findings.push_back((fatal ? failing("fatal PCIe errors were counted")
                                : warning("uncorrected PCIe errors were counted"))
                             .about(gpu_label(gpu))
                             .saw(std::string(name) + ": " + std::to_string(total(found->second))));
    }
  }
  return or_pass(std::move(findings),
                 "no uncorrected PCIe error was counted, or none is counted here");
}

}  // namespace

extern const Check kErrorCounters;
constinit const Check kErrorCounters{.code = "RV1102",
                                     .id = "error-counters",
                                     .topic = "pcie",
                                     .title = "PCIe error counters are not zero",
                                     .doc = kDoc,
                                     .run = run};

}  // namespace rocvet
