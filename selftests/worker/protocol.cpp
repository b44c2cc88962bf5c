#include "selftests/worker/protocol.h"

#include <cmath>

#include "base/json.h"

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

Json write(const Error& error) {
  return {{"kind", static_cast<int>(error.kind)}, {"where", error.where}, {"what", error.what}};
}
Error read_error(const Json& json) {
  return {static_cast<Error::Kind>(json.at("kind").get<int>()), json.at("where").get<std::string>(),
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
          {"seconds", m.seconds}};
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
  json.at("work").get_to(m.work);
  json.at("bytes").get_to(m.bytes);
  json.at("data").get_to(m.data);
  json.at("seconds").get_to(m.seconds);
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
  json.at("index").get_to(d.index);
  json.at("name").get_to(d.name);
  json.at("arch").get_to(d.arch);
  json.at("bdf").get_to(d.bdf);
  json.at("compute_units").get_to(d.compute_units);
  json.at("wave_size").get_to(d.wave_size);
  json.at("clock_mhz").get_to(d.clock_mhz);
  json.at("memory_clock_mhz").get_to(d.memory_clock_mhz);
  json.at("memory_width_bits").get_to(d.memory_width_bits);
  json.at("memory_bytes").get_to(d.memory_bytes);
  json.at("free_bytes").get_to(d.free_bytes);
  json.at("l2_bytes").get_to(d.l2_bytes);
  json.at("lds_per_block").get_to(d.lds_per_block);
  json.at("integrated").get_to(d.integrated);
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
  json.at("bdf").get_to(sample.bdf);
  json.at("corrected").get_to(sample.corrected);
  json.at("uncorrected").get_to(sample.uncorrected);
  json.at("replays").get_to(sample.replays);
  json.at("exclusive").get_to(sample.exclusive);
  json.at("throttle").get_to(sample.throttle);
  for (const Named& one : kNumbers) {
    if (json.contains(one.name)) sample.*one.field = json.at(one.name).get<double>();
  }
  for (const Json& item : json.at("processes")) {
    GpuProcess& process = sample.processes.emplace_back();
    item.at("pid").get_to(process.pid);
    item.at("name").get_to(process.name);
    if (!item.at("memory").is_null()) process.memory_bytes = item.at("memory").get<double>();
    if (!item.at("busy").is_null()) process.busy_percent = item.at("busy").get<int>();
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
  if (kind == "counted") return Counted{json.at("devices").get<int>()};
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
    json.at("seed").get_to(job.params.seed);
    json.at("transfer_bytes").get_to(job.params.transfer_bytes);
    json.at("threads").get_to(job.params.threads);
    job.params.time_limit_s = json.at("time_limit_s").get<double>();
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
  try {
    if (const auto event = parse_json<Json>(line, "worker", kSmallJson)) return read_event(*event);
  } catch (const std::exception&) {
    // Told below, as what is no JSON at all.
  }
  return malformed("worker", "wrote '" + line.substr(0, 60) + "' where an event was due");
}

}  // namespace rocvet::worker
