#include "selftests/worker/protocol.h"

#include <cmath>
#include <nlohmann/json.hpp>

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
          {"work", m.work}};
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
  m.work = json.at("work").get<double>();
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

struct Writer {
  Json operator()(const Counted& e) const { return {{"event", "counted"}, {"devices", e.devices}}; }
  Json operator()(const Opened& e) const {
    return {{"event", "opened"},
            {"device", write(e.device)},
            {"library", e.library},
            {"version", e.version}};
  }
  Json operator()(const Refused& e) const {
    return {{"event", "refused"}, {"error", write(e.error)}};
  }
  Json operator()(const Began& e) const { return {{"event", "began"}, {"test", e.test}}; }
  Json operator()(const Noted& e) const { return {{"event", "noted"}, {"text", e.text}}; }
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
  if (kind == "refused") return Refused{read_error(json.at("error"))};
  if (kind == "began") return Began{text("test")};
  if (kind == "noted") return Noted{text("text")};
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
                   {"seed", job.params.seed},
                   {"time_limit_s", job.params.time_limit_s},
                   {"library_folders", job.library_folders}});
}

Result<Job> decode_job(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    Job job;
    job.runtime = json.at("runtime").get<std::string>();
    job.index = json.at("index").get<int>();
    job.tests = json.at("tests").get<std::vector<std::string>>();
    job.params.size = static_cast<Size>(json.at("size").get<int>());
    job.params.seed = json.at("seed").get<std::uint64_t>();
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
    return read_event(Json::parse(line));
  } catch (const std::exception&) {
    return malformed("worker", "wrote '" + line.substr(0, 60) + "' where an event was due");
  }
}

}  // namespace rocvet::worker
