// JSON of rocm-smi, amd-smi and amdgpu_top, found by its keys wherever it is nested.
#include "base/json.h"
#include "base/text.h"
#include "machine/gpu_tools.h"
#include "machine/pci_device.h"

namespace rocvet {
namespace {

using Json = nlohmann::json;

constexpr int kMaxJsonDepth = 12;

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_unsigned() || value.is_number_integer() || value.is_boolean()) {
    return value.dump();
  }
  // amd-smi: {"value": 65536, "unit": "MB"}
  if (value.is_object() && value.contains("value")) {
    std::string out = text_of(value["value"]);
    if (value.contains("unit") && value["unit"].is_string()) {
      out += " " + value["unit"].get<std::string>();
    }
    return out;
  }
  return "";
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

void flatten(const Json& object, const std::string& prefix, int depth, ToolFields& out) {
  if (depth > kMaxJsonDepth || !object.is_object()) return;
  for (const auto& [key, value] : object.items()) {
    const std::string path = prefix + upper(key);
    if (value.is_object() && !value.contains("value")) {
      flatten(value, path + ".", depth + 1, out);
    } else if (const std::string text = text_of(value); !text.empty()) {
      out.emplace(path, text);
    }
  }
}

std::optional<unsigned long long> card_key_number(std::string_view key) {
  return key.starts_with("card") ? parse_number(key.substr(4)) : std::nullopt;
}

std::string hex_of(const Json& value, int digits) {
  if (!value.is_number_unsigned()) return "";
  char text[24];
  std::snprintf(text, sizeof text, "%0*llx", digits, value.get<unsigned long long>());
  return text;
}

/// One element of amdgpu_top --json or -d.
Gpu gpu_from_amdgpu_top(const Json& object) {
  Gpu gpu;
  const auto word = [&](const char* key, Result<std::string>& out) {
    const auto found = object.find(key);
    if (found != object.end() && found->is_string() && !found->get<std::string>().empty()) {
      out = found->get<std::string>();
    }
  };
  const auto bytes = [&](const char* key, Result<std::uint64_t>& out) {
    const auto found = object.find(key);
    if (found != object.end() && found->is_number_unsigned()) out = found->get<std::uint64_t>();
  };
  const auto child = [](const Json& parent, const char* key) {
    const auto found = parent.find(key);
    return found == parent.end() ? Json() : *found;
  };
  const Json path = child(object, "DevicePath");
  gpu.vendor_id = std::string("1002");
  gpu.driver = std::string("amdgpu");
  if (const std::string id = hex_of(child(path, "DeviceID"), 4); !id.empty()) gpu.device_id = id;
  if (const std::string id = hex_of(child(path, "RevisionID"), 2); !id.empty()) gpu.revision = id;
  const std::string bdf = lower(text_of(child(path, "pci")));
  if (is_bdf(bdf)) {
    gpu.bdf = bdf;
    gpu.card_bdf = bdf;
  }
  const auto minor = [&](const char* key, std::string_view prefix, Result<int>& out) {
    const std::string node = text_of(child(path, key));
    if (!node.starts_with(prefix)) return;
    const auto number = parse_number(std::string_view(node).substr(prefix.size()));
    if (number && *number < 4096) out = static_cast<int>(*number);
  };
  minor("card", "/dev/dri/card", gpu.card_minor);
  minor("render", "/dev/dri/renderD", gpu.render_minor);
  word("DeviceName", gpu.name);
  word("gfx_target_version", gpu.gfx);
  if (gpu.gfx) gpu.gfx_source = "amdgpu_top";
  bytes("VRAM Size", gpu.vram_bytes);
  bytes("GTT Size", gpu.gtt_bytes);
  Result<std::uint64_t> units;
  bytes("Total Compute Unit", units);
  if (units && *units < 4096) gpu.compute_units = static_cast<int>(*units);
  if (const std::string pn = text_of(child(child(object, "VBIOS"), "pn")); !pn.empty()) {
    gpu.vbios = pn;
  }
  const std::string type = text_of(child(object, "GPU Type"));
  if (type == "APU") gpu.kind = GpuKind::apu;
  if (type == "dGPU") gpu.kind = GpuKind::dgpu;
  return gpu;
}

void collect(const Json& value, int depth, std::vector<Gpu>& gpus) {
  if (depth > kMaxJsonDepth || gpus.size() > 4096) return;
  if (value.is_string()) {  // a report that quotes another tool's JSON
    const std::string& text = value.get_ref<const std::string&>();
    if (!text.starts_with("{")) return;
    if (const auto quoted = parse_json<Json>(text, "quoted")) collect(*quoted, depth + 1, gpus);
    return;
  }
  if (value.is_array()) {
    for (const Json& element : value) collect(element, depth + 1, gpus);
    return;
  }
  if (!value.is_object()) return;
  if (value.contains("DevicePath") && value["DevicePath"].is_object()) {
    gpus.push_back(gpu_from_amdgpu_top(value));
    return;
  }
  if (value.contains("gpu") && value["gpu"].is_number() &&
      (value.contains("bdf") || value.contains("asic") || value.contains("bus"))) {
    ToolFields fields;
    flatten(value, "", 0, fields);
    gpus.push_back(gpu_from_amd_smi_fields(fields));
    return;
  }
  std::map<unsigned long long, const Json*> cards;
  for (const auto& [key, element] : value.items()) {
    const auto number = card_key_number(key);
    if (number && element.is_object()) cards[*number] = &element;
  }
  for (const auto& [number, element] : cards) {
    ToolFields fields;
    for (const auto& [key, field] : element->items()) fields.emplace(lower(key), text_of(field));
    Gpu gpu = gpu_from_rocm_smi_fields(fields);
    if (gpu.device_id || gpu.bdf || gpu.gfx || gpu.name) gpus.push_back(std::move(gpu));
  }
  if (!cards.empty()) return;
  for (const auto& [key, element] : value.items()) {
    if (element.is_structured() || element.is_string()) collect(element, depth + 1, gpus);
  }
}

}  // namespace

std::vector<Gpu> gpus_from_json(std::string_view text) {
  std::vector<Gpu> gpus;
  // Warnings may come before the JSON.
  const std::size_t start = text.find_first_of("{[");
  if (start == std::string_view::npos) return gpus;
  auto root = parse_json<Json>(text.substr(start), "output");
  if (!root) {
    const std::size_t object = text.find('{'), end = text.rfind('}');
    if (object == std::string_view::npos || end == std::string_view::npos || end < object) {
      return gpus;
    }
    root = parse_json<Json>(text.substr(object, end - object + 1), "output");
  }
  if (root) collect(*root, 0, gpus);
  return gpus;
}

}  // namespace rocvet
