// What the judge must know of the part that was measured, and of what went on meanwhile. Plain
// data: the judge reads nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rocvet {

/// The part that is present, in its present configuration.
struct Part {
  std::string gfx;   ///< "gfx942", "sm_90"
  std::string name;  ///< marketing name; "" when unknown
  bool apu = false;
  std::optional<int> compute_units;       ///< active ones of this device (a partition's own)
  std::optional<int> full_compute_units;  ///< of the whole product, from the database
  std::optional<double> clock_mhz;        ///< highest engine clock
  std::optional<double> memory_gbs;       ///< peak of the memory, whole product, GB/s
  std::optional<double> link_gts;         ///< the narrowest hop of the PCIe path, per lane
  std::optional<int> link_width;
  std::optional<double> slot_gts;  ///< what card and slot both could do
  std::optional<int> slot_width;
  double partition_share = 1;  ///< of the product's compute and memory bandwidth
  std::optional<double> power_cap_w, power_cap_default_w;
};

/// A process that uses this GPU beside us.
struct GpuProcess {
  int pid = 0;
  std::string name;  ///< as the kernel has it; "" when it may not be read
  std::optional<double> memory_bytes;
  std::optional<int> busy_percent;  ///< of the compute units or of the time, while we measured
};

/// Counters of errors since the driver started; absent: the GPU has none, or none could be read.
struct ErrorTotals {
  std::optional<std::uint64_t> corrected, uncorrected, pcie_replays;
  bool unreadable = false;  ///< of some it is known that they are there
};

/// Medians over the samples taken while the test ran, unless the name says otherwise.
struct Telemetry {
  std::optional<double> clock_mhz, memory_clock_mhz, memory_clock_max_mhz;
  std::optional<double> power_w, power_cap_w, power_cap_default_w;
  std::optional<double> temperature_c, temperature_limit_c;  ///< hottest sensor and its limit
  std::optional<double> memory_temperature_c, memory_temperature_limit_c;
  std::optional<double> link_gts;  ///< under load
  std::optional<int> link_width;
  std::optional<double> link_gts_max;  ///< what card and slot both could do, where the driver says
  std::optional<int> link_width_max;
  std::optional<int> busy_before_percent;  ///< load before the test began
  int other_processes = 0;                 ///< that hold this GPU
  std::vector<GpuProcess> others;          ///< the same, as far as more is known of them
  std::optional<double> memory_used_bytes, memory_total_bytes;  ///< before the test began
  bool exclusive = false;             ///< a mode in which one process alone may use the GPU
  std::string performance_level;      ///< power_dpm_force_performance_level
  std::vector<std::string> throttle;  ///< reasons the firmware gave: "thermal", "power" …
  std::uint64_t new_corrected_errors = 0, new_uncorrected_errors = 0, new_pcie_replays = 0;
  ErrorTotals error_totals;                    ///< when the test ended
  bool cut_short = false;                      ///< a read hung: what is read last is not known
  std::vector<std::string> debug_environment;  ///< variables that slow things down, NAME=VALUE
};

/// Another self-test of the same GPU in the same run, whose answers were right.
struct OtherFigure {
  std::string test;
  std::string unit;
  double value = 0;  ///< median
  std::optional<double> clock_mhz;
  double balance = 1;
};

/// One measured figure.
struct Observation {
  std::string test;  ///< "gemm.fp16", "bandwidth.copy"
  std::string unit;
  double value = 0;              ///< median
  bool library = false;          ///< a vendor library did it (library.rocblas), not our kernel
  std::string regime = "quick";  ///< "quick", "steady", "sustained"
  std::vector<double> peers;     ///< the same test on the other GPUs of the box, same kind of part
  double bytes = 0;              ///< moved by one launch or copy; 0: not known or does not apply
  std::optional<double>
      own_fraction;  ///< of a library result: what our own kernel reached of its expectation
  std::optional<double> clock_mhz;  ///< of the engine under load, counted or read
  double balance = 1;  ///< how evenly the blocks fall on the units: the share of their time in use
  std::vector<OtherFigure> others;  ///< of the same GPU and run
};

}  // namespace rocvet
