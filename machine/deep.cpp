#include "machine/deep.h"

#include <utility>

#include "base/json.h"

namespace rocvet {
namespace {

using OrderedJson = nlohmann::ordered_json;
using Outcome = DeepProbe::Outcome;

constexpr std::size_t kMostProbes = 256, kMostDevices = 1024, kMostProbeBytes = 4096;

struct OutcomeName {
  Outcome outcome;
  std::string_view name;
};
constexpr OutcomeName kOutcomes[] = {
    {Outcome::works, "works"},           {Outcome::no_device, "no-device"},
    {Outcome::absent, "absent"},         {Outcome::unloadable, "unloadable"},
    {Outcome::incomplete, "incomplete"}, {Outcome::refused, "refused"},
    {Outcome::crashed, "crashed"},       {Outcome::hung, "hung"},
    {Outcome::garbage, "garbage"},       {Outcome::wrong, "wrong"},
    {Outcome::withheld, "withheld"},
};

template <typename T>
OrderedJson json_of(const std::optional<T>& fact) {
  return fact ? OrderedJson(*fact) : OrderedJson(nullptr);
}

std::optional<std::string> text_in(const OrderedJson& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  std::string text = found->get<std::string>();
  if (text.size() > kMostProbeBytes) text.resize(kMostProbeBytes);
  return text;
}

template <typename T>
std::optional<T> number_in(const OrderedJson& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  const bool fits = found->is_number_unsigned() ? std::in_range<T>(found->get<std::uint64_t>())
                                                : std::in_range<T>(found->get<std::int64_t>());
  return fits ? std::optional<T>(found->get<T>()) : std::nullopt;
}

OrderedJson device_json(const DeepDevice& device) {
  return {{"index", device.index},
          {"bdf", json_of(device.bdf)},
          {"name", json_of(device.name)},
          {"gfx", json_of(device.gfx)},
          {"uuid", json_of(device.uuid)},
          {"kfd_node", json_of(device.kfd_node)},
          {"memory_bytes", json_of(device.memory_bytes)},
          {"product_right", json_of(device.product_right)}};
}

DeepDevice device_of(const OrderedJson& object) {
  DeepDevice device;
  device.index = number_in<int>(object, "index").value_or(0);
  device.bdf = text_in(object, "bdf");
  device.name = text_in(object, "name");
  device.gfx = text_in(object, "gfx");
  device.uuid = text_in(object, "uuid");
  device.kfd_node = number_in<int>(object, "kfd_node");
  device.memory_bytes = number_in<std::uint64_t>(object, "memory_bytes");
  const auto right = object.find("product_right");
  if (right != object.end() && right->is_boolean()) device.product_right = right->get<bool>();
  return device;
}

OrderedJson probe_json(const DeepProbe& probe) {
  OrderedJson devices = OrderedJson::array();
  for (const DeepDevice& device : probe.devices) devices.push_back(device_json(device));
  return {{"id", probe.id},
          {"subject", probe.subject},
          {"outcome", to_string(probe.outcome)},
          {"why", probe.why},
          {"library", probe.library},
          {"version", probe.version},
          {"call", probe.call},
          {"status", json_of(probe.status)},
          {"status_name", probe.status_name},
          {"devices", std::move(devices)},
          {"facts", probe.facts},
          {"exit", json_of(probe.exit)},
          {"signal", json_of(probe.signal)},
          {"words", probe.words}};
}

/// nullopt: it has no id, or an outcome that there is not.
std::optional<DeepProbe> probe_of(const OrderedJson& object) {
  if (!object.is_object()) return std::nullopt;
  const auto outcome = deep_outcome(text_in(object, "outcome").value_or(""));
  const auto text = [&](const char* key) { return text_in(object, key).value_or(""); };
  DeepProbe probe;
  probe.id = text("id");
  if (!outcome || probe.id.empty()) return std::nullopt;
  probe.outcome = *outcome;
  probe.subject = text("subject");
  probe.why = text("why");
  probe.library = text("library");
  probe.version = text("version");
  probe.call = text("call");
  probe.status = number_in<std::int64_t>(object, "status");
  probe.status_name = text("status_name");
  probe.exit = number_in<int>(object, "exit");
  probe.signal = number_in<int>(object, "signal");
  probe.words = text("words");
  if (const auto devices = object.find("devices"); devices != object.end()) {
    for (const OrderedJson& device : *devices) {
      if (device.is_object() && probe.devices.size() < kMostDevices)
        probe.devices.push_back(device_of(device));
    }
  }
  if (const auto facts = object.find("facts"); facts != object.end() && facts->is_object()) {
    for (const auto& [name, value] : facts->items()) {
      if (value.is_string())
        probe.facts[name] = value.get<std::string>().substr(0, kMostProbeBytes);
    }
  }
  return probe;
}

}  // namespace

std::string_view to_string(Outcome outcome) {
  for (const OutcomeName& one : kOutcomes) {
    if (one.outcome == outcome) return one.name;
  }
  return "";
}

std::optional<Outcome> deep_outcome(std::string_view name) {
  for (const OutcomeName& one : kOutcomes) {
    if (one.name == name) return one.outcome;
  }
  return std::nullopt;
}

std::string write_deep(const Deep& deep) {
  OrderedJson probes = OrderedJson::array();
  for (const DeepProbe& probe : deep.probes) probes.push_back(probe_json(probe));
  return OrderedJson{{"schema", "rocvet.deep/1"}, {"probes", std::move(probes)}}.dump(
             1, ' ', false, OrderedJson::error_handler_t::replace) +
         "\n";
}

Result<Deep> parse_deep(std::string_view text) {
  const auto parsed = parse_json<OrderedJson>(text, "deep");
  if (!parsed) return parsed.error();
  const OrderedJson& document = *parsed;
  const auto bad = [](const char* what) { return malformed("deep", what); };
  if (!document.is_object() || text_in(document, "schema") != "rocvet.deep/1")
    return bad("is no rocvet.deep/1");
  const auto probes = document.find("probes");
  if (probes == document.end() || !probes->is_array()) return bad("has no list of probes");
  Deep deep;
  for (const OrderedJson& one : *probes) {
    auto probe = probe_of(one);
    if (!probe) return bad("has a probe without id or outcome");
    if (deep.probes.size() < kMostProbes) deep.probes.push_back(std::move(*probe));
  }
  return deep;
}

Result<DeepDevice> parse_deep_device(std::string_view text) {
  const auto object = parse_json<OrderedJson>(text, "device", kSmallJson);
  if (!object) return object.error();
  if (!object->is_object()) return malformed("device", "is no object");
  return device_of(*object);
}

Result<Deep> read_deep(Source& source) {
  if (source.kind() == "live") return not_captured("--deep");
  const auto output = source.run("deep");
  if (!output) return output.error();
  return parse_deep(output->out);
}

}  // namespace rocvet
