#include <algorithm>

#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kReplaysCountedDoc = R"(
## What it looks for
pcie_replay_count of cards of one part.

## Why it matters
Each replay is a packet that did not arrive. The counter runs since the driver was loaded, so its
height says little; one card that has many where its equals have none has a bad contact.

## How to mend it
Reseat the card or its riser; swap two cards to see whether it goes along.

## Not this
A count on a single card: there is nothing to compare it with.

## References
- https://docs.kernel.org/gpu/amdgpu/driver-misc.html
)";

std::vector<Finding> run_replays_counted(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged(3);
  for (const auto& group : equal_cards(context.machine)) {
    if (group.size() < 3) continue;
    std::vector<std::uint64_t> counts;
    for (const Gpu* gpu : group) {
      if (judged.has(gpu->pci.replays)) counts.push_back(*gpu->pci.replays);
    }
    if (counts.size() < 3) continue;
    std::sort(counts.begin(), counts.end());
    const std::uint64_t median = counts[counts.size() / 2];
    for (const Gpu* gpu : group) {
      const Result<std::uint64_t>& count = gpu->pci.replays;
      // A hundred times what its equals have is no chance.
      if (!count || *count < 100 * (median + 1)) continue;
      findings.push_back(warning("the card repeats far more PCIe packets than its equals")
                             .about(gpu_label(*gpu))
                             .saw("pcie_replay_count " + std::to_string(*count) +
                                  ", the median of its equals " + std::to_string(median)));
    }
  }
  return judged.rest(std::move(findings),
                     "of " + counted(judged.number(), "equal card", "equal cards") +
                         " none repeats far more PCIe packets than the others",
                     "there are no three equal cards that count replays");
}

}  // namespace

extern const Check kReplaysCounted;
constinit const Check kReplaysCounted{.code = "RV1111",
                                      .id = "replays-counted",
                                      .topic = "pcie",
                                      .title = "One card repeats more packets than its equals",
                                      .doc = kReplaysCountedDoc,
                                      .run = run_replays_counted};

}  // namespace rocvet
