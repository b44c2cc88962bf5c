// rocm-smi and amd-smi, as text. Keys changed over the releases; values come with units, in hex or
// as N/A.
#include <algorithm>

#include "base/text.h"
#include "machine/gpu_tools.h"
#include "machine/pci_device.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

bool says_nothing(std::string_view value) {
  const std::string word = lower(value);
  return word.empty() || word == "n/a" || word == "none" || word == "unknown" ||
         word == "unsupported";
}

/// The first key of `keys` that has a value, else "".
std::string first_of(const ToolFields& fields, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const auto found = fields.find(key);
    if (found != fields.end() && !says_nothing(found->second)) return found->second;
  }
  return "";
}

/// "0x744c" -> "744c"; "-0x72e3" (a 16-bit value shown as signed) -> "8d1d".
Result<std::string> hex_id(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  auto number = parse_number(text, 16);
  if (!number || !text.starts_with("0x") || *number > 0xffff) return not_captured("");
  if (negative) number = 0x10000 - *number;
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (int shift = *number > 0xff || text.size() > 4 ? 12 : 4; shift >= 0; shift -= 4) {
    out += kDigits[*number >> shift & 15];
  }
  return out;
}

Result<int> small_number(std::string_view text) {
  const auto number = parse_number(trim(text));
  if (!number || *number > 1u << 30) return not_captured("");
  return static_cast<int>(*number);
}

/// "65536 MB" -> bytes (amd-smi's MB are MiB).
Result<std::uint64_t> mebibytes(std::string_view text) {
  const auto parts = words(text);
  if (parts.empty()) return not_captured("");
  const auto number = parse_number(parts[0]);
  if (!number || *number > 1u << 30) return not_captured("");
  return static_cast<std::uint64_t>(*number) << 20;
}

void set_if(Result<std::string>& fact, std::string value) {
  if (!value.empty()) fact = std::move(value);
}

void set_gfx(Gpu& gpu, std::string value, const char* tool) {
  if (!value.starts_with("gfx")) return;
  gpu.gfx = std::move(value);
  gpu.gfx_source = tool;
}

void set_bdf(Gpu& gpu, std::string_view text) {
  const std::string bdf = lower(text);
  if (!is_bdf(bdf)) return;
  gpu.bdf = bdf;
  gpu.card_bdf = bdf;
}

/// "NPS1, SPX" of the concise table, in any order.
void set_partitions(Gpu& gpu, std::string_view text) {
  for (std::string_view part : split(text, ',')) {
    part = trim(part);
    if (part.starts_with("NPS")) gpu.partition.memory = std::string(part);
    if (part.size() == 3 && part.ends_with("PX")) gpu.partition.compute = std::string(part);
  }
}

/// The table that `rocm-smi` alone prints: "0  [0x74a1 : 0x00]  35.0°C … NPS1, SPX …", the name on
/// the next line.
void take_table_line(std::string_view line, std::vector<Gpu>& gpus) {
  const std::size_t open = line.find('['), close = line.find(']');
  const auto parts = words(line);
  if (open == std::string_view::npos || close == std::string_view::npos || close < open ||
      parts.empty() || !parse_number(parts[0])) {
    return;
  }
  const auto ids = split(line.substr(open + 1, close - open - 1), ':');
  if (ids.size() != 2) return;
  const Result<std::string> device = hex_id(trim(ids[0]));
  if (!device) return;
  Gpu gpu;
  gpu.device_id = device;
  gpu.revision = hex_id(trim(ids[1]));
  gpu.vendor_id = std::string("1002");
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].starts_with("NPS") && i + 1 < parts.size()) {
      set_partitions(gpu, std::string(parts[i]) + std::string(parts[i + 1]));
    }
  }
  gpus.push_back(std::move(gpu));
}

bool knows_anything(const Gpu& gpu) {
  return gpu.bdf || gpu.device_id || gpu.gfx || gpu.name || gpu.vram_bytes;
}

}  // namespace

Gpu gpu_from_rocm_smi_fields(const ToolFields& fields) {
  Gpu gpu;
  gpu.vendor_id = std::string("1002");
  // "GPU ID" became "Device ID" in 6.0, when "GUID" took the other meaning; "Card Model" may be
  // the id too.
  gpu.device_id = hex_id(first_of(fields, {"device id", "gpu id", "card model"}));
  gpu.subsystem_id = hex_id(first_of(fields, {"subsystem id"}));
  gpu.revision = hex_id(first_of(fields, {"device rev", "gpu rev"}));
  set_gfx(gpu, lower(first_of(fields, {"gfx version", "gfx ver"})), "rocm-smi");
  const std::string name = first_of(fields, {"card series", "device name", "card model"});
  if (!name.starts_with("0x")) set_if(gpu.name, name);
  set_bdf(gpu, first_of(fields, {"pci bus"}));
  set_if(gpu.vbios, first_of(fields, {"vbios version"}));
  const auto bytes = [&](const char* key, Result<std::uint64_t>& out) {
    if (const auto number = parse_number(first_of(fields, {key}))) out = *number;
  };
  bytes("vram total memory (b)", gpu.vram_bytes);
  bytes("vis_vram total memory (b)", gpu.visible_vram_bytes);
  bytes("gtt total memory (b)", gpu.gtt_bytes);
  gpu.kfd_node = small_number(first_of(fields, {"node id"}));
  gpu.kfd_gpu_id = small_number(first_of(fields, {"guid"}));
  gpu.numa_node = small_number(first_of(fields, {"(topology) numa node"}));
  set_if(gpu.partition.compute, first_of(fields, {"compute partition"}));
  set_if(gpu.partition.memory, first_of(fields, {"memory partition"}));
  const std::string id = first_of(fields, {"unique id"});
  if (id.starts_with("0x")) gpu.unique_id = id.substr(2);
  return gpu;
}

