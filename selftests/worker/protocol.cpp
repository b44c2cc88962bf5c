#include "selftests/worker/protocol.h"

#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "base/json.h"
#include "base/whole_number.h"

namespace rocvet::worker {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinities; an error that is not a number is as wrong as an infinite one.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}
double number(const Json& json) {
  return json.is_null() ? INFINITY : json.get<double>();
}

/// Throws, as the accessors of nlohmann do, for what the type does not hold: a vendor's library may
/// write to the worker's pipe.
template <typename T>
T whole(const Json& json) {
  if (json.is_number_float()) {
    if (const auto value = whole_number<T>(json.get<double>())) return *value;
  } else if (json.is_number_unsigned()) {
    if (const auto value = json.get<std::uint64_t>(); std::in_range<T>(value))
      return static_cast<T>(value);
  } else if (json.is_number_integer()) {
    if (const auto value = json.get<std::int64_t>(); std::in_range<T>(value))
      return static_cast<T>(value);
  }
  throw std::out_of_range("not a number that fits");
}

template <typename T>
void take(const Json& json, const char* key, T& to) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    to = whole<T>(json.at(key));
  else
    json.at(key).get_to(to);
}

Json write(const Error& error) {
  return {{"kind", static_cast<int>(error.kind)}, {"where", error.where}, {"what", error.what}};
}
Error read_error(const Json& json) {
  const auto kind = whole<int>(json.at("kind"));
  if (kind < 0 || kind > static_cast<int>(Error::Kind::failed))
    throw std::out_of_range("no kind of error");
  return {static_cast<Error::Kind>(kind), json.at("where").get<std::string>(),
          json.at("what").get<std::string>()};
}

Json write(const Measurement& m) {
  return {{"metric", m.metric},
          {"unit", m.unit},
          {"samples", m.samples},
          {"higher_is_better", m.higher_is_better},
          {"max_rel_error", number(m.verification.max_rel_error)},
          {"tolerance", number(m.verification.tolerance)},
          {"detail", m.verification.detail},
          {"notes", m.notes},
          {"work", m.work},
          {"bytes", m.bytes},
          {"data", m.data},
          {"seconds", m.seconds},
          {"digest", m.digest},
          {"clock", m.clock_mhz.value_or(0)},
          {"balance", m.balance}};
}
Measurement read_measurement(const Json& json) {
  Measurement m;
  m.metric = json.at("metric").get<std::string>();
  m.unit = json.at("unit").get<std::string>();
  m.samples = json.at("samples").get<std::vector<double>>();
  m.higher_is_better = json.at("higher_is_better").get<bool>();
  m.verification = {number(json.at("max_rel_error")), number(json.at("tolerance")),
                    json.at("detail").get<std::string>()};
  m.notes = json.at("notes").get<std::vector<std::string>>();
  take(json, "work", m.work);
  take(json, "bytes", m.bytes);
  take(json, "data", m.data);
  take(json, "seconds", m.seconds);
  take(json, "digest", m.digest);
  if (const double clock = json.value("clock", 0.0); clock > 0) m.clock_mhz = clock;
  take(json, "balance", m.balance);
  return m;
}

