// What a driver's management library says of a GPU at one moment, and what many such say of a test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "selftests/judge/part.h"

namespace rocvet {

struct GpuSample {
  std::string bdf;  ///< "0000:1b:00.0"
  std::optional<double> clock_mhz, clock_max_mhz, memory_clock_mhz, memory_clock_max_mhz;
  std::optional<double> power_w, power_cap_w, power_cap_default_w;
  std::optional<double> temperature_c, temperature_limit_c;
  std::optional<double> link_gts, link_gts_max;  ///< per lane
  std::optional<double> link_width, link_width_max;
  std::optional<double> busy_percent;
  std::optional<double> memory_used_bytes, memory_total_bytes;
  std::uint64_t corrected = 0, uncorrected = 0, replays = 0;  ///< counters since the driver started
  bool exclusive = false;                                     ///< one process at a time
  std::vector<std::string> throttle;                          ///< "thermal", "power" …
  std::vector<GpuProcess> processes;                          ///< that compute on it
};

/// `before`: taken before our worker opened the GPU. `during`: while the test ran; `timed`: those
/// of them taken while it was timed, which alone tell of clocks and power unless there are none.
Telemetry summarize(const std::vector<GpuSample>& before, const std::vector<GpuSample>& during,
                    const std::vector<GpuSample>& timed, const std::vector<int>& own_pids);

}  // namespace rocvet
