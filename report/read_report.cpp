#include "report/read_report.h"

#include <cmath>
#include <deque>
#include <utility>

#include "base/json.h"
#include "base/json_text.h"
#include "base/printable.h"
#include "base/read_whole_file.h"
#include "base/whole_number.h"
#include "machine/read_gpus.h"
#include "report/policy.h"
#include "report/sanitise.h"

namespace rocvet {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLargestReport = 64U << 20U;

// What a file of some MiB becomes in memory: a tree of values, and a test's result of 2.6 KB where
// it says "{}".
constexpr JsonLimits kLimits{.bytes = kLargestReport, .values = 250000};
constexpr std::size_t kMostItems = 200000, kMostObjects = 20000;  // of lists, in all

/// Thrown here, caught in read_report.
struct Misfit {
  std::string place, what;
};

/// A value and where it stands, "/checks/3/verdict".
class Node {
 public:
  /// What is left of kMostItems and kMostObjects.
  struct Left {
    std::size_t items = kMostItems, objects = kMostObjects;
  };
  /// `left` is counted down by this node and all below it.
  Node(const Json& value, std::string place, Left& left)
      : value_(&value), place_(std::move(place)), left_(&left) {}

  bool null() const { return value_->is_null(); }
  Node operator[](const char* key) const {
    static const Json nothing;
    if (null()) return {nothing, place_ + "/" + key, *left_};
    need(value_->is_object(), "is not an object");
    const auto member = value_->find(key);
    return {member == value_->end() ? nothing : *member, place_ + "/" + key, *left_};
  }
  std::vector<Node> items() const {
    std::vector<Node> all;
    if (null()) return all;
    need(value_->is_array(), "is not an array");
    for (const Json& item : *value_) {
      take(left_->items, kMostItems, "list items");
      if (item.is_object()) take(left_->objects, kMostObjects, "objects in lists");
      all.emplace_back(item, place_ + "/" + std::to_string(all.size()), *left_);
    }
    return all;
  }
  std::vector<std::pair<std::string, Node>> members() const {
    std::vector<std::pair<std::string, Node>> all;
    if (null()) return all;
    need(value_->is_object(), "is not an object");
    for (const auto& [key, item] : value_->items())
      all.emplace_back(key, Node(item, place_ + "/" + key, *left_));
    return all;
  }
  /// A name: what it holds of line ends forges no line of a report.
  std::string line() const { return printable(text()); }
  std::string text() const {
    if (null()) return {};
    need(value_->is_string(), "is not a string");
    return value_->get<std::string>();
  }
  bool truth() const {
    if (null()) return false;
    need(value_->is_boolean(), "is neither true nor false");
    return value_->get<bool>();
  }
  std::optional<double> number() const {
    if (null()) return std::nullopt;
    need(value_->is_number(), "is not a number");
    return value_->get<double>();
  }
  /// Of a number that T does not hold, too, the report is refused.
  template <typename T>
  std::optional<T> whole() const {
    if (null()) return std::nullopt;
    need(value_->is_number(), "is not a whole number");
    std::optional<T> out;
    if (value_->is_number_float()) {
      const auto value = value_->get<double>();
      need(std::trunc(value) == value, "is not a whole number");
      out = whole_number<T>(value);
    } else if (value_->is_number_unsigned()) {
      if (const auto value = value_->get<std::uint64_t>(); std::in_range<T>(value))
        out = static_cast<T>(value);
    } else if (const auto value = value_->get<std::int64_t>(); std::in_range<T>(value)) {
      out = static_cast<T>(value);
    }
    need(out.has_value(), "is out of range");
    return out;
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const Node& item : items()) all.push_back(item.text());
    return all;
  }
  Result<std::string> text_fact() const {
    if (null()) return not_captured(place_);
    return text();
  }
  template <typename T>
  Result<T> number_fact() const {
    if (const auto value = whole<T>()) return *value;
    return not_captured(place_);
  }
  Result<double> real_fact() const {
    const auto value = number();
    if (!value) return not_captured(place_);
    return *value;
  }
  [[noreturn]] void fail(const std::string& what) const { throw Misfit{place_, printable(what)}; }

