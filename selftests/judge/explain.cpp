#include "selftests/judge/explain.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace rocvet {
namespace {

constexpr double kClockLow = 0.80;        // of the highest engine clock, under load
constexpr double kMemoryClockLow = 0.90;  // of the highest memory clock, under load
constexpr double kPowerAtCap = 0.93;
constexpr double kPowerIdle = 0.35;  // of the cap: no busy chip draws so little
// What is told as power is a mean of up to a second, most of which a quick test did not take: from
// here on it may have been at the limit. An H200 at 80 % of its clock was told with 69 %.
constexpr double kPowerFarBelowCap = 0.6;
constexpr double kThermalMargin_c = 3;
constexpr int kBusyPercent = 10;
constexpr double kMemoryTaken = 0.5;  // of all, before we came

std::string watts(double value) {
  return fixed(value, 0) + " W";
}
std::string megahertz(double value) {
  return fixed(value, 0) + " MHz";
}

struct Facts {
  const Part& part;
  const Observation& observation;
  const Telemetry& telemetry;
  const Expectation* expectation;

  bool transfer() const {
    const std::string& test = observation.test;
    return test == "bandwidth.h2d" || test == "bandwidth.d2h" || test == "bandwidth.bidir" ||
           test.starts_with("bandwidth.p2p") || test.starts_with("collective.");
  }
  bool stream() const { return observation.test.starts_with("bandwidth.") && !transfer(); }
  bool compute() const { return !stream() && !transfer(); }
  /// As the kernel counted it where it did: telemetry may have looked between two launches.
  std::optional<double> clock() const {
    return observation.clock_mhz ? observation.clock_mhz : telemetry.clock_mhz;
  }
  bool clock_low() const {
    return clock() && part.clock_mhz && *clock() < kClockLow * *part.clock_mhz;
  }
};

using Rule = std::optional<ShortfallReason> (*)(const Facts&);

std::optional<ShortfallReason> debug_environment(const Facts& f) {
  if (f.telemetry.debug_environment.empty()) return std::nullopt;
  return ShortfallReason{"debug-environment", "variables that slow every launch or copy are set: " +
                                                  join(f.telemetry.debug_environment, ", ")};
}

std::string gibibytes(double bytes) {
  return fixed(bytes / (1 << 30), bytes < (10 << 30) ? 1 : 0) + " GiB";
}

/// "process 1234 (python3) used 98 % of it and held 12 GiB"
std::string describe(const GpuProcess& process) {
  std::string out = "process " + std::to_string(process.pid);
  if (!process.name.empty()) out += " (" + process.name + ")";
  if (process.busy_percent) out += " used " + std::to_string(*process.busy_percent) + " % of it";
  if (process.memory_bytes)
    out += std::string(process.busy_percent ? " and" : "") + " held " +
           gibibytes(*process.memory_bytes);
  return process.busy_percent || process.memory_bytes ? out : out + " has it open";
}

/// The few that matter, most demanding first.
std::string describe(std::vector<GpuProcess> processes) {
  std::sort(processes.begin(), processes.end(), [](const GpuProcess& a, const GpuProcess& b) {
    return std::pair(a.busy_percent.value_or(0), a.memory_bytes.value_or(0)) >
           std::pair(b.busy_percent.value_or(0), b.memory_bytes.value_or(0));
  });
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(processes.size(), kNamed); ++i)
    names.push_back(describe(processes[i]));
  if (processes.size() > kNamed)
    names.push_back(std::to_string(processes.size() - kNamed) + " more");
  return join(names, ", ");
}

/// A process that is known to have done nothing explains nothing.
bool idle(const GpuProcess& process) {
  return process.busy_percent && *process.busy_percent < kBusyPercent;
}

std::optional<ShortfallReason> other_process(const Facts& f) {
  const Telemetry& t = f.telemetry;
  const bool all_idle = !t.others.empty() && std::all_of(t.others.begin(), t.others.end(), idle);
  const bool held = t.other_processes > 0 && !all_idle;
  const bool busy = t.busy_before_percent.value_or(0) >= kBusyPercent;
  if (!held && !busy) return std::nullopt;
  std::string text = "the GPU was not free";
  if (!t.others.empty()) {
    text += ": " + describe(t.others);
  } else if (t.other_processes > 0) {
    text += ": " + std::to_string(t.other_processes) + " other process" +
            (t.other_processes > 1 ? "es hold it" : " holds it");
  }
  if (busy) text += ", " + std::to_string(*t.busy_before_percent) + " % busy before the test began";
  return ShortfallReason{"other-process", text};
}

