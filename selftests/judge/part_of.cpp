#include "selftests/judge/part_of.h"

#include <algorithm>

namespace rocvet {
namespace {

/// What every hop of the way and the card itself can do: an x8 slot is no fault of the card.
void add_link(Part& part, const Gpu& gpu) {
  const auto narrow = [](auto& least, const auto& value) {
    if (value && (!least || *value < *least)) least = *value;
  };
  narrow(part.slot_gts, gpu.pcie.max_gts);
  narrow(part.slot_width, gpu.pcie.max_width);
  if (gpu.path) {
    for (const PcieHop& hop : *gpu.path) {
      narrow(part.slot_gts, hop.link.max_gts);
      narrow(part.slot_width, hop.link.max_width);
    }
  }
  part.link_gts = part.slot_gts;
  part.link_width = part.slot_width;
}

/// A partition, or one of the two dies of a card that shows as two GPUs, has its share of the
/// product.
double share_of(const Gpu& gpu, const GpuInfo& info) {
  if (!gpu.compute_units || !info.compute_units || *info.compute_units <= 0) return 1;
  const double share = static_cast<double>(*gpu.compute_units) / *info.compute_units;
  const bool partitioned = gpu.partition.compute && *gpu.partition.compute != "SPX";
  const bool one_die = gpu.gfx.value_or(std::string()) == "gfx90a" && share < 0.6;
  return partitioned || one_die ? std::min(share, 1.0) : 1;
}

}  // namespace

Part part_of(const Gpu& gpu, const Database& database) {
  Part part;
  part.gfx = gpu.gfx.value_or(std::string());
  part.apu = gpu.kind == GpuKind::apu;
  part.compute_units = gpu.compute_units.optional();
  if (gpu.max_engine_clock_mhz) part.clock_mhz = *gpu.max_engine_clock_mhz;
  add_link(part, gpu);
  const std::vector<const GpuInfo*> candidates = database.identify(gpu);
  if (candidates.empty()) return part;
  // Several products under one id differ in memory or units: only what they agree on is known.
  const GpuInfo& info = *candidates.front();
  const bool sure = candidates.size() == 1;
  if (sure) part.name = info.name;
  const bool same_memory =
      std::all_of(candidates.begin(), candidates.end(), [&](const GpuInfo* other) {
        return other->memory_bandwidth_gbs == info.memory_bandwidth_gbs;
      });
  if (same_memory) part.memory_gbs = info.memory_bandwidth_gbs;
  if (sure) {
    part.full_compute_units = info.compute_units;
    part.partition_share = share_of(gpu, info);
  }
  if (!part.clock_mhz && info.max_engine_clock_mhz) part.clock_mhz = *info.max_engine_clock_mhz;
  return part;
}

}  // namespace rocvet
