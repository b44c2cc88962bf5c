#include "checks/facts/links.h"

#include "checks/facts/gpus.h"

namespace rocvet {

bool several_on_pcie(const Machine& machine) {
  constexpr int kXgmi = 11;  // HSA_IOLINKTYPE_XGMI
  std::size_t discrete = 0;
  for (const Gpu* gpu : kfd_gpus(machine)) {
    if (gpu->kind == GpuKind::apu) continue;
    ++discrete;
    if (gpu->hive) return false;
    for (const IoLink& link : gpu->links) {
      if (link.type == kXgmi) return false;
    }
  }
  return discrete > 1;
}

}  // namespace rocvet