Json write(const gpu::DeviceInfo& d) {
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
gpu::DeviceInfo read_device(const Json& json) {
  gpu::DeviceInfo d;
  take(json, "index", d.index);
  take(json, "name", d.name);
  take(json, "arch", d.arch);
  take(json, "bdf", d.bdf);
  take(json, "compute_units", d.compute_units);
  take(json, "wave_size", d.wave_size);
  take(json, "clock_mhz", d.clock_mhz);
  take(json, "memory_clock_mhz", d.memory_clock_mhz);
  take(json, "memory_width_bits", d.memory_width_bits);
  take(json, "memory_bytes", d.memory_bytes);
  take(json, "free_bytes", d.free_bytes);
  take(json, "l2_bytes", d.l2_bytes);
  take(json, "lds_per_block", d.lds_per_block);
  take(json, "integrated", d.integrated);
  return d;
}

/// The numbers of a sample, by their names in a line.
struct Named {
  const char* name;
  std::optional<double> GpuSample::*field;
};
constexpr Named kNumbers[] = {
    {"clock", &GpuSample::clock_mhz},
    {"clock_max", &GpuSample::clock_max_mhz},
    {"memory_clock", &GpuSample::memory_clock_mhz},
    {"memory_clock_max", &GpuSample::memory_clock_max_mhz},
    {"power", &GpuSample::power_w},
    {"power_cap", &GpuSample::power_cap_w},
    {"power_cap_default", &GpuSample::power_cap_default_w},
    {"temperature", &GpuSample::temperature_c},
    {"temperature_limit", &GpuSample::temperature_limit_c},
    {"link", &GpuSample::link_gts},
    {"link_max", &GpuSample::link_gts_max},
    {"width", &GpuSample::link_width},
    {"width_max", &GpuSample::link_width_max},
    {"busy", &GpuSample::busy_percent},
    {"memory_used", &GpuSample::memory_used_bytes},
    {"memory_total", &GpuSample::memory_total_bytes},
};

Json write(const GpuSample& sample) {
  Json out = {{"bdf", sample.bdf},
              {"corrected", sample.corrected},
              {"uncorrected", sample.uncorrected},
              {"replays", sample.replays},
              {"exclusive", sample.exclusive},
              {"throttle", sample.throttle}};
  for (const Named& one : kNumbers) {
    if (sample.*one.field) out[one.name] = *(sample.*one.field);
  }
  out["processes"] = Json::array();
  for (const GpuProcess& process : sample.processes) {
    out["processes"].push_back(
        {{"pid", process.pid},
         {"name", process.name},
         {"memory", process.memory_bytes ? Json(*process.memory_bytes) : Json(nullptr)},
         {"busy", process.busy_percent ? Json(*process.busy_percent) : Json(nullptr)}});
  }
  return out;
}
GpuSample read_sample(const Json& json) {
  GpuSample sample;
  take(json, "bdf", sample.bdf);
  take(json, "corrected", sample.corrected);
  take(json, "uncorrected", sample.uncorrected);
  take(json, "replays", sample.replays);
  take(json, "exclusive", sample.exclusive);
  take(json, "throttle", sample.throttle);
  for (const Named& one : kNumbers) {
    if (json.contains(one.name)) sample.*one.field = json.at(one.name).get<double>();
  }
  for (const Json& item : json.at("processes")) {
    GpuProcess& process = sample.processes.emplace_back();
    take(item, "pid", process.pid);
    take(item, "name", process.name);
    if (!item.at("memory").is_null()) process.memory_bytes = item.at("memory").get<double>();
    if (!item.at("busy").is_null()) process.busy_percent = whole<int>(item.at("busy"));
  }
  return sample;
}

struct Writer {
  Json operator()(const Counted& e) const { return {{"event", "counted"}, {"devices", e.devices}}; }
  Json operator()(const Opened& e) const {
    return {{"event", "opened"},
            {"device", write(e.device)},
            {"library", e.library},
            {"version", e.version}};
  }
  Json operator()(const Refused& e) const {
    return {{"event", "refused"}, {"error", write(e.error)}, {"bdf", e.bdf}};
  }
  Json operator()(const Began& e) const { return {{"event", "began"}, {"test", e.test}}; }
  Json operator()(const Noted& e) const { return {{"event", "noted"}, {"text", e.text}}; }
  Json operator()(const Timing& e) const { return {{"event", "timing"}, {"begins", e.begins}}; }
  Json operator()(const Watched& e) const {
    Json out = {{"event", "watched"}, {"gpus", Json::array()}};
    for (const GpuSample& sample : e.gpus) out["gpus"].push_back(write(sample));
    return out;
  }
  Json operator()(const Measured& e) const {
    return {{"event", "measured"}, {"test", e.test}, {"measurement", write(e.measurement)}};
  }
  Json operator()(const Skipped& e) const {
    return {{"event", "skipped"}, {"test", e.test}, {"reason", e.reason}};
  }
  Json operator()(const Failed& e) const {
    return {{"event", "failed"}, {"test", e.test}, {"error", write(e.error)}};
  }
  Json operator()(const Finished&) const { return {{"event", "finished"}}; }
};

Event read_event(const Json& json) {
  const auto text = [&](const char* key) { return json.at(key).get<std::string>(); };
  const std::string kind = text("event");
  if (kind == "counted") return Counted{whole<int>(json.at("devices"))};
  if (kind == "opened") {
    return Opened{read_device(json.at("device")), text("library"), text("version")};
  }
  if (kind == "refused") return Refused{read_error(json.at("error")), text("bdf")};
  if (kind == "began") return Began{text("test")};
  if (kind == "noted") return Noted{text("text")};
  if (kind == "timing") return Timing{json.at("begins").get<bool>()};
  if (kind == "watched") {
    Watched watched;
    for (const Json& item : json.at("gpus")) watched.gpus.push_back(read_sample(item));
    return watched;
  }
  if (kind == "measured") {
    return Measured{text("test"), read_measurement(json.at("measurement"))};
  }
  if (kind == "skipped") return Skipped{text("test"), text("reason")};
  if (kind == "failed") return Failed{text("test"), read_error(json.at("error"))};
  if (kind == "finished") return Finished{};
  throw std::runtime_error("unknown event");
}

// What a library says may be in any encoding: replaced, not thrown over.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string encode(const Job& job) {
  return dump(Json{{"runtime", job.runtime},
                   {"index", job.index},
                   {"tests", job.tests},
                   {"size", static_cast<int>(job.params.size)},
                   {"regime", static_cast<int>(job.params.regime)},
                   {"seed", job.params.seed},
                   {"transfer_bytes", job.params.transfer_bytes},
                   {"threads", job.params.threads},
                   {"time_limit_s", job.params.time_limit_s},
                   {"warm", job.params.warm},
                   {"stop_after_s", job.stop_after_s},
                   {"library_folders", job.library_folders}});
}

