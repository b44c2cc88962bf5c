#include "base/text.h"
#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kSlotNarrowerThanCardDoc = R"(
## What it looks for
The widest and fastest that each bridge above a card can do, against the card's own maximum.

## Why it matters
A slot of the chipset or a cable with four lanes is the limit of every copy, whatever the card can
do. It is no fault, and the first thing to know when loading a model is slow.

## How to mend it
Move the card to the slot next to the processor; in the BIOS look at bifurcation.

## Not this
A link that runs below what both ends can do: RV1101.

## References
- https://docs.kernel.org/PCI/sysfs-pci.html
)";

std::vector<Finding> run_slot_narrower_than_card(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* gpu : cards(context.machine)) {
    if (gpu->kind == GpuKind::apu) continue;
    judged.lacks(gpu->path);
    if (!gpu->path || !gpu->pcie.max_gts || !gpu->pcie.max_width) {
      judged.lacks(gpu->pcie.max_gts);
      judged.lacks(gpu->pcie.max_width);
      continue;
    }
    const double card = *gpu->pcie.max_gts * *gpu->pcie.max_width;
    const PcieHop* least = nullptr;
    for (const PcieHop& hop : *gpu->path) {
      judged.lacks(hop.link.max_gts);
      judged.lacks(hop.link.max_width);
      if (!hop.link.max_gts || !hop.link.max_width) continue;
      if (least == nullptr ||
          *hop.link.max_gts * *hop.link.max_width < *least->link.max_gts * *least->link.max_width)
        least = &hop;
    }
    if (least == nullptr) continue;
    judged.count();
    if (*least->link.max_gts * *least->link.max_width >= card * 0.9) continue;
    const auto say = [](const PcieLink& link) {
      return fixed(*link.max_gts, 1) + " GT/s x" + std::to_string(*link.max_width);
    };
    findings.push_back(passing("the way to the card is narrower than the card: " + say(least->link))
                           .about(gpu_label(*gpu))
                           .saw("bridge " + least->bdf + " can do " + say(least->link) +
                                ", the card " + say(gpu->pcie))
                           .sees("way-to-the-card-narrower-than-it"));
  }
  return judged.rest(std::move(findings),
                     counted(judged.number(), "slot can", "slots can") + " do what the card can",
                     "no bridge is above a GPU here");
}

}  // namespace

extern const Check kSlotNarrowerThanCard;
constinit const Check kSlotNarrowerThanCard{.code = "RV1109",
                                            .id = "slot-narrower-than-card",
                                            .topic = "pcie",
                                            .title = "The way to a card is narrower than the card",
                                            .doc = kSlotNarrowerThanCardDoc,
                                            .run = run_slot_narrower_than_card};

}  // namespace rocvet