 private:
  void need(bool fits, const char* what) const {
    if (!fits) fail(what);
  }
  void take(std::size_t& left, std::size_t most, const char* what) const {
    if (left-- == 0)
      fail("is too much: a report holds at most " + std::to_string(most) + " " + what);
  }
  const Json* value_;
  std::string place_;
  Left* left_;
};

Verdict verdict_of(const Node& node) {
  const std::string word = node.text();
  for (const Verdict verdict :
       {Verdict::pass, Verdict::warn, Verdict::fail, Verdict::skip, Verdict::unknown}) {
    if (word == to_string(verdict)) return verdict;
  }
  node.fail("is no verdict: '" + word + "'");
}

Remedy remedy_of(const Node& node) {
  std::vector<Step> steps;
  for (const std::string& step : node["steps"].texts()) steps.push_back(Step::of_report(step));
  return {.steps = std::move(steps),
          .verify = Step::of_report(node["verify"].text()),
          .undo = Step::of_report(node["undo"].text()),
          .needs_root = node["needs_root"].truth(),
          .needs_reboot = node["needs_reboot"].truth(),
          .needs_login = node["needs_login"].truth()};
}

Gpu gpu_of(const Node& node) {
  Gpu gpu;
  gpu.index = node["index"].number_fact<int>().value_or(0);
  gpu.bdf = node["bdf"].text_fact();
  gpu.vendor_id = node["vendor_id"].text_fact();
  gpu.device_id = node["device_id"].text_fact();
  gpu.subsystem_id = node["subsystem_id"].text_fact();
  gpu.revision = node["revision"].text_fact();
  gpu.gfx = node["gfx"].text_fact();
  gpu.gfx_source = node["gfx_source"].text();
  gpu.name = node["name"].text_fact();
  const std::string kind = node["kind"].text();
  gpu.kind = kind == "dgpu" ? GpuKind::dgpu : kind == "apu" ? GpuKind::apu : GpuKind::unknown;
  gpu.compute_units = node["compute_units"].number_fact<int>();
  gpu.kfd_node = node["kfd_node"].number_fact<int>();
  gpu.render_minor = node["render_minor"].number_fact<int>();
  gpu.partition = {node["partition"]["index"].number_fact<int>(),
                   node["partition"]["compute"].text_fact(),
                   node["partition"]["memory"].text_fact()};
  gpu.vram_bytes = node["vram_bytes"].number_fact<std::uint64_t>();
  gpu.visible_vram_bytes = node["visible_vram_bytes"].number_fact<std::uint64_t>();
  gpu.gtt_bytes = node["gtt_bytes"].number_fact<std::uint64_t>();
  gpu.driver = node["driver"].text_fact();
  gpu.vbios = node["vbios"].text_fact();
  gpu.numa_node = node["numa_node"].number_fact<int>();
  gpu.pcie.current_gts = node["pcie"]["current_gts"].real_fact();
  gpu.pcie.current_width = node["pcie"]["current_width"].number_fact<int>();
  gpu.pcie.max_gts = node["pcie"]["max_gts"].real_fact();
  gpu.pcie.max_width = node["pcie"]["max_width"].number_fact<int>();
  gpu.hive = node["xgmi"]["hive"].text_fact();
  return gpu;
}

Driver driver_of(const Node& node) {
  Driver driver;
  const std::string origin = node["origin"].text();
  if (origin == "dkms") driver.origin = DriverOrigin::dkms;
  if (origin == "in-tree") driver.origin = DriverOrigin::in_tree;
  if (node["loaded"].null()) return driver;
  if (!node["loaded"].truth()) {
    driver.amdgpu = missing("amdgpu", "is not loaded");
    return driver;
  }
  Module module;
  module.loaded = true;
  module.version = node["version"].text_fact();
  OptionValues options;
  for (const auto& [name, value] : node["parameters"].members())
    options[name] = parse_option(value.text());
  module.options = std::move(options);
  driver.amdgpu = std::move(module);
  return driver;
}

