#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/equal_cards.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kNarrowerThanSiblingsDoc = R"(
## What it looks for
The width of the link of each card against that of most cards of the same part.

## Why it matters
In a node of equal cards one x8 among x16 is a riser, a cable or dirt on contacts; its copies take
twice as long and every collective waits for it.

## How to mend it
Reseat the card or its riser, and look at the slot's setting in the BIOS.

## Not this
Desktop boards with slots of different width: shown, never warned of.

## References
- https://docs.kernel.org/PCI/sysfs-pci.html
)";

std::vector<Finding> run_narrower_than_siblings(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  if (equal_cards(context.machine).empty())
    return {none_here("there are no two cards of one part", Absence::gpu)};
  std::vector<Finding> findings;
  const auto width_of = [](const Gpu& gpu) -> Result<int> {
    if (gpu.kind == GpuKind::apu) return missing("", "an APU has no link of its own");
    // Where the card has a switch of its own, the port above it has the link of the slot.
    const PcieLink* link = &gpu.pcie;
    if (gpu.path) {
      for (const PcieHop& hop : *gpu.path) {
        if (hop.vendor_id.value_or("") != "1002" && hop.link.current_width) link = &hop.link;
      }
    }
    return link->current_width;
  };
  const auto width = [&](const Gpu& gpu) {
    const Result<int> known = width_of(gpu);
    return known ? std::to_string(*known) : std::string();
  };
  for (const OddCard& odd : odd_cards(context.machine, width)) {
    if (std::stoi(odd.value) >= std::stoi(odd.usual)) continue;
    const bool server = is_instinct(context, *odd.gpu);
    findings.push_back((server ? warning("the link is narrower than those of the equal cards")
                               : passing("the link is narrower than those of the equal cards"))
                           .about(gpu_label(*odd.gpu))
                           .saw("x" + odd.value + ", the others x" + odd.usual)
                           .sees(server ? ObservationName("instinct-link-narrower-than-its-equals")
                                        : "link-narrower-than-its-equals"));
  }
  const Judged judged = judge_equal_cards(context.machine, width_of);
  return judged.rest(std::move(findings),
                     "of " + counted(judged.number(), "card", "cards") +
                         " none has a narrower link than its equals",
                     "equal cards here have no PCIe links");
}

}  // namespace

extern const Check kNarrowerThanSiblings;
constinit const Check kNarrowerThanSiblings{
    .code = "RV1108",
    .id = "narrower-than-siblings",
    .topic = "pcie",
    .title = "A card's link is narrower than those of its equals",
    .doc = kNarrowerThanSiblingsDoc,
    .run = run_narrower_than_siblings};

}  // namespace rocvet
