#include "machine/pci_device.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "machine/gpu_health.h"
#include "machine/parse_readings.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr char kPciDevices[] = "/sys/bus/pci/devices";
constexpr char kDrm[] = "/sys/class/drm";

/// "0x1002\n" -> "1002"
Result<std::string> read_hex(Source& source, const std::string& path) {
  return read_value(source, path).and_then([&](const std::string& text) -> Result<std::string> {
    const auto number = parse_number(text, 16);
    if (!number) return malformed(path, "'" + text.substr(0, 40) + "' is not hexadecimal");
    return lower(text.starts_with("0x") ? std::string_view(text).substr(2) : text);
  });
}

/// The words of a uevent, each split at ':' ("1002:744C").
void take_pair(const std::map<std::string, std::string>& uevent, const char* key,
               Result<std::string>& first, Result<std::string>& second) {
  const auto found = uevent.find(key);
  if (found == uevent.end()) return;
  const auto parts = split(found->second, ':');
  if (parts.size() != 2) return;
  first = lower(parts[0]);
  second = lower(parts[1]);
}

Result<std::string> read_driver(Source& source, const std::string& folder,
                                const std::map<std::string, std::string>* uevent) {
  const auto target = source.link(folder + "/driver");
  if (target) return std::string(base_name(*target));
  if (uevent != nullptr) {
    const auto found = uevent->find("DRIVER");
    if (found != uevent->end()) return found->second;
    return missing(folder + "/driver", "no driver is bound");
  }
  if (const auto text = read_value(source, folder + "/driver")) {
    return std::string(base_name(*text));  // an archive made without links keeps them as text
  }
  if (target.is_missing()) return missing(folder + "/driver", "no driver is bound");
  return target.error();
}

PciDevice read_identity(Source& source, const std::string& folder) {
  PciDevice device;
  device.folder = folder;
  const auto text = source.read(folder + "/uevent", 1u << 16);
  std::map<std::string, std::string> uevent;
  if (text) uevent = parse_uevent(*text);
  take_pair(uevent, "PCI_ID", device.vendor_id, device.device_id);
  take_pair(uevent, "PCI_SUBSYS_ID", device.subsystem_vendor_id, device.subsystem_id);
  if (const auto found = uevent.find("PCI_CLASS"); found != uevent.end()) {
    device.pci_class =
        std::string(6 - std::min<std::size_t>(6, found->second.size()), '0') + lower(found->second);
  }
  if (const auto found = uevent.find("PCI_SLOT_NAME"); found != uevent.end()) {
    device.bdf = lower(found->second);
  }
  const auto fill = [&](Result<std::string>& fact, const char* file) {
    if (!fact) fact = read_hex(source, folder + file);
  };
  fill(device.pci_class, "/class");
  fill(device.vendor_id, "/vendor");
  // Most PCI functions of a machine end here: they are no GPU.
  if (device.pci_class && !is_gpu_class(*device.pci_class)) return device;
  fill(device.device_id, "/device");
  fill(device.subsystem_vendor_id, "/subsystem_vendor");
  fill(device.subsystem_id, "/subsystem_device");
  fill(device.revision, "/revision");
  device.driver = read_driver(source, folder, text && !uevent.empty() ? &uevent : nullptr);
  return device;
}

constexpr unsigned long long kMostMinors = 1'000'000;  // more than the kernel has numbers for

/// "card0" -> 0; "card0-DP-1" and "renderD128" are none.
Result<int> card_number(std::string_view name) {
  if (!name.starts_with("card")) return missing(std::string(name));
  const auto number = parse_number(name.substr(4));
  if (!number || *number > kMostMinors) return missing(std::string(name));
  return static_cast<int>(*number);
}

void read_minors(Source& source, PciDevice& device) {
  const auto nodes = source.list(device.folder + "/drm");
  if (!nodes) {
    if (nodes.is_missing() && !device.render_minor) {
      device.render_minor = missing(device.folder + "/drm", "the driver made no render node");
    }
    return;
  }
  for (const std::string& name : *nodes) {
    if (const auto number = card_number(name)) device.card_minor = *number;
    if (name.starts_with("renderD")) {
      const auto number = parse_number(std::string_view(name).substr(7));
      if (number && *number <= kMostMinors) {
        device.render_minor = static_cast<int>(*number);
      }
    }
  }
}

PcieLink read_link(Source& source, const std::string& folder, bool awake) {
  PcieLink link;
  const auto speed = [&](const char* file) {
    const std::string path = folder + file;
    return read_value(source, path).and_then([&](const std::string& text) {
      return parse_link_speed(text, path);
    });
  };
  const auto width = [&](const char* file) {
    const std::string path = folder + file;
    return read_value(source, path).and_then([&](const std::string& text) {
      return parse_link_width(text, path);
    });
  };
  if (awake) {
    link.current_gts = speed("/current_link_speed");
    link.current_width = width("/current_link_width");
  } else {
    const Error asleep = not_woken(folder);
    link.current_gts = asleep;
    link.current_width = asleep;
  }
  link.max_gts = speed("/max_link_speed");
  link.max_width = width("/max_link_width");
  return link;
}