Result<Job> decode_job(const std::string& text) {
  try {
    const auto parsed = parse_json<Json>(text, "__worker", kSmallJson);
    if (!parsed) return parsed.error();
    const Json& json = *parsed;
    Job job;
    job.runtime = json.at("runtime").get<std::string>();
    job.index = json.at("index").get<int>();
    job.tests = json.at("tests").get<std::vector<std::string>>();
    job.params.size = static_cast<Size>(json.at("size").get<int>());
    job.params.regime = static_cast<Regime>(json.at("regime").get<int>());
    take(json, "seed", job.params.seed);
    take(json, "transfer_bytes", job.params.transfer_bytes);
    take(json, "threads", job.params.threads);
    job.params.time_limit_s = json.at("time_limit_s").get<double>();
    take(json, "warm", job.params.warm);
    take(json, "stop_after_s", job.stop_after_s);
    job.library_folders = json.at("library_folders").get<std::vector<std::string>>();
    return job;
  } catch (const std::exception&) {
    return malformed("__worker", "the argument is no job");
  }
}

std::string encode(const Event& event) {
  return dump(std::visit(Writer{}, event));
}

Result<Event> decode_event(const std::string& line) {
  const auto wrong = [&] {
    return malformed("worker", "wrote '" + line.substr(0, 60) + "' where an event was due");
  };
  try {
    const auto event = parse_json<Json>(line, "worker", kSmallJson);
    if (!event) return wrong();
    return read_event(*event);
  } catch (const std::exception&) {
    return wrong();
  }
}

}  // namespace rocvet::worker
