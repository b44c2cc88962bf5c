#include "machine/read_kernel.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "formats/gzip.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

// Settings that change what ROCm may do or that tuning guides ask for.
constexpr std::string_view kSysctls[] = {
    "kernel.numa_balancing",
    "kernel.dmesg_restrict",
    "kernel.tainted",
    "kernel.modules_disabled",
    "kernel.perf_event_paranoid",
    "kernel.nmi_watchdog",
    "kernel.yama.ptrace_scope",
    "kernel.unprivileged_userns_clone",
    "kernel.apparmor_restrict_unprivileged_userns",
    "user.max_user_namespaces",
    "vm.max_map_count",
    "vm.overcommit_memory",
    "vm.overcommit_ratio",
    "vm.swappiness",
    "vm.zone_reclaim_mode",
    "vm.compaction_proactiveness",
    "vm.nr_hugepages",
    "vm.oom_kill_allocating_task",
    "fs.file-max",
};

struct Setting {
  std::string_view name, path;
  bool choice;  ///< the file lists all values and brackets the one in force
};
constexpr Setting kSettings[] = {
    {"cpufreq governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", false},
    {"cpufreq driver", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", false},
    {"smt", "/sys/devices/system/cpu/smt/control", false},
    {"pcie_aspm policy", "/sys/module/pcie_aspm/parameters/policy", true},
    {"module signature enforced", "/sys/module/module/parameters/sig_enforce", false},
    {"firmware path", "/sys/module/firmware_class/parameters/path", false},
    {"clock source", "/sys/devices/system/clocksource/clocksource0/current_clocksource", false},
    {"numa nodes", "/sys/devices/system/node/online", false},
    {"numa nodes with memory", "/sys/devices/system/node/has_memory", false},
    {"platform profile", "/sys/firmware/acpi/platform_profile", false},
    {"dgpu_disable", "/sys/bus/platform/devices/asus-nb-wmi/dgpu_disable", false},
    {"supergfxd.conf", "/etc/supergfxd.conf", false},
};

// Settings that are made of more than one file.
constexpr std::string_view kMadeSettings[] = {"mains", "edac", "architecture", "device core dumps",
                                              "cgroup memory limit"};

// The rest of a kernel's 10,000 options says nothing about a GPU.
constexpr std::string_view kConfigPatterns[] = {
    "HSA_AMD*",
    "DRM",
    "DRM_AMD*",
    "DRM_RADEON",
    "DRM_SIMPLEDRM",
    "DRM_TTM",
    "AMD_IOMMU*",
    "INTEL_IOMMU*",
    "IOMMU_*",
    "PCI_P2PDMA",
    "PCI_REALLOC*",
    "PCIEAER",
    "PCIEASPM*",
    "HMM_MIRROR",
    "ZONE_DEVICE",
    "DEVICE_PRIVATE",
    "MMU_NOTIFIER",
    "DMABUF_*",
    "MODULES",
    "MODULE_SIG*",
    "SECURITY_LOCKDOWN*",
    "LOCK_DOWN_*",
    "FW_LOADER*",
    "NUMA*",
    "TRANSPARENT_HUGEPAGE*",
    "VFIO*",
    "X86_X2APIC",
    "AMD_MEM_ENCRYPT*",
    "MEMORY_HOTPLUG",
    "MEMORY_HOTREMOVE",
    "HOTPLUG_PCI*",
    "RANDOMIZE_BASE",
    "DEBUG_FS",
    "IKCONFIG*",
};

bool wanted_option(std::string_view name) {
  return std::any_of(std::begin(kConfigPatterns), std::end(kConfigPatterns),
                     [&](std::string_view pattern) { return glob_match(pattern, name); });
}

Result<std::string> read_release(Source& source, const Result<std::string>& version) {
  Result<std::string> release = read_value(source, "/proc/sys/kernel/osrelease");
  if (release && !release->empty()) return release;
  if (version) {
    if (Result<std::string> parsed = parse_proc_version(*version)) return parsed;
  }
  // "Linux host 6.8.0-45-generic #45-Ubuntu SMP … x86_64 GNU/Linux"
  const Result<CommandOutput> uname = source.run("uname");
  if (!uname) return release;
  const std::string_view text = trim(uname->out);
  const std::vector<std::string_view> parts = words(text);
  if (parts.size() >= 3 && parts[0] == "Linux") return std::string(parts[2]);
  if (parts.size() == 1) return std::string(parts[0]);
  return malformed("cmd/uname", "no kernel release in it");
}

void read_secure_boot(Source& source, Kernel& kernel) {
  const std::string folder = "/sys/firmware/efi/efivars";
  for (const std::string& path : matching_paths(source, folder, "SecureBoot-8be4df61-*")) {
    const Result<std::string> bytes = source.read(path);
    if (!bytes) continue;
    kernel.secure_boot = parse_secure_boot_variable(*bytes, path);
    kernel.secure_boot_source = path;
    if (kernel.secure_boot) return;
  }
  const Result<FileStat> efi = source.stat("/sys/firmware/efi");
  if (efi.is_missing()) {
    // Container engines lay an empty folder over /sys/firmware: then its lack of EFI says nothing.
    const Result<std::vector<std::string>> firmware = source.list("/sys/firmware");
    if (firmware && firmware->empty()) {
      kernel.secure_boot =
          Error{Error::Kind::unsupported, "/sys/firmware", "hidden by a container"};
    } else {
      kernel.secure_boot = false;
      kernel.secure_boot_source = "/sys/firmware/efi";
    }
    return;
  }
  const Result<CommandOutput> tool = source.run("mokutil-sb-state");
  if (tool && tool->out.find("SecureBoot enabled") != std::string::npos) {
    kernel.secure_boot = true;
  } else if (tool && (tool->out.find("SecureBoot disabled") != std::string::npos ||
                      tool->out.find("doesn't support Secure Boot") != std::string::npos ||
                      tool->out.find("not supported on this system") != std::string::npos)) {
    kernel.secure_boot = false;
  } else {
    if (!efi)
      kernel.secure_boot = efi.error();
    else
      kernel.secure_boot = not_captured(folder + "/SecureBoot-*");
    return;
  }
  kernel.secure_boot_source = "mokutil";
}

/// The list of enrolled keys holds whole certificates: the key is enrolled when its bytes are in
/// it.
Result<bool> read_mok_enrolled(Source& source) {
  if (const Result<CommandOutput> test = source.run("mokutil-test-key")) {
    if (test->out.find("not enrolled") != std::string::npos) return false;
    if (test->out.find("already enrolled") != std::string::npos) return true;
  }
  const auto keys = matching_paths(source, "/sys/firmware/efi/efivars", "MokListRT-*");
  if (keys.empty()) return missing("/sys/firmware/efi/efivars/MokListRT-*");
  const Result<std::string> enrolled = source.read(keys.front());
  if (!enrolled) return enrolled.error();
  Error error = missing("/var/lib/dkms/mok.pub");
  for (const char* path : {"/var/lib/shim-signed/mok/MOK.der", "/var/lib/dkms/mok.pub"}) {
    const Result<std::string> certificate = source.read(path);
    if (!certificate) {
      if (!certificate.is_missing()) error = certificate.error();
      continue;
    }
    if (certificate->size() < 64) return malformed(path, "no certificate");
    return enrolled->find(*certificate) != std::string::npos;
  }
  return error;
}

/// Supplies of type Mains: "online" or "offline"; missing on a machine without any (a desktop).
Result<std::string> read_mains(Source& source) {
  Result<std::string> state = missing("/sys/class/power_supply", "has no mains");
  for (const std::string& supply : matching_paths(source, "/sys/class/power_supply", "*")) {
    const Result<std::string> type = read_value(source, supply + "/type");
    if (type && *type != "Mains") continue;
    const Result<std::string> online = type ? read_value(source, supply + "/online") : type;
    if (online && *online == "1") return std::string("online");
    if (online) {
      state = std::string("offline");
    } else if (!online.is_missing()) {
      state = online.error();
    }
  }
  return state;
}

/// Sums over the memory controllers that EDAC drives: "ue 0 ce 12".
Result<std::string> read_edac(Source& source) {
  std::uint64_t uncorrected = 0, corrected = 0;
  bool any = false;
  std::optional<Error> unread;
  for (const std::string& controller :
       matching_paths(source, "/sys/devices/system/edac/mc", "mc*")) {
    const Result<std::uint64_t> ue = read_unsigned(source, controller + "/ue_count"),
                                ce = read_unsigned(source, controller + "/ce_count");
    for (const auto* count : {&ue, &ce}) {
      if (!*count && !count->is_missing()) unread = count->error();
    }
    any = any || (ue && ce);
    uncorrected += ue.value_or(0u);
    corrected += ce.value_or(0u);
  }
  // What is counted already is told; that nothing is, is not said of what was not read.
  if (unread && uncorrected + corrected == 0) return *unread;
  if (!any) return missing("/sys/devices/system/edac/mc", "no memory controller is watched");
  return "ue " + std::to_string(uncorrected) + " ce " + std::to_string(corrected);
}

/// "x86-64", "arm", "power", "riscv", "loongarch" by the words that only their kernels use.
Result<std::string> read_architecture(Source& source) {
  constexpr std::size_t kOneBlock = 8192;
  const Result<std::string> text = source.read_head("/proc/cpuinfo", kOneBlock);
  if (!text) return text.error();
  for (const auto& [key, name] :
       {std::pair{"vendor_id", "x86-64"}, std::pair{"CPU implementer", "arm"},
        std::pair{"cpu\t\t: POWER", "power"}, std::pair{"isa\t\t: rv", "riscv"},
        std::pair{"ISA\t\t\t: loongarch", "loongarch"}}) {
    if (text->find(key) != std::string::npos) return std::string(name);
  }
  return malformed("/proc/cpuinfo", "is of no processor that is known");
}

/// Addresses of devices with a core dump that nobody took, space separated.
Result<std::string> read_core_dumps(Source& source) {
  const std::string folder = "/sys/class/devcoredump";
  std::vector<std::string> devices;
  for (const std::string& dump : matching_paths(source, folder, "devcd*")) {
    const Result<std::string> device = source.link(dump + "/failing_device");
    if (device) devices.emplace_back(base_name(*device));
    if (!device && !device.is_missing()) return device.error();
  }
  if (devices.empty()) return missing(folder, "holds no core dump");
  return join(devices, " ");
}

/// The tightest limit on memory of the process's cgroup and those above it, bytes; missing: none.
Result<std::string> read_cgroup_limit(Source& source) {
  std::string own;
  const Result<std::string>& cgroup = source.process().cgroup;
  for (const std::string_view line : cgroup ? lines_of(*cgroup) : std::vector<std::string_view>()) {
    if (line.starts_with("0::/")) own = std::string(line.substr(3));
  }
  std::optional<std::uint64_t> limit;
  const auto take = [&](const std::string& path) {
    const Result<std::uint64_t> bytes = read_unsigned(source, path);
    // Version 1 says "none" with the largest page-aligned number.
    if (bytes && *bytes < (1ull << 62) && (!limit || *bytes < *limit)) limit = *bytes;
  };
  while (own.size() > 1) {
    take("/sys/fs/cgroup" + own + "/memory.max");
    own.erase(own.rfind('/'));
  }
  take("/sys/fs/cgroup/memory.max");
  take("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  if (!limit) return missing("/sys/fs/cgroup/memory.max", "sets no limit");
  return std::to_string(*limit);
}

void read_config(Source& source, Kernel& kernel) {
  std::vector<std::string> places;
  if (kernel.release) {
    places = {"/boot/config-" + *kernel.release, "/lib/modules/" + *kernel.release + "/config",
              "/lib/modules/" + *kernel.release + "/build/.config"};
  }
  places.insert(places.begin() + (places.empty() ? 0 : 1), "/proc/config.gz");
  Error error = missing("/proc/config.gz", "no kernel configuration was found");
  for (const std::string& path : places) {
    const Result<std::string> bytes = source.read(path);
    if (!bytes) {
      if (!bytes.is_missing()) error = bytes.error();
      continue;
    }
    const Result<std::string> text = gunzip(*bytes, path);
    if (!text) {
      error = text.error();
      continue;
    }
    kernel.config = parse_kernel_config(*text);
    kernel.config_source = path;
    return;
  }
  kernel.config = error;
}

void read_boot(Source& source, Kernel& kernel) {
  const Result<std::vector<std::string>> names = source.list("/boot");
  if (!names) {
    kernel.images = names.error();
    kernel.initramfs = names.error();
    return;
  }
  std::vector<std::string> images, initramfs;
  for (const std::string& name : *names) {
    for (std::string_view prefix : {"vmlinuz-", "vmlinux-"}) {
      if (name.starts_with(prefix)) images.push_back(name.substr(prefix.size()));
    }
    if (name.starts_with("initrd") || name.starts_with("initramfs")) initramfs.push_back(name);
  }
  kernel.images = std::move(images);
  kernel.initramfs = std::move(initramfs);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> parse_command_line(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> arguments;
  std::string word;
  bool quoted = false;
  const auto finish = [&] {
    if (word.empty()) return;
    const std::size_t equals = word.find('=');
    std::string key = word.substr(0, equals);
    std::replace(key.begin(), key.end(), '-', '_');
    arguments.emplace_back(key, equals == std::string::npos ? "" : word.substr(equals + 1));
    word.clear();
  };
  for (const char c : trim(text)) {
    if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == ' ' || c == '\t' || c == '\n')) {
      finish();
    } else {
      word += c;
    }
  }
  finish();
  return arguments;
}

Result<std::string> parse_proc_version(std::string_view text) {
  const std::vector<std::string_view> parts = words(trim(text));
  if (parts.size() >= 3 && parts[0] == "Linux" && parts[1] == "version") {
    return std::string(parts[2]);
  }
  return malformed("/proc/version", "does not begin with 'Linux version'");
}

Result<double> parse_boot_time(std::string_view text) {
  for (const std::string_view line : lines_of(text)) {
    if (!line.starts_with("btime ")) continue;
    if (const auto seconds = parse_number(trim(line.substr(6))))
      return static_cast<double>(*seconds);
  }
  return malformed("/proc/stat", "has no btime");
}

std::map<std::string, std::string> parse_kernel_config(std::string_view text) {
  std::map<std::string, std::string> options;
  constexpr std::string_view kPrefix = "CONFIG_";
  constexpr std::string_view kUnset = " is not set";
  for (std::string_view line : lines_of(text)) {
    line = trim(line);
    if (line.starts_with("# ") && line.ends_with(kUnset)) {
      line.remove_prefix(2);
      line.remove_suffix(kUnset.size());
      if (!line.starts_with(kPrefix)) continue;
      line.remove_prefix(kPrefix.size());
      if (wanted_option(line)) options[std::string(line)] = "n";
      continue;
    }
    const std::size_t equals = line.find('=');
    if (!line.starts_with(kPrefix) || equals == std::string_view::npos) continue;
    const std::string_view name = line.substr(kPrefix.size(), equals - kPrefix.size());
    if (wanted_option(name)) options[std::string(name)] = std::string(line.substr(equals + 1));
  }
  return options;
}

Result<bool> parse_secure_boot_variable(std::string_view bytes, std::string_view where) {
  if (bytes.size() != 5 && bytes.size() != 1) {
    return malformed(std::string(where),
                     "has " + std::to_string(bytes.size()) + " bytes instead of 5");
  }
  return bytes.back() == '\1';
}

std::vector<std::string_view> sysctl_names() {
  return {std::begin(kSysctls), std::end(kSysctls)};
}

std::vector<std::string_view> kernel_setting_names() {
  std::vector<std::string_view> names(std::begin(kMadeSettings), std::end(kMadeSettings));
  for (const Setting& setting : kSettings) names.push_back(setting.name);
  return names;
}

Kernel read_kernel(Source& source) {
  Kernel kernel;
  kernel.version = read_value(source, "/proc/version");
  kernel.release = read_release(source, kernel.version);
  kernel.boot_time = source.read("/proc/stat", 1u << 20).and_then(parse_boot_time);
  kernel.command_line = read_value(source, "/proc/cmdline");
  if (kernel.command_line) kernel.arguments = parse_command_line(*kernel.command_line);
  const std::string lockdown = "/sys/kernel/security/lockdown";
  kernel.lockdown = read_value(source, lockdown).and_then([&](const std::string& text) {
    return chosen_word(text, lockdown);
  });
  read_secure_boot(source, kernel);
  kernel.mok_enrolled = read_mok_enrolled(source);
  for (std::string_view name : kSysctls) {
    std::string path = "/proc/sys/" + std::string(name);
    std::replace(path.begin() + 10, path.end(), '.', '/');
    kernel.sysctl[std::string(name)] = read_value(source, path);
  }
  const std::string pages = "/sys/kernel/mm/transparent_hugepage/enabled";
  kernel.transparent_hugepages = read_value(source, pages).and_then([&](const std::string& text) {
    return chosen_word(text, pages);
  });
  for (const Setting& setting : kSettings) {
    const Result<std::string> text = read_value(source, setting.path);
    kernel.settings[std::string(setting.name)] =
        setting.choice && text ? chosen_word(*text, setting.path) : text;
  }
  kernel.settings["mains"] = read_mains(source);
  kernel.settings["edac"] = read_edac(source);
  kernel.settings["architecture"] = read_architecture(source);
  kernel.settings["device core dumps"] = read_core_dumps(source);
  kernel.settings["cgroup memory limit"] = read_cgroup_limit(source);
  read_config(source, kernel);
  read_boot(source, kernel);
  kernel.initramfs_tool = missing("/usr/sbin/update-initramfs");
  for (const char* path : {"/usr/sbin/update-initramfs", "/usr/bin/dracut", "/usr/sbin/dracut",
                           "/usr/bin/mkinitcpio"}) {
    const Result<FileStat> tool = source.stat(path);
    if (tool) {
      kernel.initramfs_tool = std::string(path);
      break;
    }
    if (!tool.is_missing()) kernel.initramfs_tool = tool.error();
  }
  return kernel;
}

}  // namespace rocvet
