// GPUs as PCI tools list them: lspci, hwloc's lstopo, udevadm; and libdrm's dump.
#include <algorithm>

#include "base/text.h"
#include "machine/gpu_tools.h"
#include "machine/pci_device.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

/// "[1002:744c]" or the last such of a text -> {"1002", "744c"}.
std::optional<std::pair<std::string, std::string>> last_ids(std::string_view text) {
  for (std::size_t at = text.rfind('['); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : text.rfind('[', at - 1)) {
    const std::string_view inside = text.substr(at + 1, 9);
    if (inside.size() == 9 && inside[4] == ':' && text.substr(at + 10, 1) == "]" &&
        parse_number(inside.substr(0, 4), 16) && parse_number(inside.substr(5), 16)) {
      return std::pair(lower(inside.substr(0, 4)), lower(inside.substr(5)));
    }
  }
  return std::nullopt;
}

/// "[0300]" -> "0300"; without -nn the words say it.
std::string lspci_class(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open != std::string_view::npos && open + 5 < text.size() && text[open + 5] == ']') {
    return lower(text.substr(open + 1, 4));
  }
  constexpr std::pair<std::string_view, const char*> kWords[] = {
      {"VGA compatible controller", "0300"},
      {"3D controller", "0302"},
      {"Display controller", "0380"},
      {"Processing accelerators", "1200"}};
  for (const auto& [words_of_class, number] : kWords) {
    if (trim(text) == words_of_class) return number;
  }
  return "";
}

/// "Speed 16GT/s (ok), Width x16 (downgraded)"
void take_lspci_link(std::string_view text, Result<double>& speed, Result<int>& width) {
  const auto after = [&](std::string_view word) {
    const std::size_t at = text.find(word);
    return at == std::string_view::npos ? std::string_view() : text.substr(at + word.size());
  };
  const std::string_view gts = after("Speed "), lanes = after("Width x");
  if (!gts.empty() && !gts.starts_with("unknown")) speed = parse_link_speed(gts, "lspci");
  const std::size_t digits = std::min(lanes.find_first_not_of("0123456789"), lanes.size());
  if (digits > 0) width = parse_link_width(lanes.substr(0, digits), "lspci");
}

/// The first line of a device: address, class, name, ids, revision. nullopt when it is no GPU.
std::optional<Gpu> lspci_head(std::string_view line) {
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  std::string bdf = lower(line.substr(0, blank));
  if (bdf.size() == 7) bdf = "0000:" + bdf;  // without -D, a machine with one domain
  if (!is_bdf(bdf)) return std::nullopt;
  std::string_view rest = line.substr(blank + 1);
  const std::size_t colon = rest.find(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string pci_class = lspci_class(rest.substr(0, colon));
  if (!is_gpu_class(pci_class)) return std::nullopt;
  std::string_view name = rest.substr(colon + 2);
  const auto ids = last_ids(name);
  constexpr std::string_view kMaker = "Advanced Micro Devices, Inc. [AMD/ATI] ";
  if (ids ? ids->first != "1002" : !name.starts_with(kMaker)) return std::nullopt;
  Gpu gpu;
  gpu.bdf = bdf;
  gpu.card_bdf = bdf;
  gpu.pci_class = pci_class + "00";
  gpu.vendor_id = std::string("1002");
  if (ids) gpu.device_id = ids->second;
  if (const std::size_t rev = name.find("(rev "); rev != std::string_view::npos) {
    gpu.revision = lower(name.substr(rev + 5, 2));
  }
  if (name.starts_with(kMaker)) name.remove_prefix(kMaker.size());
  // "Navi 31 [Radeon RX 7900 XT/7900 XTX] [1002:744c] (rev c8)": without ids and what follows.
  std::size_t end = std::min(name.find(" [1002:"), name.size());
  end = std::min(end, name.find(" (rev "));
  if (const std::string_view words_of_name = trim(name.substr(0, end)); !words_of_name.empty()) {
    gpu.name = std::string(words_of_name);
  }
  return gpu;
}

/// The value of an XML attribute in a tag, entities resolved as far as names need it.
std::string xml_attribute(std::string_view tag, std::string_view name) {
  const std::string key = " " + std::string(name) + "=\"";
  const std::size_t at = tag.find(key);
  if (at == std::string_view::npos) return "";
  const std::size_t start = at + key.size(), end = tag.find('"', start);
  return end == std::string_view::npos ? "" : std::string(tag.substr(start, end - start));
}

}  // namespace

