#include "machine/kfd_topology.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr char kNodes[] = "/sys/class/kfd/kfd/topology/nodes";
constexpr std::size_t kMaxNodes = 1024;
constexpr std::size_t kMaxLinks = 4096;

std::vector<int> numbered(Source& source, const std::string& folder, std::size_t limit) {
  std::vector<int> numbers;
  const auto names = source.list(folder);
  if (!names) return numbers;
  for (const std::string& name : *names) {
    const auto number = parse_number(name);
    if (number && *number <= 1'000'000 && numbers.size() < limit) {
      numbers.push_back(static_cast<int>(*number));
    }
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::uint64_t value_or_zero(const KfdProperties& properties, const char* key) {
  const auto found = properties.find(key);
  return found == properties.end() ? 0 : found->second;
}

/// Of a property that is a small number on every machine; nullopt where it is not.
std::optional<int> small_or_zero(const KfdProperties& properties, const char* key) {
  const std::uint64_t value = value_or_zero(properties, key);
  return std::in_range<int>(value) ? std::optional(static_cast<int>(value)) : std::nullopt;
}

void read_banks(Source& source, const std::string& folder, KfdNode& node) {
  for (int bank : numbered(source, folder + "/mem_banks", 64)) {
    const auto text = source.read(folder + "/mem_banks/" + std::to_string(bank) + "/properties");
    if (!text) continue;
    const KfdProperties p = parse_kfd_properties(*text);
    node.banks.push_back({small_or_zero(p, "heap_type").value_or(0),
                          value_or_zero(p, "size_in_bytes"), value_or_zero(p, "width"),
                          value_or_zero(p, "mem_clk_max")});
  }
}

void read_links(Source& source, const std::string& folder, KfdNode& node) {
  for (const char* kind : {"/io_links", "/p2p_links"}) {
    for (int link : numbered(source, folder + kind, kMaxLinks)) {
      const auto text = source.read(folder + kind + "/" + std::to_string(link) + "/properties");
      if (!text) continue;
      const KfdProperties p = parse_kfd_properties(*text);
      const auto from = small_or_zero(p, "node_from"), to = small_or_zero(p, "node_to"),
                 type = small_or_zero(p, "type");
      if (!p.contains("node_to") || !from || !to || !type) continue;
      node.links.push_back({*from, *to, *type, value_or_zero(p, "weight"),
                            value_or_zero(p, "min_bandwidth"), value_or_zero(p, "max_bandwidth"),
                            value_or_zero(p, "flags")});
    }
  }
}

std::string hex(std::uint64_t value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*llx", digits, static_cast<unsigned long long>(value));
  return text;
}

template <typename T>
Result<T> narrowed(const Result<std::uint64_t>& value) {
  if (!value) return value.error();
  if (*value > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) {
    return malformed(kNodes, std::to_string(*value) + " is out of range");
  }
  return static_cast<T>(*value);
}

}  // namespace

KfdProperties parse_kfd_properties(std::string_view text) {
  KfdProperties properties;
  each_line(text, [&](std::string_view raw) {
    const std::string_view line = trim(raw);
    const std::size_t blank = line.find_first_of(" \t");
    if (blank == line.npos) return;
    if (const auto value = parse_number(trim(line.substr(blank))))
      properties.emplace(line.substr(0, blank), *value);
  });
  return properties;
}

std::optional<std::string> gfx_from_target_version(std::uint64_t version) {
  if (version == 0 || version > 99'99'99) return std::nullopt;
  const std::uint64_t major = version / 10000, minor = version / 100 % 100, step = version % 100;
  return "gfx" + std::to_string(major) + hex(minor, 1) + hex(step, 1);
}

KfdAddress kfd_address(std::uint64_t domain, std::uint64_t location_id) {
  const std::uint64_t function = location_id & 7, high = location_id >> 28 & 15;
  const std::string device = hex(domain & 0xffffffff, 4) + ":" + hex(location_id >> 8 & 0xff, 2) +
                             ":" + hex(location_id >> 3 & 0x1f, 2) + ".";
  return {device + hex(function, 1), device + "0", static_cast<int>(high != 0 ? high : function)};
}

bool KfdNode::is_gpu() const {
  if (const auto simds = property("simd_count")) return *simds > 0;
  const auto vendor = property("vendor_id");
  return vendor && *vendor == 0x1002;
}

Result<std::uint64_t> KfdNode::property(std::string_view name) const {
  const auto found = properties.find(std::string(name));
  if (found != properties.end()) return found->second;
  return missing(std::string(kNodes) + "/" + std::to_string(number) + "/properties",
                 "has no " + std::string(name));
}

Result<std::vector<KfdNode>> read_kfd_topology(Source& source) {
  const auto listed = source.list(kNodes);
  if (!listed) return listed.error();
  std::vector<KfdNode> nodes;
  std::set<std::pair<std::string, std::uint64_t>> seen_cards;
  std::optional<Error> denied;
  for (int number : numbered(source, kNodes, kMaxNodes)) {
    const std::string folder = std::string(kNodes) + "/" + std::to_string(number);
    const auto text = source.read(folder + "/properties");
    if (text.is(Error::Kind::denied)) denied = text.error();
    if (!text) continue;  // an unreadable node (a device cgroup hides it) cannot be used either
    KfdNode node;
    node.number = number;
    node.properties = parse_kfd_properties(*text);
    if (node.is_gpu()) {
      node.gpu_id = read_unsigned(source, folder + "/gpu_id").transform([](std::uint64_t id) {
        return static_cast<int>(id & 0x7fffffff);
      });
      if (node.property("mem_banks_count").value_or(1ULL) > 0) read_banks(source, folder, node);
      const KfdAddress address = kfd_address(value_or_zero(node.properties, "domain"),
                                             value_or_zero(node.properties, "location_id"));
      if (seen_cards.emplace(address.card_bdf, value_or_zero(node.properties, "unique_id"))
              .second) {
        read_links(source, folder, node);
      }
    }
    nodes.push_back(std::move(node));
  }
  // A cgroup never hides the node of the processor: what hides all lies before the files.
  if (nodes.empty() && denied) return *denied;
  return nodes;
}

Gpu gpu_from_kfd_node(const KfdNode& node) {
  Gpu gpu;
  gpu.kfd_node = node.number;
  gpu.kfd_gpu_id = node.gpu_id;
  gpu.kfd_properties = node.properties;
  gpu.banks = node.banks;
  gpu.links = node.links;
  if (const auto location = node.property("location_id")) {
    const KfdAddress address = kfd_address(node.property("domain").value_or(0ULL), *location);
    gpu.bdf = address.bdf;
    gpu.card_bdf = address.card_bdf;
  }
  gpu.vendor_id = node.property("vendor_id").transform([](std::uint64_t id) { return hex(id, 4); });
  gpu.device_id = node.property("device_id").transform([](std::uint64_t id) { return hex(id, 4); });
  if (const auto version = node.property("gfx_target_version")) {
    if (const auto gfx = gfx_from_target_version(*version)) {
      gpu.gfx = *gfx;
      gpu.gfx_source = "kfd";
    }
  }
  const auto simds = node.property("simd_count"), per_cu = node.property("simd_per_cu");
  if (simds && per_cu && *per_cu > 0) gpu.compute_units = narrowed<int>(*simds / *per_cu);
  gpu.xcc_count = narrowed<int>(node.property("num_xcc"));
  gpu.wavefront_size = narrowed<int>(node.property("wave_front_size"));
  gpu.max_engine_clock_mhz = narrowed<int>(node.property("max_engine_clk_fcompute"));
  const auto minor = node.property("drm_render_minor");
  if (minor && *minor == 0) {
    gpu.render_minor = missing(std::string(kNodes) + "/" + std::to_string(node.number),
                               "the node has no render node");
  } else {
    gpu.render_minor = narrowed<int>(minor);
  }
  if (const auto hive = node.property("hive_id")) {
    if (*hive != 0) {
      gpu.hive = std::to_string(*hive);
    } else {
      gpu.hive =
          missing(std::string(kNodes) + "/" + std::to_string(node.number), "is in no XGMI hive");
    }
  } else {
    gpu.hive = hive.error();  // a kernel that knows no hives, or a node that could not be read
  }
  if (const auto id = node.property("unique_id"); id && *id != 0) {
    gpu.unique_id = hex(*id, 16);
  } else if (id) {
    gpu.unique_id = missing(std::string(kNodes) + "/" + std::to_string(node.number), "has none");
  }
  std::uint64_t vram = 0;
  for (const MemoryBank& bank : node.banks) {
    if (bank.heap_type != 1 && bank.heap_type != 2) continue;
    vram += bank.size_bytes;
    gpu.memory_width_bits = narrowed<int>(bank.width_bits);
    gpu.max_memory_clock_mhz = narrowed<int>(bank.clock_max_mhz);
  }
  if (vram > 0) gpu.vram_bytes = vram;
  // Old APUs (Kaveri to Raven under ROCm 4) are one node with CPU cores and SIMDs.
  if (node.property("cpu_cores_count").value_or(0ULL) > 0) gpu.kind = GpuKind::apu;
  return gpu;
}

}  // namespace rocvet
