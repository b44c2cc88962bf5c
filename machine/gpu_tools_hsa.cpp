// rocminfo, and the CSV files of the profilers.
#include <algorithm>

#include "base/text.h"
#include "machine/gpu_tools.h"
#include "machine/kfd_topology.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

std::string hex4(unsigned long long value) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[value >> shift & 15];
  return out;
}

bool is_gfx_name(std::string_view name) {
  return name.starts_with("gfx") && name.size() >= 6 && name.size() <= 8 &&
         parse_number(name.substr(3), 16).has_value();
}

/// One agent of rocminfo while its lines go by.
struct Agent {
  Gpu gpu;
  bool is_gpu = false;
  bool in_pools = false, in_isas = false, coarse = false;

  void take(std::string_view key, std::string_view value) {
    if (key == "Pool Info") in_pools = true;
    if (key == "ISA Info") in_isas = true;
    if (in_isas) return;
    if (in_pools) return take_pool(key, value);
    if (key == "Name" && is_gfx_name(value)) {
      gpu.gfx = std::string(value);
    } else if (key == "Marketing Name" && !value.empty()) {
      gpu.name = std::string(value);
    } else if (key == "Uuid" && value.starts_with("GPU-") && value != "GPU-XX") {
      gpu.unique_id = std::string(value.substr(4));
    } else if (key == "Device Type") {
      is_gpu = value == "GPU";
    }
    const auto number = leading_number(value);
    if (!number) return;
    const int small = static_cast<int>(std::min<unsigned long long>(*number, 1u << 30));
    if (key == "Node") gpu.kfd_node = small;
    if (key == "Compute Unit") gpu.compute_units = small;
    if (key == "Wavefront Size") gpu.wavefront_size = small;
    if (key == "Max Clock Freq. (MHz)") gpu.max_engine_clock_mhz = small;
    if (key == "NUM XCC") gpu.xcc_count = small;
    if (key == "Chip ID" && *number != 0) gpu.device_id = hex4(*number);
    if (key == "BDFID") {
      const KfdAddress address = kfd_address(0, *number);
      gpu.bdf = address.bdf;
      gpu.card_bdf = address.card_bdf;
    }
  }

  void take_pool(std::string_view key, std::string_view value) {
    if (key == "Segment") {
      coarse = value.find("GLOBAL") != std::string_view::npos &&
               value.find("COARSE") != std::string_view::npos;
    } else if (key == "Size" && coarse && !gpu.vram_bytes) {
      if (const auto kib = leading_number(value)) gpu.vram_bytes = *kib * 1024;
    }
  }
};

/// One line of a CSV file; "" inside quotes is a quote.
std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
        fields.back() += '"';
        ++i;
      } else {
        quoted = !quoted;
      }
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

/// Rows by column name, in lower case.
std::vector<ToolFields> csv_rows(std::string_view text) {
  std::vector<ToolFields> rows;
  std::vector<std::string> header;
  for (std::string_view line : lines_of(text)) {
    if (trim(line).empty()) continue;
    const std::vector<std::string> fields = csv_fields(line);
    if (header.empty()) {
      for (const std::string& field : fields) header.push_back(lower(trim(field)));
      continue;
    }
    ToolFields row;
    for (std::size_t i = 0; i < std::min(fields.size(), header.size()); ++i) {
      row.emplace(header[i], trim(fields[i]));
    }
    if (rows.size() < 4096) rows.push_back(std::move(row));
  }
  return rows;
}

std::string field(const ToolFields& row, const char* key) {
  const auto found = row.find(key);
  return found == row.end() ? "" : found->second;
}

}  // namespace

std::vector<Gpu> gpus_from_rocminfo(std::string_view text) {
  std::vector<Gpu> gpus;
  Agent agent;
  const auto finish = [&] {
    if (agent.is_gpu) {
      agent.gpu.gfx_source = "rocminfo";
      agent.gpu.vendor_id = std::string("1002");
      gpus.push_back(std::move(agent.gpu));
    }
    agent = Agent{};
  };
  for (std::string_view line : lines_of(text)) {
    line = trim(line);
    if (line.starts_with("Agent ") && leading_number(line.substr(6))) {
      finish();
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    agent.take(trim(line.substr(0, colon)), trim(line.substr(colon + 1)));
  }
  finish();
  return gpus;
}

std::vector<Gpu> gpus_from_agent_csv(std::string_view text) {
  std::vector<Gpu> gpus;
  for (const ToolFields& row : csv_rows(text)) {
    if (field(row, "agent_type") != "GPU") continue;
    KfdNode node;
    for (const auto& [key, value] : row) {
      if (const auto number = parse_number(value)) node.properties[key] = *number;
    }
    const auto number = parse_number(field(row, "node_id"));
    node.number = number && *number < 1'000'000 ? static_cast<int>(*number) : 0;
    Gpu gpu = gpu_from_kfd_node(node);
    if (!gpu.gfx) continue;
    gpu.gfx_source = "rocprof";
    const std::string name = field(row, "product_name");
    if (!name.empty() && name != "unknown") gpu.name = name;
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

std::vector<Gpu> gpus_from_sysinfo_csv(std::string_view text) {
  std::vector<Gpu> gpus;
  for (const ToolFields& row : csv_rows(text)) {
    const std::string gfx = field(row, "gpu_arch");
    if (!is_gfx_name(gfx)) continue;
    Gpu gpu;
    gpu.gfx = gfx;
    gpu.gfx_source = "rocprof-compute";
    gpu.vendor_id = std::string("1002");
    const auto number = [&](const char* key, Result<int>& out) {
      const auto value = parse_number(field(row, key));
      if (value && *value < 1u << 30) out = static_cast<int>(*value);
    };
    const auto word = [&](const char* key, Result<std::string>& out) {
      const std::string value = field(row, key);
      if (!value.empty() && value != "NA" && value != "N/A") out = value;
    };
    number("cu_per_gpu", gpu.compute_units);
    number("num_xcd", gpu.xcc_count);
    number("wave_size", gpu.wavefront_size);
    number("max_sclk", gpu.max_engine_clock_mhz);
    number("max_mclk", gpu.max_memory_clock_mhz);
    word("vbios", gpu.vbios);
    word("compute_partition", gpu.partition.compute);
    word("memory_partition", gpu.partition.memory);
    word("gpu_model", gpu.name);
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

}  // namespace rocvet