std::vector<Gpu> gpus_from_lspci(std::string_view text) {
  std::vector<Gpu> gpus;
  bool inside = false;
  for (std::string_view line : lines_of(text)) {
    const bool detail = line.starts_with('\t') || line.starts_with("  ");
    if (!detail) {
      auto gpu = lspci_head(line);
      inside = gpu.has_value();
      if (gpu) gpus.push_back(std::move(*gpu));
      continue;
    }
    if (!inside) continue;
    line = trim(line);
    Gpu& gpu = gpus.back();
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, colon), value = trim(line.substr(colon + 1));
    if (key == "Subsystem") {
      if (const auto ids = last_ids(value)) {
        gpu.subsystem_vendor_id = ids->first;
        gpu.subsystem_id = ids->second;
      }
    } else if (key == "LnkCap") {
      take_lspci_link(value, gpu.pcie.max_gts, gpu.pcie.max_width);
    } else if (key == "LnkSta") {
      take_lspci_link(value, gpu.pcie.current_gts, gpu.pcie.current_width);
    } else if (key == "Kernel driver in use") {
      gpu.driver = std::string(value);
    } else if (key == "NUMA node") {
      const auto node = parse_number(value);
      if (node && *node < 65536) gpu.numa_node = static_cast<int>(*node);
    }
  }
  return gpus;
}

std::vector<Gpu> gpus_from_lstopo(std::string_view text) {
  std::vector<Gpu> gpus;
  std::size_t at = 0;
  bool inside = false;
  while ((at = text.find('<', at)) != std::string_view::npos) {
    const std::size_t end = text.find('>', at);
    if (end == std::string_view::npos) break;
    const std::string_view tag = text.substr(at, end - at);
    at = end;
    if (tag.starts_with("<object ")) inside = false;
    if (tag.starts_with("<object ") && xml_attribute(tag, "type") == "PCIDev") {
      // "0380 [1002:7408] [1002:0b0c] 00": class, ids, subsystem, revision.
      const std::string type = xml_attribute(tag, "pci_type");
      const auto parts = words(type);
      const std::string bdf = lower(xml_attribute(tag, "pci_busid"));
      if (parts.size() < 4 || !is_bdf(bdf) || !is_gpu_class(parts[0])) continue;
      const auto ids = last_ids(parts[1]), subsystem = last_ids(parts[2]);
      if (!ids || ids->first != "1002") continue;
      Gpu gpu;
      gpu.bdf = bdf;
      gpu.card_bdf = bdf;
      gpu.pci_class = lower(parts[0]) + "00";
      gpu.vendor_id = ids->first;
      gpu.device_id = ids->second;
      if (subsystem) {
        gpu.subsystem_vendor_id = subsystem->first;
        gpu.subsystem_id = subsystem->second;
      }
      gpu.revision = lower(parts[3]);
      gpus.push_back(std::move(gpu));
      inside = true;
    } else if (inside && tag.starts_with("<info ") && xml_attribute(tag, "name") == "PCIDevice") {
      const std::string name = xml_attribute(tag, "value");
      if (!name.empty()) gpus.back().name = name;
    }
  }
  return gpus;
}

