#include "machine/gpu_health.h"

#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kLimit = 1u << 16;

void take(Source& source, const std::string& path, const std::string& name, Gpu& gpu) {
  const auto text = source.read(path, kLimit);
  if (text) {
    gpu.attributes[name] = std::string(trim(*text));
  } else if (!text.is_missing() && !text.is(Error::Kind::not_captured) &&
             !text.is(Error::Kind::denied)) {
    gpu.attributes[name] = "error: " + text.error().what;
  }
}

bool wanted_sensor(std::string_view name) {
  return (name.starts_with("power1_") && name != "power1_input") || name.starts_with("temp") ||
         name == "fan1_input" || name == "pwm1_enable" || name == "name";
}

}  // namespace

void add_health(Source& source, const std::string& folder, Gpu& gpu) {
  for (const char* name : {"gpu_busy_percent", "pp_dpm_sclk", "pp_dpm_mclk", "pcie_replay_count"})
    take(source, folder + "/" + name, name, gpu);
  if (const auto counters = source.list(folder + "/ras")) {
    for (const std::string& name : *counters) {
      if (name.ends_with("_err_count") || name == "gpu_vram_bad_pages")
        take(source, folder + "/ras/" + name, "ras/" + name, gpu);
    }
  }
  const auto monitors = source.list(folder + "/hwmon");
  if (!monitors) return;
  for (const std::string& monitor : *monitors) {
    const auto files = source.list(folder + "/hwmon/" + monitor);
    if (!files) continue;
    for (const std::string& name : *files) {
      if (wanted_sensor(name))
        take(source, folder + "/hwmon/" + monitor + "/" + name, "hwmon/" + name, gpu);
    }
    return;
  }
}

}  // namespace rocvet
