#include "report/gpu_kinds.h"

#include <algorithm>
#include <set>

namespace rocvet {

std::vector<GpusOfAKind> gpus_by_kind(const Machine& machine,
                                      const std::function<std::string(const Gpu&)>& name_of) {
  std::vector<GpusOfAKind> kinds;
  std::set<std::string> cards;
  for (const Gpu& gpu : machine.gpus) {
    const std::string name = name_of(gpu);
    auto kind = std::ranges::find(kinds, name, &GpusOfAKind::name);
    if (kind == kinds.end()) kind = kinds.insert(kinds.end(), {name, 0, 0});
    ++kind->devices;
    // What has no address is a card of its own.
    if (!gpu.card_bdf || cards.insert(*gpu.card_bdf).second) ++kind->cards;
  }
  return kinds;
}

std::string in_partitions(const GpusOfAKind& kind) {
  return kind.devices > kind.cards ? " in " + std::to_string(kind.devices) + " partitions" : "";
}

}  // namespace rocvet
