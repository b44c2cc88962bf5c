// What the probes ask for, and the small trees that later probes may want.
#include "machine/record_snapshot.h"

#include <algorithm>

#include "base/path_walk.h"
#include "base/text.h"
#include "machine/collect_filter.h"

namespace rocvet {
namespace {

constexpr int kMaxRecordedDepth = 6;
constexpr std::size_t kMaxRecordedFiles = 20000;
constexpr std::size_t kMaxFileBytes = 64u << 10;

// Files that must not be read for the sake of it: they wake or slow the device, hold kilobytes of
// binary, or give away more than helps.
constexpr std::string_view kNever[] = {"config",
                                       "rom",
                                       "resource?*",
                                       "pcie_bw",
                                       "gpu_metrics*",
                                       "pp_table",
                                       "pm_metrics",
                                       "*vbflash*",
                                       "remove",
                                       "rescan",
                                       "reset",
                                       "uevent_helper",
                                       "wakeup*",
                                       "edid",
                                       "ras_eeprom*",
                                       "*_cmd",
                                       "mem_busy_percent",
                                       "hdcp_srm",
                                       "board_serial",
                                       "product_uuid",
                                       "product_serial",
                                       "chassis_serial",
                                       "vpd*",
                                       "p2pmem"};
// Asked of the SMU, which a suspended GPU would have to be woken for.
constexpr std::string_view kAwakeOnly[] = {"pp_*",
                                           "*busy_percent",
                                           "hwmon*",
                                           "power_dpm*",
                                           "ras",
                                           "*link*",
                                           "thermal_throttling_logging",
                                           "pcie_replay_count",
                                           "gpu_od",
                                           "*_err_count"};

bool matches(std::span<const std::string_view> patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](std::string_view pattern) { return glob_match(pattern, name); });
}

class TreeTaker {
 public:
  explicit TreeTaker(RecordingSource& source) : source_(source) {}

  /// Every regular file below a folder; links are noted, not followed.
  void take(const std::string& folder, bool awake, int depth = 0) {
    const auto names = source_.list(folder);
    if (!names || depth > kMaxRecordedDepth) return;
    for (const std::string& name : *names) {
      if (matches(kNever, name) || (!awake && matches(kAwakeOnly, name))) continue;
      const std::string path = join_path(folder, name);
      const auto stat = source_.lstat(path);
      if (!stat || files_ > kMaxRecordedFiles) continue;
      if (stat->type == FileStat::Type::dir) take(path, awake, depth + 1);
      // Files that only take orders cannot be read anyway.
      if (stat->type != FileStat::Type::file || (stat->mode & 0444) == 0) continue;
      ++files_;
      static_cast<void>(source_.read(path, kMaxFileBytes));
    }
  }

 private:
  RecordingSource& source_;
  std::size_t files_ = 0;
};

void take_small_trees(RecordingSource& source, const Machine& machine) {
  TreeTaker taker(source);
  taker.take("/sys/class/kfd/kfd/topology", true);
  taker.take("/sys/module/amdgpu/parameters", true);
  for (const Gpu& gpu : machine.gpus) {
    if (!gpu.card_bdf || gpu.partition.index.value_or(0) != 0) continue;
    const bool awake = gpu.runtime_status.value_or("active") != "suspended";
    if (const auto folder = source.resolve("/sys/bus/pci/devices/" + *gpu.card_bdf)) {
      taker.take(*folder, awake);
    }
  }
  for (const char* file :
       {"/proc/sys/kernel/hostname", "/etc/hostname", "/proc/cpuinfo", "/proc/meminfo",
        "/proc/version", "/proc/modules", "/proc/cmdline", "/proc/mounts", "/etc/os-release",
        "/etc/passwd", "/etc/group", "/var/lib/dpkg/status", "/var/log/kern.log"}) {
    static_cast<void>(source.read(file));
  }
}

}  // namespace

Result<Done> record_snapshot(Source& source, const std::string& out_path,
                             const SnapshotOptions& options,
                             const std::function<Deep(const Machine&)>& deep,
                             const std::string& app_log_file) {
  RecordingSource recording(source);
  const Machine machine = read_machine(recording, {.app_log_file = app_log_file});
  if (!app_log_file.empty()) {
    if (!machine.app_log) return machine.app_log.error();
    recording.add_output("app.log", *machine.app_log);
  }
  if (deep) recording.add_output("deep", write_deep(deep(machine)));
  if (options.small_trees) {
    take_small_trees(recording, machine);
    // For people who read the snapshot. No other command: one that no probe runs on a live machine
    // but looks for in a snapshot would make the replay differ.
    for (const char* name : {"lspci-vvnn", "uname"}) static_cast<void>(recording.run(name));
  } else {
    // The names that redaction needs, whatever the probes asked for.
    static_cast<void>(recording.read("/proc/sys/kernel/hostname"));
    static_cast<void>(recording.read("/etc/passwd"));
  }
  for (const std::string& name : options.commands) static_cast<void>(recording.run(name));
  return write_snapshot(snapshot_files(recording.recording(), options, kRecordFilter), out_path);
}

}  // namespace rocvet
