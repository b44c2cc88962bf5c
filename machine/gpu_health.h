// Counters, clocks, temperatures and caps of a GPU that is awake.
#pragma once

#include <string>

#include "machine/gpu.h"
#include "source/source.h"

namespace rocvet {

/// Adds to Gpu::attributes, as read: "gpu_busy_percent", "pp_dpm_sclk", "pp_dpm_mclk",
/// "pcie_replay_count", "ras/<block>_err_count", "ras/gpu_vram_bad_pages" (its first 64 KiB) and
/// "hwmon/<file>" (power1_cap, power1_cap_default, temp*_input, temp*_crit, temp*_label, fan1_input
/// …). A file that does not answer is "error: <why>" there, since that is a symptom too.
void add_health(Source& source, const std::string& folder, Gpu& gpu);

}  // namespace rocvet