std::vector<Gpu> gpus_from_rocm_smi_text(std::string_view text) {
  std::map<unsigned long long, ToolFields> by_index;
  std::vector<Gpu> table;
  bool name_follows = false;
  for (std::string_view line : lines_of(text)) {
    if (line.starts_with("GPU[")) {
      const std::size_t close = line.find(']'), colon = line.find(':');
      if (close == std::string_view::npos || colon == std::string_view::npos || colon < close) {
        continue;
      }
      const auto index = parse_number(line.substr(4, close - 4));
      const std::string_view rest = line.substr(colon + 1);
      const std::size_t second = rest.find(':');
      if (!index || second == std::string_view::npos || *index > 4096) continue;
      by_index[*index].emplace(lower(trim(rest.substr(0, second))), trim(rest.substr(second + 1)));
      continue;
    }
    const std::size_t before = table.size();
    take_table_line(line, table);
    const std::string_view name = trim(line);
    if (name_follows && table.size() == before && !name.empty() && !name.starts_with('=')) {
      table.back().name = std::string(name);
    }
    name_follows = table.size() > before;
  }
  std::vector<Gpu> gpus;
  for (const auto& [index, fields] : by_index) {
    Gpu gpu = gpu_from_rocm_smi_fields(fields);
    if (knows_anything(gpu)) gpus.push_back(std::move(gpu));
  }
  if (gpus.empty()) return table;
  for (std::size_t i = 0; i < table.size() && table.size() == gpus.size(); ++i) {
    fill_from(gpus[i], table[i]);
  }
  return gpus;
}

Gpu gpu_from_amd_smi_fields(const ToolFields& fields) {
  Gpu gpu;
  gpu.vendor_id = std::string("1002");
  gpu.device_id = hex_id(first_of(fields, {"ASIC.DEVICE_ID", "DEVICE_ID"}));
  gpu.subsystem_vendor_id = hex_id(first_of(fields, {"ASIC.SUBVENDOR_ID"}));
  gpu.subsystem_id = hex_id(first_of(fields, {"ASIC.SUBSYSTEM_ID"}));
  gpu.revision = hex_id(first_of(fields, {"ASIC.REV_ID"}));
  set_if(gpu.name, first_of(fields, {"ASIC.MARKET_NAME", "MARKET_NAME"}));
  set_gfx(gpu, lower(first_of(fields, {"ASIC.TARGET_GRAPHICS_VERSION"})), "amd-smi");
  gpu.compute_units = small_number(first_of(fields, {"ASIC.NUM_COMPUTE_UNITS"}));
  set_bdf(gpu, first_of(fields, {"BDF", "BUS.BDF"}));
  set_if(gpu.vbios, first_of(fields, {"IFWI.PART_NUMBER", "VBIOS.PART_NUMBER"}));
  gpu.kfd_gpu_id = small_number(first_of(fields, {"KFD_ID", "KFD.KFD_ID"}));
  gpu.kfd_node = small_number(first_of(fields, {"NODE_ID", "KFD.NODE_ID"}));
  gpu.partition.index = small_number(first_of(fields, {"PARTITION_ID", "KFD.PARTITION_ID"}));
  set_if(gpu.partition.compute,
         first_of(fields, {"PARTITION.COMPUTE_PARTITION", "PARTITION.ACCELERATOR_PARTITION"}));
  set_if(gpu.partition.memory, first_of(fields, {"PARTITION.MEMORY_PARTITION"}));
  gpu.numa_node = small_number(first_of(fields, {"NUMA.NODE"}));
  gpu.vram_bytes = mebibytes(first_of(fields, {"VRAM.SIZE", "MEM_USAGE.TOTAL_VRAM"}));
  gpu.visible_vram_bytes = mebibytes(first_of(fields, {"MEM_USAGE.TOTAL_VISIBLE_VRAM"}));
  gpu.gtt_bytes = mebibytes(first_of(fields, {"MEM_USAGE.TOTAL_GTT"}));
  gpu.pcie.max_width = small_number(first_of(fields, {"BUS.MAX_PCIE_WIDTH"}));
  if (const std::string speed = first_of(fields, {"BUS.MAX_PCIE_SPEED"}); !speed.empty()) {
    gpu.pcie.max_gts = parse_link_speed(speed, "amd-smi");
  }
  return gpu;
}

std::vector<Gpu> gpus_from_amd_smi_text(std::string_view text) {
  std::vector<Gpu> gpus;
  ToolFields fields;
  bool inside = false;
  const auto finish = [&] {
    if (inside) {
      Gpu gpu = gpu_from_amd_smi_fields(fields);
      if (knows_anything(gpu)) gpus.push_back(std::move(gpu));
    }
    fields.clear();
  };
  std::vector<std::pair<std::size_t, std::string>> path;  // indentation and key of the sections
  for (std::string_view line : lines_of(text)) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    line = trim(line);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string key(trim(line.substr(0, colon)));
    const std::string_view value = trim(line.substr(colon + 1));
    if (key == "GPU" && indent == 0) {
      finish();
      inside = parse_number(value).has_value();
      path.clear();
      continue;
    }
    while (!path.empty() && path.back().first >= indent) path.pop_back();
    if (value.empty()) {
      if (path.size() < 16) path.emplace_back(indent, key);
      continue;
    }
    std::string name;
    for (const auto& [depth, section] : path) name += section + ".";
    if (inside) fields.emplace(name + key, value);
  }
  finish();
  return gpus;
}

}  // namespace rocvet
