// Counters, clocks, temperatures and caps of a GPU.
#pragma once

#include <string>

#include "machine/gpu.h"
#include "source/source.h"

namespace rocvet {

/// Fills Gpu::clocks, sensors and ras, and the replays of Gpu::pci. A GPU that sleeps is not woken
/// for them: they are then `unsupported`.
void add_health(Source& source, const std::string& folder, bool awake, Gpu& gpu);

}  // namespace rocvet