/// So little is moved at a time that the start of each launch or copy decides.
std::optional<ShortfallReason> small_transfer(const Facts& f) {
  constexpr double kFewest = 16 << 20;  // at 55 GB/s 300 us; a copy takes some 10 us to start
  const double bytes = f.observation.bytes;
  if (!f.observation.test.starts_with("bandwidth.") || bytes <= 0 || bytes >= kFewest)
    return std::nullopt;
  const std::string size =
      bytes < (1 << 20) ? fixed(bytes / 1024, 0) + " KiB" : fixed(bytes / (1 << 20), 1) + " MiB";
  std::string text =
      std::string(f.transfer() ? "each copy" : "each launch") + " moved " + size + " only";
  if (f.observation.value > 0)
    text += " and took " + fixed(bytes / f.observation.value * 1e-3, 1) + " us";
  return ShortfallReason{"small-transfer", text + ": at this size its start decides, not the " +
                                               (f.transfer() ? "link" : "memory")};
}

std::optional<ShortfallReason> link_downgraded(const Facts& f) {
  if (!f.transfer() || f.part.apu || !f.part.slot_gts || !f.part.slot_width) return std::nullopt;
  const double gts = f.telemetry.link_gts.value_or(f.part.link_gts.value_or(*f.part.slot_gts));
  const int width = f.telemetry.link_width.value_or(f.part.link_width.value_or(*f.part.slot_width));
  if (gts >= *f.part.slot_gts && width >= *f.part.slot_width) return std::nullopt;
  const auto link = [](double g, int w) {
    return fixed(g, g < 10 ? 1 : 0) + " GT/s x" + std::to_string(w);
  };
  return ShortfallReason{"link-downgraded", "the PCIe link runs at " + link(gts, width) +
                                                " under load; card and slot can do " +
                                                link(*f.part.slot_gts, *f.part.slot_width)};
}

std::optional<ShortfallReason> memory_errors(const Facts& f) {
  const Telemetry& t = f.telemetry;
  if (t.new_uncorrected_errors > 0)
    return ShortfallReason{"memory-errors",
                           std::to_string(t.new_uncorrected_errors) +
                               " uncorrectable ECC errors appeared during the test"};
  if (t.new_corrected_errors > 0)
    return ShortfallReason{"memory-errors", std::to_string(t.new_corrected_errors) +
                                                " corrected ECC errors appeared during the test"};
  if (f.transfer() && t.new_pcie_replays > 0)
    return ShortfallReason{"pcie-replays", std::to_string(t.new_pcie_replays) +
                                               " PCIe replays happened during the test"};
  return std::nullopt;
}

std::optional<ShortfallReason> thermal(const Facts& f) {
  const Telemetry& t = f.telemetry;
  const bool said = std::count(t.throttle.begin(), t.throttle.end(), "thermal") > 0;
  const auto near = [](const std::optional<double>& value, const std::optional<double>& limit) {
    return value && limit && *value >= *limit - kThermalMargin_c;
  };
  if (near(t.temperature_c, t.temperature_limit_c)) {
    return ShortfallReason{"thermal", "it ran at " + fixed(*t.temperature_c, 0) +
                                          " °C, its limit is " + fixed(*t.temperature_limit_c, 0) +
                                          " °C"};
  }
  if (near(t.memory_temperature_c, t.memory_temperature_limit_c)) {
    return ShortfallReason{"thermal", "its memory ran at " + fixed(*t.memory_temperature_c, 0) +
                                          " °C, the limit is " +
                                          fixed(*t.memory_temperature_limit_c, 0) + " °C"};
  }
  if (said) return ShortfallReason{"thermal", "the firmware reported thermal throttling"};
  return std::nullopt;
}

std::optional<ShortfallReason> power_cap(const Facts& f) {
  const Part& p = f.part;
  if (!f.compute() || !p.power_cap_w || !p.power_cap_default_w ||
      *p.power_cap_w >= 0.98 * *p.power_cap_default_w)
    return std::nullopt;
  return ShortfallReason{"power-cap", "the power cap is " + watts(*p.power_cap_w) +
                                          ", the default " + watts(*p.power_cap_default_w)};
}