void read_software(const Node& node, Software& software) {
  for (const Node& item : node["rocm"].items()) {
    RocmInstall install;
    install.root = item["root"].text();
    install.version = item["version"].text_fact();
    install.is_default = item["default"].truth();
    for (std::string& soname : item["sonames"].texts()) {
      install.libraries.emplace_back().elf.soname = std::move(soname);
    }
    software.rocm.push_back(std::move(install));
  }
  for (const Node& item : node["frameworks"].items()) {
    Framework framework;
    framework.name = item["name"].text();
    framework.version = item["version"].text();
    framework.build = item["build"].text();
    framework.hip_version = item["hip_version"].text_fact();
    framework.cuda_version = item["cuda_version"].text_fact();
    framework.gfx = item["gfx"].texts();
    const std::string root = item["environment"].text();
    if (software.python.empty() || software.python.back().root != root) {
      software.python.emplace_back().root = root;
    }
    software.python.back().frameworks.push_back(std::move(framework));
  }
}

Machine machine_of(const Node& node) {
  Machine machine;
  machine.kernel.release = node["kernel"]["release"].text_fact();
  machine.kernel.command_line = node["kernel"]["command_line"].text_fact();
  if (!node["distro"].null()) {
    Distro distro;
    distro.id = node["distro"]["id"].text();
    distro.version = node["distro"]["version"].text();
    distro.codename = node["distro"]["codename"].text();
    distro.pretty = node["distro"]["name"].text();
    machine.distro = std::move(distro);
  }
  if (const Node wsl = node["container"]["wsl"]; !wsl.null()) {
    machine.surroundings.wsl = true;
    if (wsl["dxg"].truth()) {
      machine.dxg.stat = FileStat{};
    } else if (!wsl["dxg"].null()) {
      machine.dxg.stat = missing("/dev/dxg");
    }
  }
  machine.driver = driver_of(node["driver"]);
  const std::vector<Node> gpus = node["gpus"].items();
  if (gpus.size() > kMostGpus) {
    node["gpus"].fail("are " + std::to_string(gpus.size()) + ", more than " +
                      std::to_string(kMostGpus));
  }
  for (const Node& item : gpus) {
    Gpu gpu = gpu_of(item);
    (is_amd(gpu) ? machine.gpus : machine.other_gpus).push_back(std::move(gpu));
  }
  if (!node["gpus"].null()) machine.gpus_readable = Done{};
  read_software(node, machine.software);
  return machine;
}

/// The words of checks that this rocvet does not have; a Check refers to them.
struct ForeignCheck {
  std::string code, id, topic;
  Check check;
};
using ForeignChecks = std::deque<ForeignCheck>;

const Check* check_of(const Node& node, ForeignChecks& foreign) {
  const std::string id = node["id"].line(), code = node["code"].line();
  for (const Check* check : all_checks(Database::embedded())) {
    if (check->id == id && check->code == code) return check;
  }
  if (policy_check().id == id) return &policy_check();
  ForeignCheck& kept = foreign.emplace_back(ForeignCheck{code, id, node["topic"].line(), {}});
  kept.check.code = kept.code;
  kept.check.id = kept.id;
  kept.check.topic = kept.topic;
  return &kept.check;
}

CheckResult check_result_of(const Node& node, ForeignChecks& foreign) {
  return {check_of(node, foreign),
          {.verdict = verdict_of(node["verdict"]),
           .summary = node["summary"].text(),
           .subject = node["subject"].text(),
           .evidence = node["evidence"].texts(),
           .remedy = remedy_of(node["remedy"])}};
}

Performance performance_of(const Node& node) {
  Performance out;
  out.metric = node["metric"].text();
  out.unit = node["unit"].text();
  out.median = node["median"].number().value_or(0);
  out.min = node["min"].number().value_or(0);
  out.max = node["max"].number().value_or(0);
  for (const Node& sample : node["samples"].items())
    out.samples.push_back(sample.number().value_or(0));
  out.spread = node["spread"].number().value_or(0);
  out.outliers = node["outliers"].whole<int>().value_or(0);
  if (!node["regime"].null()) out.regime = node["regime"].text();
  out.data = node["data"].text();
  out.expected = node["expected"].number();
  out.floor = node["floor"].number();
  out.basis = node["basis"].text();
  out.fraction = node["fraction"].number();
  return out;
}

