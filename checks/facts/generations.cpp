#include "checks/facts/generations.h"

#include "base/text.h"

namespace rocvet {

// Families that amdgpu or radeon drive and KFD does not, by the ranges of
// drivers/gpu/drm/amd/amdgpu/amdgpu_drv.c: Tahiti, Pitcairn, Cape Verde, Oland and Hainan; of GCN 2
// all but Kaveri and Hawaii (Bonaire, Kabini, Mullins); of GCN 3 Topaz and Stoney. Before them
// radeon's.
bool in_no_kfd(std::string_view device_id) {
  const auto id = parse_number(device_id, 16);
  if (!id) return false;
  const auto in = [&](unsigned low, unsigned high) { return *id >= low && *id <= high; };
  return in(0x6600, 0x663d) || in(0x6640, 0x665f) || in(0x6660, 0x666f) || in(0x6780, 0x679f) ||
         in(0x6800, 0x683f) || in(0x6700, 0x677f) || in(0x6840, 0x6849) || in(0x6880, 0x68fe) ||
         in(0x6900, 0x6907) || in(0x9400, 0x95ff) || in(0x9830, 0x985f) || *id == 0x98e4;
}

}  // namespace rocvet