/// The bridges between the root port and the device, from the resolved path of its folder.
Result<std::vector<PcieHop>> read_path(Source& source, const std::string& folder, bool awake) {
  std::vector<PcieHop> hops;
  const auto real = source.resolve(folder);
  if (!real) return real.error();
  // An archive made without links does not tell what the device hangs on.
  if (!real->starts_with("/sys/devices/")) return not_captured(folder);
  std::string at;
  const auto parts = split(*real, '/');
  for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
    at += '/';
    at += parts[i];
    if (!is_bdf(parts[i])) continue;
    PcieHop hop;
    hop.bdf = parts[i];
    hop.vendor_id = read_hex(source, at + "/vendor");
    hop.device_id = read_hex(source, at + "/device");
    hop.pci_class = read_hex(source, at + "/class");
    hop.link = read_link(source, at, awake);
    hops.push_back(std::move(hop));
  }
  return hops;
}

Result<std::map<std::string, std::string>> read_firmware(Source& source,
                                                         const std::string& folder) {
  const auto names = source.list(folder + "/fw_version");
  if (!names) return names.error();
  constexpr std::string_view kSuffix = "_fw_version";
  std::map<std::string, std::string> versions;
  for (const std::string& name : *names) {
    if (!name.ends_with(kSuffix) || versions.size() >= 64) continue;
    if (const auto version = read_value(source, folder + "/fw_version/" + name)) {
      versions[name.substr(0, name.size() - kSuffix.size())] = *version;
    }
  }
  return versions;
}

// Files that the driver or the PCI core answers from memory: no message to the SMU, no register
// behind a sleeping link, microseconds each.
void read_function(Source& source, const std::string& folder, PciFunction& pci) {
  const auto parsed = [&](const char* file, auto parse) {
    const std::string path = folder + file;
    return read_value(source, path).and_then([&](const std::string& text) {
      return parse(text, path);
    });
  };
  pci.enable_count = read_unsigned(source, folder + "/enable");
  pci.dma_mask_bits = read_unsigned(source, folder + "/dma_mask_bits");
  pci.removable = parsed("/removable", parse_removable);
  pci.regions = parsed("/resource", parse_pci_regions);
  pci.corrected = parsed("/aer_dev_correctable", parse_aer_counts);
  pci.nonfatal = parsed("/aer_dev_nonfatal", parse_aer_counts);
  pci.fatal = parsed("/aer_dev_fatal", parse_aer_counts);
}

}  // namespace

std::map<std::string, std::string> parse_uevent(std::string_view text) {
  std::map<std::string, std::string> out;
  for (std::string_view line : split(trim(text), '\n')) {
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos && equals > 0) {
      out.emplace(line.substr(0, equals), trim(line.substr(equals + 1)));
    }
  }
  return out;
}

Result<double> parse_link_speed(std::string_view text, std::string_view where) {
  text = trim(text);
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc{} && value > 0 && value < 1000 &&
      trim(std::string_view(end, text.data() + text.size())).starts_with("GT/s")) {
    return value;
  }
  if (text.empty() || lower(text).starts_with("unknown")) {
    return missing(std::string(where), "the link speed is unknown");
  }
  return malformed(std::string(where), "'" + std::string(text.substr(0, 40)) + "' is no speed");
}

std::optional<double> pcie_speed(int generation) {
  constexpr double kSpeeds[] = {2.5, 5, 8, 16, 32, 64};
  if (generation < 1 || generation > 6) return std::nullopt;
  return kSpeeds[generation - 1];
}

Result<int> parse_link_width(std::string_view text, std::string_view where) {
  const auto value = parse_number(trim(text));
  if (!value || *value > 255) {
    return malformed(std::string(where),
                     "'" + std::string(trim(text).substr(0, 40)) + "' is no link width");
  }
  if (*value == 0 || *value == 255) return missing(std::string(where), "the link width is unknown");
  return static_cast<int>(*value);
}

bool is_gpu_class(std::string_view pci_class) {
  return pci_class.starts_with("0300") || pci_class.starts_with("0302") ||
         pci_class.starts_with("0380") || pci_class.starts_with("1200");
}

bool is_bdf(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon < 4 || colon > 8 || text.size() != colon + 8) {
    return false;
  }
  const std::string_view rest = text.substr(colon + 1);
  const auto hex = [](std::string_view digits) { return parse_number(digits, 16).has_value(); };
  return hex(text.substr(0, colon)) && hex(rest.substr(0, 2)) && rest[2] == ':' &&
         hex(rest.substr(3, 2)) && rest[5] == '.' && rest[6] >= '0' && rest[6] <= '7';
}