TestResult test_of(const Node& node) {
  TestResult out;
  out.id = node["id"].line();
  out.device = node["device"].text();
  out.verdict = verdict_of(node["verdict"]);
  out.summary = node["summary"].text();
  out.evidence = node["evidence"].texts();
  if (const Node checked = node["verification"]; !checked.null()) {
    out.verification = Verification{checked["max_rel_error"].number().value_or(0),
                                    checked["tolerance"].number().value_or(0), ""};
  }
  if (const Node speed = node["performance"]; !speed.null()) {
    out.performance = performance_of(speed);
    // Reports of rocvet 0.1.0's first days do not say it.
    out.higher_is_better = speed["higher_is_better"].null() || speed["higher_is_better"].truth();
  }
  for (const auto& [name, value] : node["telemetry"].members()) {
    if (const auto number = value.number()) out.telemetry.emplace_back(name, *number);
  }
  for (const auto& [name, value] : node["seconds"].members())
    out.seconds.emplace_back(name, value.number().value_or(0));
  if (const Node end = node["worker"]; !end.null()) {
    WorkerEnd worker;
    worker.exit = end["exit"].whole<int>();
    worker.signal = end["signal"].whole<int>();
    worker.stderr_tail = end["stderr_tail"].text();
    out.worker = std::move(worker);
  }
  return out;
}

GpuLadder ladder_of(const Node& node) {
  GpuLadder ladder;
  ladder.bdf = node["bdf"].text();
  ladder.arch = node["gfx"].text();
  ladder.broken = node["broken"].text();
  ladder.differing = node["differing"].texts();
  for (const Node& item : node["rungs"].items()) {
    Rung& rung = ladder.rungs.emplace_back();
    rung.name = item["name"].line();
    rung.verdict = verdict_of(item["verdict"]);
    rung.summary = item["summary"].text();
    rung.through = item["through"].text();
    rung.seconds = item["seconds"].number().value_or(0);
    rung.passed = item["passed"].whole<int>().value_or(0);
    rung.failed = item["failed"].whole<int>().value_or(0);
    rung.not_run = item["not_run"].whole<int>().value_or(0);
  }
  return ladder;
}

PerPeriod periods_of(const Node& node) {
  PerPeriod values;
  for (const Node& item : node.items()) values.push_back(item.number());
  return values;
}

SoakTest soak_test_of(const Node& node) {
  SoakTest test;
  test.id = node["id"].line();
  test.verdict = verdict_of(node["verdict"]);
  test.summary = node["summary"].text();
  test.unit = node["unit"].text();
  test.higher_is_better = node["higher_is_better"].truth();
  test.rounds = node["rounds"].whole<int>().value_or(0);
  test.errors = node["errors"].whole<int>().value_or(0);
  if (!node["same_bits"].null()) test.same_bits = node["same_bits"].truth();
  test.median = periods_of(node["median"]);
  test.worst = periods_of(node["worst"]);
  return test;
}

SoakPeriod soak_period_of(const Node& node) {
  SoakPeriod period;
  period.tests = node["tests"].whole<int>().value_or(0);
  period.errors = node["errors"].whole<int>().value_or(0);
  period.counted_clock_mhz = node["counted_clock_mhz"].number();
  period.clock_mhz = node["clock_mhz"].number();
  period.power_w = node["power_w"].number();
  period.temperature_c = node["temperature_c"].number();
  period.memory_temperature_c = node["memory_temperature_c"].number();
  period.throttle = node["throttle"].texts();
  period.corrected = node["corrected"].whole<std::uint64_t>();
  period.uncorrected = node["uncorrected"].whole<std::uint64_t>();
  period.pcie_replays = node["pcie_replays"].whole<std::uint64_t>();
  return period;
}

