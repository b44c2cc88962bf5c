#include "machine/read_platform.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

/// "MemTotal:       65123456 kB" -> bytes; lines without a unit are counts.
Result<std::uint64_t> meminfo_value(const Result<std::string>& text, std::string_view key) {
  if (!text) return text.error();
  for (const std::string_view line : lines_of(*text)) {
    if (!line.starts_with(key) || line.substr(key.size(), 1) != ":") continue;
    const std::vector<std::string_view> parts = words(line.substr(key.size() + 1));
    const auto number = parts.empty() ? std::nullopt : parse_number(parts[0]);
    if (!number) return malformed("/proc/meminfo", "no number after " + std::string(key));
    return *number * (parts.size() > 1 && parts[1] == "kB" ? 1024u : 1u);
  }
  return missing("/proc/meminfo", "has no " + std::string(key));
}

bool words_include(const Kernel& kernel, std::string_view key, std::string_view value) {
  for (const auto& [name, text] : kernel.arguments) {
    if (name != key) continue;
    for (const std::string_view word : split(text, ',')) {
      if (word == value) return true;
    }
  }
  return false;
}

}  // namespace

Dmi read_dmi(Source& source) {
  const std::string folder = "/sys/class/dmi/id/";
  Dmi dmi;
  dmi.sys_vendor = read_value(source, folder + "sys_vendor");
  dmi.product_name = read_value(source, folder + "product_name");
  dmi.board_vendor = read_value(source, folder + "board_vendor");
  dmi.board_name = read_value(source, folder + "board_name");
  dmi.bios_version = read_value(source, folder + "bios_version");
  dmi.chassis_type = read_value(source, folder + "chassis_type");
  return dmi;
}

Cpu parse_cpuinfo(std::string_view text) {
  const auto none = [](std::string_view key) {
    return missing("/proc/cpuinfo", "has no " + std::string(key));
  };
  Cpu cpu;
  cpu.vendor = none("vendor_id");
  cpu.model = none("model name");
  cpu.sockets = none("physical id");
  cpu.flags = none("flags");
  cpu.hypervisor_flag = none("flags");
  int logical = 0;
  std::set<std::string, std::less<>> sockets;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = trim(line.substr(0, colon));
    const std::string_view value = trim(line.substr(colon + 1));
    if (key == "processor") ++logical;
    if (key == "vendor_id" && !cpu.vendor) cpu.vendor = std::string(value);
    if (key == "model name" && !cpu.model) cpu.model = std::string(value);
    if (key == "physical id") sockets.emplace(value);
    if (key == "flags" && !cpu.flags) {
      std::vector<std::string> flags;
      for (const std::string_view word : words(value)) flags.emplace_back(word);
      cpu.hypervisor_flag = std::find(flags.begin(), flags.end(), "hypervisor") != flags.end();
      cpu.flags = std::move(flags);
    }
  }
  if (logical > 0)
    cpu.logical = logical;
  else
    cpu.logical = none("processor");
  if (!sockets.empty()) cpu.sockets = static_cast<int>(sockets.size());
  return cpu;
}

/// More processors, and sockets, than any kernel counts (its NR_CPUS is at most 8192).
constexpr unsigned long long kMostCpus = 1u << 20;

std::optional<int> last_cpu_of(std::string_view online) {
  online = trim(online);
  const std::size_t at = online.find_last_of(",-");
  const auto last = parse_number(at == std::string_view::npos ? online : online.substr(at + 1));
  return last && *last < kMostCpus ? std::optional<int>(static_cast<int>(*last)) : std::nullopt;
}