std::optional<ShortfallReason> clock_pinned(const Facts& f) {
  const std::string& level = f.telemetry.performance_level;
  const bool chosen = level == "low" || level == "manual" || level == "profile_min_sclk" ||
                      level == "profile_min_mclk" || level == "profile_standard";
  if (!chosen || (!f.clock_low() && f.compute())) return std::nullopt;
  std::string text = "power_dpm_force_performance_level is '" + level + "'";
  if (f.clock()) text += ", the clock stood at " + megahertz(*f.clock());
  return ShortfallReason{"clock-pinned", text};
}

std::optional<ShortfallReason> power_limited(const Facts& f) {
  const auto& power = f.telemetry.power_w;
  const bool said =
      std::count(f.telemetry.throttle.begin(), f.telemetry.throttle.end(), "power") > 0;
  const bool at_cap = power && f.part.power_cap_w && *power >= kPowerAtCap * *f.part.power_cap_w;
  if (!f.compute() || !f.clock_low() || (!said && !at_cap)) return std::nullopt;
  return ShortfallReason{"power-limited", "the clock fell to " + megahertz(*f.clock()) +
                                              " at the power limit" +
                                              (power ? " (" + watts(*power) + ")" : std::string())};
}

std::optional<ShortfallReason> memory_clock_stuck(const Facts& f) {
  const Telemetry& t = f.telemetry;
  if (!f.stream() || !t.memory_clock_mhz || !t.memory_clock_max_mhz) return std::nullopt;
  if (*t.memory_clock_mhz >= kMemoryClockLow * *t.memory_clock_max_mhz) return std::nullopt;
  return ShortfallReason{"memory-clock-stuck",
                         "the memory clock stood at " + megahertz(*t.memory_clock_mhz) + " of " +
                             megahertz(*t.memory_clock_max_mhz) + " under load"};
}

/// Not beside a reason: that no limit was reached is said only where none was.
std::optional<ShortfallReason> clock_stuck(const Facts& f) {
  if (!f.clock_low() || thermal(f) || power_cap(f) || clock_pinned(f) || power_limited(f))
    return std::nullopt;
  if (!f.telemetry.throttle.empty()) {
    return ShortfallReason{"clock-throttled", "the engine clock stood at " + megahertz(*f.clock()) +
                                                  " of " + megahertz(*f.part.clock_mhz) +
                                                  "; the firmware reported throttling: " +
                                                  join(f.telemetry.throttle, ", ")};
  }
  std::string text = "the engine clock stood at " + megahertz(*f.clock()) + " of " +
                     megahertz(*f.part.clock_mhz) + " under load";
  if (f.telemetry.power_w && f.part.power_cap_w)
    text += " at " + watts(*f.telemetry.power_w) + " of " + watts(*f.part.power_cap_w);
  return ShortfallReason{"clock-stuck", text + ", with no limit reached"};
}

/// The chip was never driven: far below its power while it counted as busy.
std::optional<ShortfallReason> power_far_below(const Facts& f) {
  const auto& power = f.telemetry.power_w;
  const auto& cap = f.part.power_cap_w ? f.part.power_cap_w : f.part.power_cap_default_w;
  if (f.observation.library && f.observation.own_fraction) return std::nullopt;
  if (!f.compute() || !power || !cap || *power > kPowerIdle * *cap) return std::nullopt;
  return ShortfallReason{"power-far-below",
                         "the board drew " + watts(*power) + " of " + watts(*cap) +
                             " while it counted as busy: clocks or power delivery are held down"};
}

std::optional<ShortfallReason> fewer_units(const Facts& f) {
  const Part& p = f.part;
  if (!f.compute() || !p.compute_units || !p.full_compute_units || p.partition_share < 1)
    return std::nullopt;
  if (*p.compute_units >= *p.full_compute_units) return std::nullopt;
  return ShortfallReason{"fewer-compute-units",
                         std::to_string(*p.compute_units) + " of the product's " +
                             std::to_string(*p.full_compute_units) + " compute units are active"};
}

std::optional<ShortfallReason> library_regression(const Facts& f) {
  if (!f.observation.library || !f.observation.own_fraction || *f.observation.own_fraction < 1)
    return std::nullopt;
  return ShortfallReason{
      "library-regression",
      "rocvet's own kernel reaches what this part should: the library has no good "
      "kernel for this GPU and shape, the hardware is fine"};
}