SoakGpu soak_gpu_of(const Node& node) {
  SoakGpu gpu;
  gpu.device = node["device"].line();
  gpu.bdf = node["bdf"].text();
  gpu.arch = node["gfx"].text();
  for (const Node& item : node["tests"].items()) gpu.tests.push_back(soak_test_of(item));
  for (const Node& item : node["periods"].items()) gpu.periods.push_back(soak_period_of(item));
  for (const Node& item : node["errors"].items()) {
    gpu.errors.push_back({item["at_s"].number().value_or(0), item["test"].line(),
                          item["what"].text(), item["counted"].truth()});
  }
  gpu.errors_in_all = node["errors_in_all"].whole<int>().value_or(0);
  gpu.counters = verdict_of(node["error_counters"]["verdict"]);
  gpu.counters_summary = node["error_counters"]["summary"].text();
  gpu.ended = node["ended"]["why"].text();
  gpu.ended_s = node["ended"]["at_s"].number().value_or(0);
  return gpu;
}

std::optional<Soak> soak_of(const Node& node) {
  if (node.null()) return std::nullopt;
  Soak soak;
  soak.asked_s = node["asked_s"].number().value_or(0);
  soak.lasted_s = node["lasted_s"].number().value_or(0);
  soak.period_s = node["period_s"].number().value_or(0);
  soak.interrupted = node["interrupted"].truth();
  for (const Node& item : node["gpus"].items()) soak.gpus.push_back(soak_gpu_of(item));
  return soak;
}

RootCause cause_of(const Node& node) {
  RootCause cause;
  cause.id = node["id"].line();
  cause.confidence = node["confidence"].number().value_or(0);
  cause.severity = node["severity"].null() ? Verdict::fail : verdict_of(node["severity"]);
  cause.summary = node["summary"].text();
  cause.evidence = node["evidence"].texts();
  cause.explains = node["explains"].texts();
  cause.ruled_out = node["ruled_out"].texts();
  cause.experiment = Step::of_report(node["experiment"].text());
  cause.remedy = remedy_of(node["remedy"]);
  return cause;
}

CompatibilityRow compatibility_of(const Node& node) {
  CompatibilityRow row;
  row.subject = node["subject"].text();
  const std::string word = node["verdict"].text();
  for (const Support support : {Support::supported, Support::deprecated, Support::enabled,
                                Support::unsupported, Support::unlisted, Support::unknown}) {
    if (word == to_string(support)) row.answer.verdict = support;
  }
  row.answer.because = node["because"].text();
  row.answer.conditions = node["conditions"].texts();
  if (const std::string source = node["source"].text(); !source.empty()) {
    row.answer.facts.emplace_back().source = source;
  }
  return row;
}

FeatureAnswer feature_answer_of(const Node& node) {
  FeatureAnswer answer;
  const std::string word = node["verdict"].text();
  for (const FeatureVerdict verdict : {FeatureVerdict::supported, FeatureVerdict::slow,
                                       FeatureVerdict::unsupported, FeatureVerdict::unknown}) {
    if (word == to_string(verdict)) answer.verdict = verdict;
  }
  answer.because = node["because"].text();
  answer.condition = node["condition"].text();
  answer.source = node["source"].text();
  return answer;
}

GpuFeatures features_of(const Node& node) {
  GpuFeatures features;
  features.gfx = node["gfx"].text();
  for (const Node& gpu : node["gpus"].items())
    features.gpus.push_back(gpu.whole<int>().value_or(0));
  for (const Node& item : node["features"].items()) {
    FeatureRow row;
    row.feature = item["feature"].text();
    row.format = item["format"].text();
    row.answer = feature_answer_of(item);
    for (const Node& use : item["software"].items()) {
      row.software.push_back({use["software"].text(), use["place"].text(), feature_answer_of(use)});
    }
    features.rows.push_back(std::move(row));
  }
  return features;
}