int count_cpus(std::string_view online) {
  unsigned long long count = 0;
  for (const std::string_view range : split(trim(online), ',')) {
    const std::size_t dash = range.find('-');
    const auto first = parse_number(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_number(range.substr(dash + 1));
    if (!first || !last || *last < *first) continue;
    if (*last >= kMostCpus) return 0;
    count += *last - *first + 1;
    if (count > kMostCpus) return 0;
  }
  return static_cast<int>(count);
}

Cpu read_cpu(Source& source) {
  // One block of a processor is enough: the kernel takes milliseconds to write those of 384.
  constexpr std::size_t kOneBlock = 8192;
  Cpu cpu;
  const Result<std::string> text = source.read_head("/proc/cpuinfo", kOneBlock);
  if (text) {
    cpu = parse_cpuinfo(*text);
  } else {
    cpu.vendor = text.error();
    cpu.model = text.error();
    cpu.logical = text.error();
    cpu.sockets = text.error();
    cpu.hypervisor_flag = text.error();
    cpu.flags = text.error();
  }
  const std::string folder = "/sys/devices/system/cpu";
  if (const Result<std::string> online = read_value(source, folder + "/online")) {
    if (const int count = count_cpus(*online); count > 0) cpu.logical = count;
    const std::string last = std::to_string(last_cpu_of(*online).value_or(0));
    const Result<std::uint64_t> package =
        read_unsigned(source, folder + "/cpu" + last + "/topology/physical_package_id");
    if (package && *package < kMostCpus) cpu.sockets = static_cast<int>(*package) + 1;
  } else if (text && text->size() == kOneBlock) {
    const Result<std::string> whole = source.read("/proc/cpuinfo");
    if (whole) cpu = parse_cpuinfo(*whole);
  }
  return cpu;
}

Iommu read_iommu(Source& source, const Kernel& kernel) {
  Iommu iommu;
  iommu.units = source.list("/sys/class/iommu");
  const std::string folder = "/sys/kernel/iommu_groups";
  const Result<std::vector<std::string>> groups = source.list(folder);
  if (groups) {
    std::map<std::string, std::string> types;
    Result<std::map<std::string, std::string>> result = types;
    for (const std::string& group : *groups) {
      const Result<std::string> type = read_value(source, folder + "/" + group + "/type");
      if (type)
        types[group] = *type;
      else
        result = type.error();  // kernels before 5.11 have no such file
    }
    iommu.group_types = types.empty() ? result : Result<std::map<std::string, std::string>>(types);
  } else {
    iommu.group_types = groups.error();
  }
  if (kernel.command_line) {
    iommu.passthrough_asked =
        words_include(kernel, "iommu", "pt") || words_include(kernel, "iommu", "off") ||
        words_include(kernel, "amd_iommu", "off") || words_include(kernel, "intel_iommu", "off") ||
        words_include(kernel, "iommu.passthrough", "1") ||
        words_include(kernel, "iommu.passthrough", "on");
  } else {
    iommu.passthrough_asked = kernel.command_line.error();
  }
  return iommu;
}

Result<std::vector<FileSystemUse>> parse_df(std::string_view text) {
  std::vector<FileSystemUse> rows;
  std::vector<std::string_view> parts;  // of one row, which may span two lines
  bool header = true;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string_view> fields = words(line);
    if (header) {
      header = !(fields.size() >= 2 && fields[0] == "Filesystem");
      continue;
    }
    parts.insert(parts.end(), fields.begin(), fields.end());
    if (parts.size() < 6) continue;
    const bool typed = !parse_number(parts[1]);
    const std::size_t at = typed ? 2 : 1;
    if (parts.size() < at + 5) continue;
    const auto size = parse_number(parts[at]);
    const auto used = parse_number(parts[at + 1]);
    const auto available = parse_number(parts[at + 2]);
    if (size && used && available) {
      FileSystemUse row;
      row.device = parts[0];
      row.type = typed ? std::string(parts[1]) : "";
      row.size_bytes = *size * 1024;
      row.used_bytes = *used * 1024;
      row.available_bytes = *available * 1024;
      std::vector<std::string> path;
      for (std::size_t i = at + 4; i < parts.size(); ++i) path.emplace_back(parts[i]);
      row.path = join(path, " ");
      row.free_inodes = not_captured("df -i");
      rows.push_back(std::move(row));
    }
    parts.clear();
  }
  if (header) return malformed("cmd/df", "has no line that begins with 'Filesystem'");
  return rows;
}

Result<std::vector<FileSystemUse>> read_file_systems(Source& source) {
  const Result<CommandOutput> output = source.run("df");
  if (!output) return output.error();
  return parse_df(output->out);
}

Result<std::uint64_t> parse_tmpfs_size(std::string_view text, std::uint64_t total_bytes) {
  if (text.ends_with('%')) {
    const auto share = parse_number(text.substr(0, text.size() - 1));
    if (!share || total_bytes == 0) return malformed("size=", "no share of a known total");
    return total_bytes / 100 * *share;
  }
  std::uint64_t unit = 1;
  if (!text.empty()) {
    const char last = text.back();
    if (last == 'k' || last == 'K') unit = 1024;
    if (last == 'm' || last == 'M') unit = 1u << 20;
    if (last == 'g' || last == 'G') unit = 1u << 30;
    if (unit > 1) text.remove_suffix(1);
  }
  const auto number = parse_number(text);
  if (!number) return malformed("size=", "no size: '" + std::string(text) + "'");
  return *number * unit;
}

SystemMemory read_memory(Source& source, const std::vector<Mount>& mounts,
                         const Result<std::vector<FileSystemUse>>& file_systems) {
  const Result<std::string> text = source.read("/proc/meminfo");
  SystemMemory memory;
  memory.total_bytes = meminfo_value(text, "MemTotal");
  memory.available_bytes = meminfo_value(text, "MemAvailable");
  memory.swap_total_bytes = meminfo_value(text, "SwapTotal");
  memory.swap_free_bytes = meminfo_value(text, "SwapFree");
  memory.hugepages = meminfo_value(text, "HugePages_Total");
  memory.hugepage_bytes = meminfo_value(text, "Hugepagesize");

  memory.shm_bytes = missing("/dev/shm", "is not mounted");
  const Mount* shm = mount_of(mounts, "/dev/shm");
  if (mounts.empty()) {
    memory.shm_bytes = not_captured("/proc/mounts");
  } else if (shm != nullptr && shm->path == "/dev/shm") {
    // tmpfs without a size= takes half of the memory.
    memory.shm_bytes = memory.total_bytes.transform([](std::uint64_t total) { return total / 2; });
    for (const std::string_view option : split(shm->options, ',')) {
      if (!option.starts_with("size=")) continue;
      memory.shm_bytes = parse_tmpfs_size(option.substr(5), memory.total_bytes.value_or(0));
    }
  }
  if (file_systems) {  // what df measured is what is there
    for (const FileSystemUse& use : *file_systems) {
      if (use.path == "/dev/shm") memory.shm_bytes = use.size_bytes;
    }
  }
  return memory;
}

}  // namespace rocvet