std::optional<ShortfallReason> below_peers(const Facts& f) {
  if (f.observation.peers.empty() || f.expectation == nullptr ||
      f.observation.value >= f.expectation->floor)
    return std::nullopt;
  std::vector<double> peers = f.observation.peers;
  std::sort(peers.begin(), peers.end());
  if (peers[peers.size() / 2] < f.expectation->floor) {
    return ShortfallReason{"all-alike",
                           "all GPUs of this machine are as low: look for a cause that they share "
                           "(power, driver, firmware, library)"};
  }
  return std::nullopt;
}

/// GPUs that are tested at once share the host's memory and, often, a switch or a root port.
std::optional<ShortfallReason> shared_host(const Facts& f) {
  constexpr double kAlike = 0.15;
  const std::string& test = f.observation.test;
  const bool host = test == "bandwidth.h2d" || test == "bandwidth.d2h" || test == "bandwidth.bidir";
  if (!host || f.observation.peers.empty()) return std::nullopt;
  std::vector<double> peers = f.observation.peers;
  std::sort(peers.begin(), peers.end());
  const double middle = peers[peers.size() / 2];
  if (std::abs(f.observation.value - middle) > kAlike * middle) return std::nullopt;
  return ShortfallReason{"shared-host",
                         std::to_string(peers.size() + 1) +
                             " GPUs copied at the same time and are alike: they share "
                             "the way to the host's memory (--device names one alone)"};
}

// The most direct first: what somebody did, what the environment does, what the part does.
constexpr Rule kRules[] = {debug_environment, small_transfer,     other_process,
                           link_downgraded,   memory_errors,      shared_host,
                           thermal,           power_cap,          clock_pinned,
                           power_limited,     library_regression, memory_clock_stuck,
                           clock_stuck,       fewer_units,        power_far_below,
                           below_peers};

}  // namespace

std::vector<ShortfallReason> explain_shortfall(const Part& part, const Observation& observation,
                                               const Telemetry& telemetry,
                                               const Expectation* expectation) {
  const Facts facts{part, observation, telemetry, expectation};
  std::vector<ShortfallReason> out;
  for (const Rule rule : kRules) {
    if (auto explanation = rule(facts)) out.push_back(std::move(*explanation));
  }
  if (out.empty()) out.push_back({"unexplained", "nothing that could be read explains it"});
  return out;
}

std::optional<ShortfallReason> explain_clock(const Part& part, const Observation& observation,
                                             const Telemetry& telemetry) {
  const Facts facts{part, observation, telemetry, nullptr};
  if (!facts.clock_low()) return std::nullopt;
  for (const Rule rule : {thermal, clock_pinned}) {
    if (auto explanation = rule(facts)) return explanation;
  }
  // A limit that is reached, or was lowered, is how a large GPU works all day; without readings of
  // its power nobody knows.
  const bool power_known = telemetry.power_w && part.power_cap_w;
  if (!power_known || !telemetry.throttle.empty()) return std::nullopt;
  if (observation.regime == "quick" && *telemetry.power_w >= kPowerFarBelowCap * *part.power_cap_w)
    return std::nullopt;
  return clock_stuck(facts);
}

std::optional<ShortfallReason> explain_failure(const std::string& error,
                                               const Telemetry& telemetry) {
  const std::string words = lower(error);
  const auto says = [&](std::string_view what) { return words.find(what) != std::string::npos; };
  const std::string who = telemetry.others.empty() ? "" : ": " + describe(telemetry.others);
  // Names of CUDA's and HIP's own codes, and what they say.
  const bool memory = says("out_of_memory") || says("outofmemory") || says("out of memory");
  const auto &used = telemetry.memory_used_bytes, &total = telemetry.memory_total_bytes;
  if (memory && used && total && *used > kMemoryTaken * *total) {
    return ShortfallReason{"memory-taken", gibibytes(*used) + " of its " + gibibytes(*total) +
                                               " were taken before the test began" + who};
  }
  if (memory && !who.empty())
    return ShortfallReason{"memory-taken", "its memory is not free" + who};
  const bool unavailable = says("device_unavailable") || says("busy or unavailable") ||
                           says("devicenotavailable") || says("deviceunavailable");
  if (telemetry.exclusive && (unavailable || memory)) {
    return ShortfallReason{"device-busy",
                           "the GPU is in a mode in which one process alone may use it" + who};
  }
  if (unavailable && !who.empty()) return ShortfallReason{"device-busy", "the GPU is taken" + who};
  return std::nullopt;
}

}  // namespace rocvet