std::vector<Gpu> gpus_from_udevadm(std::string_view text) {
  std::vector<Gpu> gpus;
  std::string block;
  const auto finish = [&] {
    const auto fields = parse_uevent(block);
    block.clear();
    const auto field = [&](const char* key) {
      const auto found = fields.find(key);
      return found == fields.end() ? std::string() : lower(found->second);
    };
    const std::string pci_class = field("PCI_CLASS"), id = field("PCI_ID");
    const std::string padded =
        std::string(6 - std::min<std::size_t>(6, pci_class.size()), '0') + pci_class;
    if (field("SUBSYSTEM") != "pci" || pci_class.empty() || !is_gpu_class(padded)) return;
    if (!id.starts_with("1002:") || !is_bdf(field("PCI_SLOT_NAME"))) return;
    Gpu gpu;
    gpu.bdf = field("PCI_SLOT_NAME");
    gpu.card_bdf = gpu.bdf;
    gpu.pci_class = padded;
    gpu.vendor_id = std::string("1002");
    gpu.device_id = id.substr(5);
    const std::string subsystem = field("PCI_SUBSYS_ID");
    if (const auto parts = split(subsystem, ':'); parts.size() == 2) {
      gpu.subsystem_vendor_id = std::string(parts[0]);
      gpu.subsystem_id = std::string(parts[1]);
    }
    if (const std::string driver = field("DRIVER"); !driver.empty()) {
      gpu.driver = driver;
    } else {
      gpu.driver = missing("udevadm", "no driver is bound");
    }
    gpus.push_back(std::move(gpu));
  };
  for (std::string_view line : lines_of(text)) {
    if (line.starts_with("P: ")) finish();
    if (line.starts_with("E: ")) block.append(line.substr(3)).push_back('\n');
  }
  finish();
  return gpus;
}

std::vector<Gpu> gpus_from_libdrm_info(std::string_view text) {
  std::vector<Gpu> gpus;
  for (std::string_view line : lines_of(text)) {
    if (line.starts_with("PCI (")) {  // "PCI (domain:bus:dev.func): 0000:05:00.0"
      const std::string bdf = lower(trim(line.substr(line.rfind(' ') + 1)));
      if (!gpus.empty() && is_bdf(bdf)) {
        gpus.back().bdf = bdf;
        gpus.back().card_bdf = bdf;
      }
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = trim(line.substr(0, colon));
    std::string_view value = trim(line.substr(colon + 1));
    if (key == "DeviceID.RevID") {
      const auto parts = split(value, '.');
      if (parts.size() != 2 || !parts[0].starts_with("0x") || !parts[1].starts_with("0x")) continue;
      // The name comes before the ids.
      if (gpus.empty() || gpus.back().device_id) gpus.emplace_back();
      Gpu& gpu = gpus.back();
      gpu.vendor_id = std::string("1002");
      gpu.device_id = lower(parts[0].substr(2));
      gpu.revision = lower(parts[1].substr(2));
      gpu.driver = std::string("amdgpu");  // libdrm_amdgpu speaks to no other
      continue;
    }
    if (value.starts_with('[') && value.ends_with(']')) value = value.substr(1, value.size() - 2);
    if (key == "Marketing Name") {
      gpus.emplace_back();
      if (!value.empty()) gpus.back().name = std::string(value);
      continue;
    }
    if (gpus.empty()) continue;
    Gpu& gpu = gpus.back();
    const auto mebibytes = [&](Result<std::uint64_t>& out) {  // "138/512 MiB"
      const std::string_view total = words(value.substr(value.find('/') + 1))[0];
      const auto number = parse_number(total);
      if (number && *number <= 1u << 30) out = static_cast<std::uint64_t>(*number) << 20;
    };
    const auto link = [&](Result<double>& speed, Result<int>& width) {  // "Gen3x16"
      if (value.size() < 6 || !value.starts_with("Gen") || value[4] != 'x') return;
      if (const auto gts = pcie_speed(value[3] - '0')) speed = *gts;
      width = parse_link_width(value.substr(5), "libdrm");
    };
    const auto number = parse_number(value);
    if (key == "CU" && number && *number < 4096) gpu.compute_units = static_cast<int>(*number);
    if (key == "pn" && !value.empty()) gpu.vbios = std::string(value);
    if (value.find('/') != std::string_view::npos && value.ends_with("MiB")) {
      if (key == "VRAM Usage") mebibytes(gpu.vram_bytes);
      if (key == "CPU Accessible VRAM Usage") mebibytes(gpu.visible_vram_bytes);
      if (key == "GTT Usage") mebibytes(gpu.gtt_bytes);
    }
    if (key == "Current Link") link(gpu.pcie.current_gts, gpu.pcie.current_width);
    if (key == "Max     Link" || key == "Max Link") link(gpu.pcie.max_gts, gpu.pcie.max_width);
  }
  std::erase_if(gpus, [](const Gpu& gpu) { return !gpu.device_id; });
  return gpus;
}

}  // namespace rocvet