Result<std::vector<PciDevice>> read_pci_gpus(Source& source) {
  std::vector<PciDevice> devices;
  const auto known = [&](const std::string& bdf) {
    return std::find_if(devices.begin(), devices.end(),
                        [&](const PciDevice& d) { return d.bdf && *d.bdf == bdf; });
  };
  const auto functions = source.list(kPciDevices);
  if (functions) {
    for (const std::string& name : *functions) {
      std::string folder = std::string(kPciDevices) + "/" + name;
      PciDevice device = read_identity(source, folder);
      if (!device.pci_class && !device.vendor_id) {
        // An archive made without links keeps the target as the content of a file.
        const auto target = read_value(source, folder);
        if (!target || target->empty() || target->size() > 1024) continue;
        folder = clean_path(join_path(kPciDevices, *target));
        device = read_identity(source, folder);
      }
      if (!device.pci_class || !is_gpu_class(*device.pci_class)) continue;
      device.bdf = lower(name);
      read_minors(source, device);
      devices.push_back(std::move(device));
    }
  }
  const auto cards = source.list(kDrm);
  if (cards) {
    for (const std::string& name : *cards) {
      const Result<int> number = card_number(name);
      if (!number) continue;
      const std::string folder = std::string(kDrm) + "/" + name + "/device";
      // A partition's card hangs on a platform device of the driver, not on PCI.
      const auto real = source.resolve(folder);
      const std::string real_name(real ? base_name(*real) : std::string_view());
      if (is_bdf(real_name)) {
        if (const auto found = known(lower(real_name)); found != devices.end()) {
          found->card_minor = *number;
          continue;
        }
      }
      if (real_name.find("_xcp") != std::string::npos) continue;
      PciDevice device = read_identity(source, folder);
      if (!device.bdf && is_bdf(real_name)) device.bdf = lower(real_name);
      if (!device.vendor_id && !device.bdf && !source.list(folder)) continue;
      if (device.pci_class && !is_gpu_class(*device.pci_class)) continue;
      device.card_minor = *number;
      if (device.bdf && known(*device.bdf) != devices.end()) continue;
      read_minors(source, device);
      devices.push_back(std::move(device));
    }
  }
  if (!functions && !cards) return functions.error();
  std::stable_sort(devices.begin(), devices.end(), [](const PciDevice& a, const PciDevice& b) {
    return a.bdf.value_or("~") < b.bdf.value_or("~");
  });
  return devices;
}

void add_device_facts(Source& source, const PciDevice& device, Gpu& gpu) {
  const std::string& folder = device.folder;
  const auto text = [&](const char* file) { return read_value(source, folder + file); };
  const auto number = [&](const char* file) { return read_unsigned(source, folder + file); };
  gpu.card_bdf = device.bdf;
  if (!gpu.bdf) gpu.bdf = device.bdf;
  gpu.vendor_id = device.vendor_id;
  gpu.device_id = device.device_id;
  gpu.subsystem_vendor_id = device.subsystem_vendor_id;
  gpu.subsystem_id = device.subsystem_id;
  gpu.revision = device.revision;
  gpu.pci_class = device.pci_class;
  gpu.driver = device.driver;
  gpu.card_minor = device.card_minor;
  if (!gpu.render_minor && device.render_minor) gpu.render_minor = device.render_minor;

  gpu.runtime_status = text("/power/runtime_status");
  gpu.runtime_control = text("/power/control");
  const bool awake = gpu.runtime_status.value_or("active") != "suspended";
  gpu.power_state = text("/power_state");

  const auto vram = number("/mem_info_vram_total");
  if (vram) gpu.vram_bytes = vram;
  if (!gpu.vram_bytes) gpu.vram_bytes = vram;
  gpu.vram_used_bytes = number("/mem_info_vram_used");
  gpu.visible_vram_bytes = number("/mem_info_vis_vram_total");
  gpu.gtt_bytes = number("/mem_info_gtt_total");
  gpu.gtt_used_bytes = number("/mem_info_gtt_used");
  gpu.vbios = text("/vbios_version");
  if (const auto id = text("/unique_id"); id && !id->empty()) gpu.unique_id = *id;
  gpu.boot_vga = number("/boot_vga").transform([](std::uint64_t on) { return on != 0; });
  gpu.numa_node = text("/numa_node").and_then([&](const std::string& value) -> Result<int> {
    if (value == "-1") return missing(folder + "/numa_node", "belongs to no NUMA node");
    const auto node = parse_number(value);
    if (!node || *node > 65535) return malformed(folder + "/numa_node", "is no node number");
    return static_cast<int>(*node);
  });
  if (const auto group = source.link(folder + "/iommu_group")) {
    gpu.iommu_group_type =
        read_value(source, "/sys/kernel/iommu_groups/" + std::string(base_name(*group)) + "/type");
  } else {
    gpu.iommu_group_type = group.error();
  }
  gpu.pcie = read_link(source, folder, awake);
  gpu.path = read_path(source, folder, awake);
  gpu.firmware = read_firmware(source, folder);
  read_function(source, folder, gpu.pci);
  add_health(source, folder, awake, gpu);
  const auto partition = [&](const char* file, Result<std::string>& out) {
    out = text(file);
    if (out.is_missing() || (out && out->empty())) {
      out = missing(folder + file, "the GPU cannot be partitioned");
    }
  };
  partition("/current_compute_partition", gpu.partition.compute);
  partition("/current_memory_partition", gpu.partition.memory);
}

}  // namespace rocvet
