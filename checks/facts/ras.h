// RAS counters of a GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/gpu.h"

namespace rocvet {

struct RasCount {
  std::string block;  ///< "umc", "gfx" …
  std::uint64_t uncorrectable = 0, corrected = 0;
};

/// Of ras/<block>_err_count ("ue: 0\nce: 3"); empty where the GPU does not count.
std::vector<RasCount> ras_counts(const Gpu& gpu);

}  // namespace rocvet
