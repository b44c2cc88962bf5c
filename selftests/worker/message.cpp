#include "selftests/worker/message.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

namespace rocvet::worker {
namespace {

using Json = nlohmann::json;

constexpr std::array<const char*, 8> kKinds = {"count",  "device", "begin", "skip",
                                               "result", "error",  "fatal", "end"};

/// JSON has no NaN and no infinity; the judge must see them all the same.
Json number(double value) {
  if (value != value) return "nan";
  if (value == value * 2 && value != 0) return value > 0 ? "inf" : "-inf";
  return value;
}

double number(const Json& value) {
  if (!value.is_string()) return value.get<double>();
  const std::string text = value.get<std::string>();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  return std::numeric_limits<double>::quiet_NaN();
}

Json device_json(const gpu::DeviceInfo& d) {
  return {{"index", d.index},
          {"name", d.name},
          {"arch", d.arch},
          {"bdf", d.bdf},
          {"compute_units", d.compute_units},
          {"wave_size", d.wave_size},
          {"clock_mhz", d.clock_mhz},
          {"memory_clock_mhz", d.memory_clock_mhz},
          {"memory_width_bits", d.memory_width_bits},
          {"memory_bytes", d.memory_bytes},
          {"free_bytes", d.free_bytes},
          {"l2_bytes", d.l2_bytes},
          {"lds_per_block", d.lds_per_block},
          {"integrated", d.integrated}};
}

gpu::DeviceInfo device_of(const Json& j) {
  gpu::DeviceInfo d;
  d.index = j.at("index");
  d.name = j.at("name");
  d.arch = j.at("arch");
  d.bdf = j.at("bdf");
  d.compute_units = j.at("compute_units");
  d.wave_size = j.at("wave_size");
  d.clock_mhz = j.at("clock_mhz");
  d.memory_clock_mhz = j.at("memory_clock_mhz");
  d.memory_width_bits = j.at("memory_width_bits");
  d.memory_bytes = j.at("memory_bytes");
  d.free_bytes = j.at("free_bytes");
  d.l2_bytes = j.at("l2_bytes");
  d.lds_per_block = j.at("lds_per_block");
  d.integrated = j.at("integrated");
  return d;
}

Json measurement_json(const Measurement& m) {
  return {{"metric", m.metric},
          {"unit", m.unit},
          {"samples", m.samples},
          {"higher_is_better", m.higher_is_better},
          {"notes", m.notes},
          {"work", number(m.work)},
          {"max_rel_error", number(m.verification.max_rel_error)},
          {"tolerance", number(m.verification.tolerance)},
          {"detail", m.verification.detail}};
}

Measurement measurement_of(const Json& j) {
  Measurement m;
  m.metric = j.at("metric");
  m.unit = j.at("unit");
  m.samples = j.at("samples").get<std::vector<double>>();
  m.higher_is_better = j.at("higher_is_better");
  m.notes = j.at("notes").get<std::vector<std::string>>();
  m.work = number(j.at("work"));
  m.verification.max_rel_error = number(j.at("max_rel_error"));
  m.verification.tolerance = number(j.at("tolerance"));
  m.verification.detail = j.at("detail");
  return m;
}

}  // namespace

std::string encode(const Message& message) {
  Json out = {{"event", kKinds[static_cast<std::size_t>(message.kind)]}};
  if (!message.test.empty()) out["test"] = message.test;
  switch (message.kind) {
    case Message::Kind::count:
      out["number"] = message.number;
      break;
    case Message::Kind::device:
      out["device"] = device_json(message.device);
      out["runtime"] = message.runtime;
      break;
    case Message::Kind::result:
      out["measurement"] = measurement_json(message.measurement);
      break;
    case Message::Kind::skip:
    case Message::Kind::error:
    case Message::Kind::fatal:
      out["kind"] = static_cast<int>(message.error.kind);
      out["where"] = message.error.where;
      out["what"] = message.error.what;
      break;
    case Message::Kind::begin:
    case Message::Kind::end:
      break;
  }
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Message> decode(std::string_view line) {
  try {
    const Json in = Json::parse(line);
    Message message;
    const std::string event = in.at("event");
    const auto kind = std::find(kKinds.begin(), kKinds.end(), event);
    if (kind == kKinds.end())
      return malformed("worker", "unknown event '" + event.substr(0, 40) + "'");
    message.kind = static_cast<Message::Kind>(kind - kKinds.begin());
    message.test = in.value("test", "");
    message.number = in.value("number", 0);
    if (in.contains("device")) message.device = device_of(in.at("device"));
    message.runtime = in.value("runtime", "");
    if (in.contains("measurement")) message.measurement = measurement_of(in.at("measurement"));
    if (in.contains("what")) {
      const int error_kind = in.at("kind");
      if (error_kind < 0 || error_kind > static_cast<int>(Error::Kind::failed))
        return malformed("worker", "unknown kind of error");
      message.error = {static_cast<Error::Kind>(error_kind), in.at("where"), in.at("what")};
    }
    return message;
  } catch (const Json::exception&) {
    return malformed("worker", "a line on the result pipe is no message");
  }
}

}  // namespace rocvet::worker