DeepProbe probe_of(const Node& node) {
  DeepProbe probe;
  probe.id = node["id"].line();
  probe.subject = node["subject"].text();
  const auto outcome = deep_outcome(node["outcome"].text());
  if (!outcome) node["outcome"].fail("is no outcome of --deep");
  probe.outcome = *outcome;
  probe.why = node["why"].text();
  probe.library = node["library"].text();
  probe.version = node["version"].text();
  probe.call = node["call"].text();
  probe.status = node["status"].whole<std::int64_t>();
  probe.status_name = node["status_name"].text();
  for (const Node& item : node["devices"].items()) {
    DeepDevice& device = probe.devices.emplace_back();
    device.index = item["index"].whole<int>().value_or(0);
    device.bdf = item["bdf"].text_fact().optional();
    device.name = item["name"].text_fact().optional();
    device.gfx = item["gfx"].text_fact().optional();
    device.uuid = item["uuid"].text_fact().optional();
    device.kfd_node = item["kfd_node"].whole<int>();
    device.memory_bytes = item["memory_bytes"].whole<std::uint64_t>();
    if (!item["product_right"].null()) device.product_right = item["product_right"].truth();
  }
  for (const auto& [name, value] : node["facts"].members()) probe.facts[name] = value.text();
  probe.exit = node["worker"]["exit"].whole<int>();
  probe.signal = node["worker"]["signal"].whole<int>();
  probe.words = node["worker"]["stderr_tail"].text();
  return probe;
}

Result<Deep> deep_of(const Node& node) {
  if (node.null()) return not_captured("--deep");
  Deep deep;
  for (const Node& item : node["probes"].items()) deep.probes.push_back(probe_of(item));
  return deep;
}

Report report_of(const Node& node) {
  if (const std::string schema = node["schema"].text(); schema != "rocvet.report/1") {
    node["schema"].fail(schema.empty() ? "is not there: this is no report of rocvet"
                                       : "is '" + schema + "', not 'rocvet.report/1'");
  }
  Report report;
  report.verb = node["run"]["verb"].line();
  report.started = node["run"]["started"].line();
  report.duration_ms = node["run"]["duration_ms"].number().value_or(0);
  for (const auto& [stage, value] : node["run"]["seconds"].members())
    report.seconds.emplace_back(printable(stage), value.number().value_or(0));
  report.explicit_selection = node["run"]["explicit_selection"].truth();
  report.source_kind = node["run"]["source"]["kind"].line();
  report.source_path = node["run"]["source"]["path"].text();
  report.db_version = node["tool"]["db_version"].line();
  report.verdict = verdict_of(node["verdict"]);
  report.machine = machine_of(node["machine"]);
  report.machine.deep = deep_of(node["deep"]);
  for (const Node& item : node["compatibility"].items()) {
    report.compatibility.push_back(compatibility_of(item));
  }
  for (const Node& item : node["features"].items()) report.features.push_back(features_of(item));
  const auto foreign = std::make_shared<ForeignChecks>();
  // A report that has lost them would pass with nothing looked at.
  if (node["checks"].null()) node["checks"].fail("is not there");
  for (const Node& item : node["checks"].items()) {
    report.checks.push_back(check_result_of(item, *foreign));
  }
  report.keeps_alive = foreign;
  for (const Node& item : node["selftests"].items()) report.selftests.push_back(test_of(item));
  for (const Node& item : node["ladders"].items()) report.ladders.push_back(ladder_of(item));
  report.soak = soak_of(node["soak"]);
  for (const Node& item : node["diagnosis"]["root_causes"].items()) {
    report.diagnosis.root_causes.push_back(cause_of(item));
  }
  return report;
}

Result<Report> report_from(Json json, const std::string& where) {
  if (!json.is_object()) return malformed(where, "is JSON, but no report of rocvet");
  try {
    make_printable(json);  // ids and all: whoever saved it may have meant ill
    Node::Left left;
    Report report = report_of(Node(json, "", left));
    sanitise(report);
    report.saved_json = json_text(std::move(json));
    return report;
  } catch (const Misfit& misfit) {
    return malformed(where, misfit.place + " " + misfit.what);
  } catch (const Json::exception& problem) {
    const std::string what = problem.what();
    return malformed(where, what.substr(what.find("] ") + 2));
  }
}

}  // namespace

Result<Report> read_report(const std::string& text, const std::string& where) {
  auto json = parse_json<Json>(text, where, kLimits);
  if (!json) return json.error();
  return report_from(std::move(*json), where);
}

Result<Report> load_report(const std::string& path) {
  auto json = [&]() -> Result<Json> {
    const auto text = read_whole_file(path, kLargestReport);
    if (!text) return text.error();
    return parse_json<Json>(*text, path, kLimits);
  }();  // the text is gone before the report is made
  if (!json) return json.error();
  return report_from(std::move(*json), path);
}

}  // namespace rocvet
