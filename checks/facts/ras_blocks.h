// The blocks of the GPUs that count errors (RAS).
#pragma once

#include "checks/common/judged.h"
#include "checks/facts/siblings.h"

namespace rocvet {

/// Calls see(gpu, block) for each block of each card; `judged` learns why a card's are not known.
template <typename See>
void each_ras_block(const Machine& machine, Judged& judged, const See& see) {
  for (const Gpu* gpu : cards(machine)) {
    judged.lacks(gpu->ras.blocks);
    if (!gpu->ras.blocks) continue;
    for (const RasBlock& block : *gpu->ras.blocks) see(*gpu, block);
  }
}

}  // namespace rocvet
