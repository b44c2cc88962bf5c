#include "machine/gpu_health.h"

#include <map>

#include "base/text.h"
#include "machine/parse_readings.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kLimit = 1u << 16;

void let_sleep(const std::string& folder, Gpu& gpu) {
  const Error asleep = not_woken(folder);
  gpu.clocks = {asleep, asleep};
  gpu.sensors = {.busy_percent = asleep,
                 .power_cap_uw = asleep,
                 .normal_power_cap_uw = asleep,
                 .fan_mode = asleep,
                 .temperatures = asleep,
                 .silent = {}};
  gpu.ras = {asleep, asleep};
  gpu.pci.replays = asleep;
}

bool wanted_sensor(std::string_view name) {
  return (name.starts_with("power1_") && name != "power1_input") || name.starts_with("temp") ||
         name == "fan1_input" || name == "pwm1_enable" || name == "name";
}

/// The files of hwmon that a check or a count of silent sensors wants, each read once.
class Monitor {
 public:
  Monitor(Source& source, const std::string& folder) : folder_(folder + "/hwmon") {
    const auto monitors = source.list(folder_);
    if (!monitors) {
      absent_ = monitors.error();
      return;
    }
    absent_ = missing(folder_, "the driver shows no sensors");
    for (const std::string& monitor : *monitors) {
      const std::string at = folder_ + "/" + monitor;
      const auto files = source.list(at);
      if (!files) {
        absent_ = files.error();
        continue;
      }
      for (const std::string& name : *files) {
        if (wanted_sensor(name)) files_.emplace(name, source.read(at + "/" + name, kLimit));
      }
      folder_ = at;
      absent_ = missing(at);
      listed_ = true;
      return;
    }
  }

  Result<std::string> read(const std::string& name) const {
    const auto found = files_.find(name);
    if (found != files_.end()) return found->second;
    return Error{absent_.kind, listed_ ? folder_ + "/" + name : absent_.where, absent_.what};
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  Result<std::uint64_t> number(const std::string& name) const {
    return read(name).and_then([&](const std::string& text) -> Result<std::uint64_t> {
      const auto value = parse_number(trim(text));
      if (!value) return malformed(path(name), "'" + text.substr(0, 40) + "' is no whole number");
      return static_cast<std::uint64_t>(*value);
    });
  }
  Result<std::int64_t> signed_number(const std::string& name) const {
    return read(name).and_then(
        [&](const std::string& text) { return parse_signed(text, path(name)); });
  }

  Result<std::vector<Temperature>> temperatures() const {
    constexpr std::string_view kInput = "_input";
    std::vector<Temperature> found;
    for (const auto& [name, text] : files_) {
      if (!name.starts_with("temp") || !name.ends_with(kInput)) continue;
      const std::string sensor = name.substr(0, name.size() - kInput.size());
      found.push_back({sensor, read(sensor + "_label").transform([](const std::string& label) {
                         return std::string(trim(label));
                       }),
                       signed_number(name), signed_number(sensor + "_crit")});
    }
    if (found.empty()) {
      return Error{absent_.kind, absent_.where, listed_ ? "has no temperature" : absent_.what};
    }
    return found;
  }

  std::vector<Error> silent() const {
    std::vector<Error> errors;
    for (const auto& [name, text] : files_) {
      if (did_not_answer(text)) errors.push_back(text.error());
    }
    return errors;
  }

 private:
  std::string folder_;
  std::map<std::string, Result<std::string>> files_;
  Error absent_;         ///< why a file that is not in `files_` cannot be had
  bool listed_ = false;  ///< a monitor was found: what it does not list is missing
};

Result<std::vector<RasBlock>> read_ras_blocks(Source& source, const std::string& folder) {
  constexpr std::string_view kSuffix = "_err_count";
  const auto names = source.list(folder);
  if (!names) return names.error();
  std::vector<RasBlock> blocks;
  for (const std::string& name : *names) {
    if (!name.ends_with(kSuffix)) continue;
    const std::string path = folder + "/" + name;
    blocks.push_back({name.substr(0, name.size() - kSuffix.size()),
                      source.read(path, kLimit).and_then([&](const std::string& text) {
                        return parse_ras_errors(text, path);
                      })});
  }
  if (blocks.empty()) return missing(folder, "counts no errors");
  return blocks;
}

}  // namespace

void add_health(Source& source, const std::string& folder, bool awake, Gpu& gpu) {
  if (!awake) return let_sleep(folder, gpu);
  const Monitor monitor(source, folder);
  gpu.sensors.busy_percent = read_unsigned(source, folder + "/gpu_busy_percent");
  gpu.sensors.power_cap_uw = monitor.number("power1_cap");
  gpu.sensors.normal_power_cap_uw = monitor.number("power1_cap_default");
  gpu.sensors.fan_mode = monitor.number("pwm1_enable");
  gpu.sensors.temperatures = monitor.temperatures();
  gpu.sensors.silent = monitor.silent();
  if (did_not_answer(gpu.sensors.busy_percent))
    gpu.sensors.silent.push_back(gpu.sensors.busy_percent.error());

  const std::string clocks = folder + "/pp_dpm_sclk";
  gpu.clocks.engine = source.read(clocks, kLimit).and_then([&](const std::string& text) {
    return parse_clock_steps(text, clocks);
  });
  gpu.clocks.level = read_value(source, folder + "/power_dpm_force_performance_level");
  gpu.pci.replays = read_unsigned(source, folder + "/pcie_replay_count");
  gpu.ras.blocks = read_ras_blocks(source, folder + "/ras");
  const std::string pages = folder + "/ras/gpu_vram_bad_pages";
  gpu.ras.bad_pages = source.read(pages, kLimit).and_then([&](const std::string& text) {
    return parse_bad_pages(text, pages);
  });
}

}  // namespace rocvet
