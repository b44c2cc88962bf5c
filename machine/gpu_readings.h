// What one GPU measures, counts and was set to. A reading that could not be had says why: the file
// is missing (this GPU or kernel has none), denied, not captured, malformed, or it did not answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace rocvet {

/// A line of pp_dpm_sclk: "1: 2482Mhz *". The step of deep sleep is named "S".
struct ClockStep {
  std::string name;
  std::uint64_t mhz = 0;
  bool current = false;  ///< the star
};

struct GpuClocks {
  Result<std::vector<ClockStep>> engine;  ///< as listed, lowest first; never empty
  Result<std::string> level;  ///< power_dpm_force_performance_level: "auto", "low", "manual" …
};

/// A temperature of hwmon, in thousandths of a degree Celsius.
struct Temperature {
  std::string sensor;         ///< "temp1"
  Result<std::string> label;  ///< "edge", "junction", "mem"
  Result<std::int64_t> now, critical;
};

struct GpuSensors {
  Result<std::uint64_t> busy_percent;
  Result<std::uint64_t> power_cap_uw, normal_power_cap_uw;  ///< microwatts
  Result<std::uint64_t> fan_mode;                 ///< pwm1_enable: 1 by hand, 2 by the driver
  Result<std::vector<Temperature>> temperatures;  ///< by their names
  /// Files of sensors that are there and did not answer, which is a symptom too.
  std::vector<Error> silent;
};

/// Errors since the driver was loaded, of ras/<block>_err_count.
struct RasErrors {
  std::uint64_t uncorrectable = 0, corrected = 0;
  std::optional<std::uint64_t> deferred;  ///< newer GPUs count them
  bool operator==(const RasErrors&) const = default;
};

struct RasBlock {
  std::string name;  ///< "umc", "gfx" …
  Result<RasErrors> errors;
};

/// Pages of the GPU's memory by their state in ras/gpu_vram_bad_pages.
struct BadPages {
  std::size_t retired = 0, pending = 0, stuck = 0;  ///< stuck: could not be reserved
  std::size_t total() const { return retired + pending + stuck; }
  bool operator==(const BadPages&) const = default;
};

struct GpuRas {
  Result<std::vector<RasBlock>> blocks;  ///< missing: the GPU has no RAS
  Result<BadPages> bad_pages;
};

/// A line of the resource file: a region of the PCI function.
struct PciRegion {
  std::uint64_t first = 0, last = 0, flags = 0;
  bool operator==(const PciRegion&) const = default;
};

/// Kinds of PCIe errors and how often each was counted: "Rollover" -> 3; sums are left out.
using AerCounts = std::map<std::string, std::uint64_t>;

struct PciFunction {
  Result<std::uint64_t> enable_count;      ///< 0: its command register is off
  Result<std::uint64_t> dma_mask_bits;     ///< width of the addresses that the driver may use
  Result<bool> removable;                  ///< outside the machine; missing: the kernel marks none
  Result<std::vector<PciRegion>> regions;  ///< BARs first
  Result<std::uint64_t> replays;           ///< packets sent again since the driver was loaded
  Result<AerCounts> corrected, nonfatal, fatal;
};

/// Of what would wake a GPU that sleeps to be read.
inline Error not_woken(std::string where) {
  return {Error::Kind::unsupported, std::move(where), "not read: the device is suspended"};
}
/// The file is there and reading it failed, though nobody forbade it: EIO, ETIMEDOUT …
template <typename T>
bool did_not_answer(const Result<T>& fact) {
  return fact.is(Error::Kind::failed) || fact.is(Error::Kind::timed_out);
}

}  // namespace rocvet
