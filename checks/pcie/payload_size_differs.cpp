#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/equal_cards.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"
#include "checks/facts/siblings.h"
#include "checks/logs/tool_output.h"

namespace rocvet {
namespace {

constexpr std::string_view kPayloadSizeDiffersDoc = R"(
## What it looks for
MaxPayload and MaxReadReq (DevCtl of lspci) of cards of one part.

## Why it matters
A card with 128 bytes beside others with 512 sends four times the packets; its bandwidth is lower
and it is the one that a collective waits for.

## How to mend it
pci=pcie_bus_perf lets the kernel choose the largest size of the whole path; else a BIOS setting.

## Not this
A desktop whose slots hang on the processor and on the chipset: shown, not warned of.

## References
- https://docs.kernel.org/admin-guide/kernel-parameters.html
- https://man7.org/linux/man-pages/man8/lspci.8.html
)";

std::vector<Finding> run_payload_size_differs(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto devices = lspci_devices(context.machine);
  if (devices.empty()) return {none_here("lspci's output is not at hand")};
  if (equal_cards(context.machine).empty())
    return {none_here("there are no two cards of one part", Absence::gpu)};
  std::vector<std::string> evidence;
  bool server = false;
  const auto sizes_of = [&](const Gpu& gpu) -> Result<std::string> {
    bool listed = false;
    for (const LspciDevice& device : devices) {
      if (!gpu.card_bdf || device.bdf != *gpu.card_bdf) continue;
      listed = true;
      // DevCap has the same word with what the device could do; DevCtl has both words.
      for (const std::string& one : device.lines) {
        const std::size_t at = one.find("MaxPayload ");
        if (at != one.npos && one.find("MaxReadReq") != one.npos) return one.substr(at);
      }
    }
    if (!listed) return missing("lspci -vvv", "does not list the card");
    return Error{Error::Kind::denied, "lspci -vvv", "shows the sizes to root only"};
  };
  const auto sizes = [&](const Gpu& gpu) { return sizes_of(gpu).value_or(""); };
  for (const OddCard& odd : odd_cards(context.machine, sizes)) {
    server |= is_instinct(context, *odd.gpu);
    evidence.push_back(gpu_label(*odd.gpu) + ": " + odd.value + "; the others: " + odd.usual);
  }
  if (evidence.empty()) {
    const Judged judged = judge_equal_cards(context.machine, sizes_of);
    return judged.rest(
        {}, counted(judged.number(), "card", "cards") + " of one part use the same sizes",
        "lspci lists no two cards of one part");
  }
  return (server ? warning("equal cards use different PCIe payload sizes")
                 : passing("equal cards use different PCIe payload sizes"))
      .saw(evidence)
      .sees("payload-sizes-of-equal-cards-differ")
      .fix(add_kernel_parameter(context.machine, "pci=pcie_bus_perf"))
      .root()
      .reboot();
}

}  // namespace

extern const Check kPayloadSizeDiffers;
constinit const Check kPayloadSizeDiffers{.code = "RV1113",
                                          .id = "payload-size-differs",
                                          .topic = "pcie",
                                          .title = "Equal cards use different PCIe payload sizes",
                                          .doc = kPayloadSizeDiffersDoc,
                                          .run = run_payload_size_differs};

}  // namespace rocvet
