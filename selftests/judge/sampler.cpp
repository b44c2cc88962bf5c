#include "selftests/judge/sampler.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>
#include <tuple>

#include "base/text.h"

namespace rocvet {
namespace {

using namespace std::chrono_literals;
constexpr auto kInterval = 50ms;
constexpr auto kPatience = 500ms;

std::optional<std::string> read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  if (!file && !file.eof()) return std::nullopt;
  return text.str();
}

std::optional<double> read_number(const std::string& path) {
  const auto text = read_text(path);
  if (!text) return std::nullopt;
  const auto value = parse_number(trim(*text));
  return value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt;
}

std::vector<std::string> names_in(const std::string& path) {
  std::vector<std::string> names;
  if (DIR* folder = ::opendir(path.c_str())) {
    while (const dirent* entry = ::readdir(folder)) {
      if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    }
    ::closedir(folder);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// "16.0 GT/s PCIe" -> 16
std::optional<double> leading_real(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text->c_str(), &end);
  return end == text->c_str() ? std::nullopt : std::optional<double>(value);
}

/// Sum over "ue: N" or "ce: N" lines of every ras/*_err_count.
ErrorTotals error_totals(const std::string& folder) {
  ErrorTotals totals;
  for (const std::string& name : names_in(folder + "/ras")) {
    if (!name.ends_with("_err_count")) continue;
    // "Query currently inaccessible" is how the driver says that it cannot tell.
    const std::string text = read_text(folder + "/ras/" + name).value_or("");
    bool told = false;
    for (const std::string_view line : split(text, '\n')) {
      const auto value = line.size() > 4 ? parse_number(trim(line.substr(3))) : std::nullopt;
      if (!value) continue;
      told = true;
      if (line.starts_with("ue:")) totals.uncorrected = totals.uncorrected.value_or(0) + *value;
      if (line.starts_with("ce:")) totals.corrected = totals.corrected.value_or(0) + *value;
    }
    totals.unreadable |= !told;
  }
  if (const auto replays = read_number(folder + "/pcie_replay_count"))
    totals.pcie_replays = static_cast<std::uint64_t>(*replays);
  return totals;
}

/// What was added; nothing where either is not known.
std::uint64_t grown(const std::optional<std::uint64_t>& before,
                    const std::optional<std::uint64_t>& after) {
  return before && after && *after > *before ? *after - *before : 0;
}

/// The number in "name 123" lines of a KFD node's properties.
std::optional<std::uint64_t> property(const std::string& text, std::string_view name) {
  for (const std::string_view line : split(text, '\n')) {
    const auto fields = words(line);
    if (fields.size() == 2 && fields[0] == name) {
      const auto value = parse_number(fields[1]);
      return value ? std::optional<std::uint64_t>(*value) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// KFD's name for a GPU, and how many compute units it has.
struct KfdNode {
  std::optional<int> gpu_id, compute_units;
};
KfdNode kfd_node(const SampledDevice& device) {
  if (device.kfd_gpu_id) return {device.kfd_gpu_id, std::nullopt};
  const std::string bdf = device.folder.substr(device.folder.rfind('/') + 1);
  unsigned domain = 0, bus = 0, slot = 0, function = 0;
  // The kernel's own name of the folder.
  // NOLINTNEXTLINE(bugprone-unchecked-string-to-number-conversion)
  if (std::sscanf(bdf.c_str(), "%x:%x:%x.%x", &domain, &bus, &slot, &function) != 4) return {};
  const std::uint64_t location = bus << 8 | slot << 3 | function;
  for (const std::string& name : names_in(device.kfd_nodes)) {
    const std::string folder = device.kfd_nodes + "/" + name + "/";
    const std::string text = read_text(folder + "properties").value_or("");
    if (property(text, "location_id") != location || property(text, "domain").value_or(0) != domain)
      continue;
    const auto id = read_number(folder + "gpu_id");
    if (!id || *id <= 0) continue;
    KfdNode node{static_cast<int>(*id), std::nullopt};
    const auto simds = property(text, "simd_count"), each = property(text, "simd_per_cu");
    if (simds && each && *each > 0) node.compute_units = static_cast<int>(*simds / *each);
    return node;
  }
  return {};
}

/// Ours: this process, our workers, and what shares our group.
bool is_ours(const SampledDevice& device, const std::string& pid) {
  const auto stat = read_text(device.processes + "/" + pid + "/stat");
  if (!stat) return false;
  // The name in parentheses may hold anything: count from the last one. Fields: state, parent,
  // group.
  const auto fields =
      words(std::string_view(*stat).substr(std::min(stat->rfind(')') + 1, stat->size())));
  return fields.size() > 2 &&
         (fields[1] == std::to_string(::getpid()) || fields[2] == std::to_string(::getpgrp()));
}

/// Processes that have KFD queues on this GPU, us and our workers left out.
std::vector<GpuProcess> compute_processes(const SampledDevice& device) {
  std::vector<GpuProcess> out;
  const KfdNode node = kfd_node(device);
  for (const std::string& pid : names_in(device.kfd_processes)) {
    const std::string folder = device.kfd_processes + "/" + pid + "/";
    GpuProcess process;
    process.pid = static_cast<int>(parse_number(pid).value_or(0));
    if (node.gpu_id) {
      const std::string id = std::to_string(*node.gpu_id);
      process.memory_bytes = read_number(folder + "vram_" + id);
      if (process.memory_bytes.value_or(0) == 0) continue;
      const auto occupied = read_number(folder + "stats_" + id + "/cu_occupancy");
      if (occupied && node.compute_units && *node.compute_units > 0)
        process.busy_percent =
            std::min(100, static_cast<int>(100 * *occupied / *node.compute_units));
    }
    if (is_ours(device, pid)) continue;
    process.name =
        std::string(trim(read_text(device.processes + "/" + pid + "/comm").value_or("")));
    out.push_back(std::move(process));
  }
  return out;
}

/// Open files of DRM devices: process and number. Looking for them takes a while on a large
/// machine.
using DrmFiles = std::vector<std::pair<std::string, std::string>>;
DrmFiles drm_files(const SampledDevice& device) {
  DrmFiles out;
  for (const std::string& pid : names_in(device.processes)) {
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string folder = device.processes + "/" + pid + "/fd/";
    for (const std::string& fd : names_in(folder)) {
      char target[64];
      const ssize_t size = ::readlink((folder + fd).c_str(), target, sizeof target);
      if (size >= 9 && std::string_view(target, 9) == "/dev/dri/") out.emplace_back(pid, fd);
    }
  }
  return out;
}

/// Nanoseconds that each process has had of the GPU's engines through DRM (graphics, Vulkan,
/// video), where its open files may be read. The kernel's Documentation/gpu/drm-usage-stats.rst.
std::map<int, double> engine_ns(const SampledDevice& device, const DrmFiles& files) {
  const std::string bdf = device.folder.substr(device.folder.rfind('/') + 1);
  std::map<int, double> out;
  std::set<std::pair<std::string, std::string>> clients;  // a duplicated file counts once
  for (const auto& [pid, fd] : files) {
    const std::string text = read_text(device.processes + "/" + pid + "/fdinfo/" + fd).value_or("");
    std::string client, device_name;
    double used = 0;
    for (const std::string_view line : split(text, '\n')) {
      const auto fields = words(line);
      if (fields.size() < 2) continue;
      if (fields[0] == "drm-pdev:") device_name = fields[1];
      if (fields[0] == "drm-client-id:") client = fields[1];
      if (fields[0].starts_with("drm-engine-"))
        used += static_cast<double>(parse_number(fields[1]).value_or(0));
    }
    if (device_name == bdf && clients.insert({pid, client}).second)
      out[static_cast<int>(parse_number(pid).value_or(0))] += used;
  }
  return out;
}

/// Those that drew on the GPU between two looks, as a share of the time between.
std::vector<GpuProcess> drawing_processes(const SampledDevice& device,
                                          const std::map<int, double>& before,
                                          const std::map<int, double>& after, double elapsed_s) {
  constexpr int kNoticed = 5;
  std::vector<GpuProcess> out;
  for (const auto& [pid, used] : after) {
    const auto at = before.find(pid);
    const double busy = 100 * (used - (at == before.end() ? 0 : at->second)) / (elapsed_s * 1e9);
    const std::string name = std::to_string(pid);
    if (busy < kNoticed || is_ours(device, name)) continue;
    GpuProcess process;
    process.pid = pid;
    process.busy_percent = std::min(100, static_cast<int>(busy));
    process.name =
        std::string(trim(read_text(device.processes + "/" + name + "/comm").value_or("")));
    out.push_back(std::move(process));
  }
  return out;
}

struct Sensors {
  std::string clock, memory_clock, power, power_cap;
  std::vector<std::pair<std::string, std::string>> temperatures;  ///< input, limit
  std::vector<std::pair<std::string, std::string>> memory_temperatures;
};

/// Which files of the device's hwmon folder are what, by their labels.
Sensors find_sensors(const std::string& folder) {
  Sensors sensors;
  for (const std::string& hwmon : names_in(folder + "/hwmon")) {
    const std::string base = folder + "/hwmon/" + hwmon + "/";
    for (const std::string& name : names_in(folder + "/hwmon/" + hwmon)) {
      if (name == "power1_cap") sensors.power_cap = base + name;
      if (name == "power1_average" || (name == "power1_input" && sensors.power.empty()))
        sensors.power = base + name;
      if (!name.ends_with("_label")) continue;
      const std::string stem = base + name.substr(0, name.size() - 6),
                        label(trim(read_text(base + name).value_or("")));
      if (label == "sclk") sensors.clock = stem + "_input";
      if (label == "mclk") sensors.memory_clock = stem + "_input";
      if (!name.starts_with("temp")) continue;
      (label == "mem" ? sensors.memory_temperatures : sensors.temperatures)
          .emplace_back(stem + "_input", stem + "_crit");
    }
  }
  return sensors;
}

/// "0: 96Mhz\n1: 1249Mhz *" -> 1249
std::optional<double> highest_level(const std::optional<std::string>& levels) {
  std::optional<double> highest;
  if (!levels) return highest;
  for (const std::string_view line : split(*levels, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const auto value = leading_real(std::string(line.substr(colon + 1)));
    if (value && value > highest.value_or(0)) highest = value;
  }
  return highest;
}

std::optional<double> middle_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

struct Sampler::Shared {
  SampledDevice device;
  std::mutex mutex;
  std::condition_variable changed;
  bool stop = false, ended = false, timing = false;
  Telemetry telemetry;                                                       // what is read once
  std::vector<double> clock, memory_clock, power;                            ///< while it was timed
  std::optional<double> highest_clock, highest_memory_clock, highest_power;  ///< all the time
  std::optional<double> hottest, hottest_limit, hottest_memory, hottest_memory_limit;
  std::vector<std::string> throttle;

  bool sleep_unless_stopped() {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, kInterval, [this] { return stop; });
    return !stop;
  }

  void sample(const Sensors& sensors);
  void run();
};

void Sampler::Shared::sample(const Sensors& sensors) {
  const auto clock_hz = read_number(sensors.clock), memory_hz = read_number(sensors.memory_clock),
             power_uw = read_number(sensors.power);
  const auto hottest_of = [](const auto& pairs, std::optional<double>& value,
                             std::optional<double>& limit) {
    for (const auto& [input, crit] : pairs) {
      const auto now = read_number(input);
      if (!now || *now / 1000 <= value.value_or(-1)) continue;
      value = *now / 1000;
      const auto at = read_number(crit);
      limit = at ? std::optional<double>(*at / 1000) : std::nullopt;
    }
  };
  std::optional<double> hot, hot_limit, memory_hot, memory_hot_limit;
  hottest_of(sensors.temperatures, hot, hot_limit);
  hottest_of(sensors.memory_temperatures, memory_hot, memory_hot_limit);
  const auto reasons = throttle_reasons(read_text(device.folder + "/gpu_metrics").value_or(""));
  const std::lock_guard lock(mutex);
  const auto note = [this](const std::optional<double>& millionths, std::vector<double>& timed,
                           std::optional<double>& highest) {
    if (!millionths) return;
    if (timing) timed.push_back(*millionths / 1e6);
    highest = std::max(highest.value_or(0), *millionths / 1e6);
  };
  note(clock_hz, clock, highest_clock);
  note(memory_hz, memory_clock, highest_memory_clock);
  note(power_uw, power, highest_power);
  if (hot > hottest) std::tie(hottest, hottest_limit) = std::tie(hot, hot_limit);
  if (memory_hot > hottest_memory)
    std::tie(hottest_memory, hottest_memory_limit) = std::tie(memory_hot, memory_hot_limit);
  for (const std::string& reason : reasons) {
    if (std::find(throttle.begin(), throttle.end(), reason) == throttle.end())
      throttle.push_back(reason);
  }
}

void Sampler::Shared::run() {
  const std::string& folder = device.folder;
  Telemetry once;
  once.others = compute_processes(device);
  once.other_processes = static_cast<int>(once.others.size());
  const auto began = std::chrono::steady_clock::now();
  const DrmFiles files = drm_files(device);
  const std::map<int, double> drawn_before = engine_ns(device, files);
  // Everything below may wake a sleeping GPU; the test itself will do that, telemetry must not.
  const auto asleep = [&] {
    return trim(read_text(folder + "/power/runtime_status").value_or("active")) != "active";
  };
  const bool slept = asleep();
  ErrorTotals before;
  if (!slept) {
    const auto busy = read_number(folder + "/gpu_busy_percent");
    if (busy) once.busy_before_percent = static_cast<int>(*busy);
    once.performance_level =
        std::string(trim(read_text(folder + "/power_dpm_force_performance_level").value_or("")));
    once.memory_clock_max_mhz = highest_level(read_text(folder + "/pp_dpm_mclk"));
    once.memory_used_bytes = read_number(folder + "/mem_info_vram_used");
    once.memory_total_bytes = read_number(folder + "/mem_info_vram_total");
    before = error_totals(folder);
  }
  {
    const std::lock_guard lock(mutex);
    telemetry = once;
  }
  const Sensors sensors = find_sensors(folder);
  if (!slept && !sensors.power_cap.empty()) {
    const auto cap = read_number(sensors.power_cap),
               normal = read_number(sensors.power_cap + "_default");
    const std::lock_guard lock(mutex);
    if (cap) telemetry.power_cap_w = *cap / 1e6;
    if (normal) telemetry.power_cap_default_w = *normal / 1e6;
  }
  std::optional<double> link_gts;
  std::optional<int> link_width;
  while (sleep_unless_stopped()) {
    if (asleep()) continue;
    sample(sensors);
    if (!link_gts) {  // under load by now; each read asks the card's configuration space, so once
      link_gts = leading_real(read_text(folder + "/current_link_speed"));
      const auto width = read_number(folder + "/current_link_width");
      if (width) link_width = static_cast<int>(*width);
    }
  }
  const double elapsed_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const auto drawing = drawing_processes(device, drawn_before, engine_ns(device, files), elapsed_s);
  const ErrorTotals after = slept || asleep() ? before : error_totals(folder);
  const std::lock_guard lock(mutex);
  for (const GpuProcess& process : drawing) {
    const bool known = std::any_of(telemetry.others.begin(), telemetry.others.end(),
                                   [&](const GpuProcess& o) { return o.pid == process.pid; });
    if (!known) telemetry.others.push_back(process);
  }
  telemetry.other_processes = static_cast<int>(telemetry.others.size());
  telemetry.link_gts = link_gts;
  telemetry.link_width = link_width;
  telemetry.new_corrected_errors = grown(before.corrected, after.corrected);
  telemetry.new_uncorrected_errors = grown(before.uncorrected, after.uncorrected);
  telemetry.new_pcie_replays = grown(before.pcie_replays, after.pcie_replays);
  telemetry.error_totals = after;
  ended = true;
  changed.notify_all();
}

Sampler::Sampler(SampledDevice device) : shared_(std::make_shared<Shared>()) {
  shared_->device = std::move(device);
  // Detached on purpose: a thread stuck in the kernel can be neither joined nor stopped. It owns
  // its state.
  std::thread([shared = shared_] { shared->run(); }).detach();
}

Sampler::~Sampler() {
  const std::lock_guard lock(shared_->mutex);
  shared_->stop = true;
  shared_->changed.notify_all();
}

void Sampler::timing(bool begins) {
  const std::lock_guard lock(shared_->mutex);
  shared_->timing = begins;
}

Telemetry Sampler::finish() {
  std::unique_lock lock(shared_->mutex);
  shared_->stop = true;
  shared_->changed.notify_all();
  shared_->changed.wait_for(lock, kPatience, [this] { return shared_->ended; });
  Telemetry out = shared_->telemetry;
  out.cut_short = !shared_->ended;
  // With no sample of the timed part the highest is nearest to it: the rest is preparation.
  const auto under_load = [](const std::vector<double>& timed, const std::optional<double>& most) {
    return timed.empty() ? most : middle_of(timed);
  };
  out.clock_mhz = under_load(shared_->clock, shared_->highest_clock);
  out.memory_clock_mhz = under_load(shared_->memory_clock, shared_->highest_memory_clock);
  out.power_w = under_load(shared_->power, shared_->highest_power);
  out.temperature_c = shared_->hottest;
  out.temperature_limit_c = shared_->hottest_limit;
  out.memory_temperature_c = shared_->hottest_memory;
  out.memory_temperature_limit_c = shared_->hottest_memory_limit;
  out.throttle = shared_->throttle;
  return out;
}

}  // namespace rocvet
