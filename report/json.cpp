// rocvet.report/1: key order is stable, numbers are numbers, an unknown fact is null.
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "report/report.h"

namespace rocvet {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json value_of(const Result<T>& fact) {
  return fact ? Json(*fact) : Json(nullptr);
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

/// JSON has no NaN and no infinity.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json(nullptr);
}

std::string_view kind_name(GpuKind kind) {
  switch (kind) {
    case GpuKind::dgpu:
      return "dgpu";
    case GpuKind::apu:
      return "apu";
    case GpuKind::unknown:
      break;
  }
  return "";
}

Json xgmi_json(const Gpu& gpu) {
  Json links = Json::array();
  for (const IoLink& link : gpu.links) {
    if (link.type == 11) links.push_back(link.to);
  }
  return {{"hive", value_of(gpu.hive)}, {"links", std::move(links)}};
}

Json gpu_json(const Gpu& gpu) {
  return {{"index", gpu.index},
          {"bdf", value_of(gpu.bdf)},
          {"vendor_id", value_of(gpu.vendor_id)},
          {"device_id", value_of(gpu.device_id)},
          {"subsystem_id", value_of(gpu.subsystem_id)},
          {"revision", value_of(gpu.revision)},
          {"gfx", value_of(gpu.gfx)},
          {"gfx_source", text_or_null(gpu.gfx_source)},
          {"name", value_of(gpu.name)},
          {"kind", text_or_null(std::string(kind_name(gpu.kind)))},
          {"compute_units", value_of(gpu.compute_units)},
          {"kfd_node", value_of(gpu.kfd_node)},
          {"render_minor", value_of(gpu.render_minor)},
          {"partition",
           {{"index", value_of(gpu.partition.index)},
            {"compute", value_of(gpu.partition.compute)},
            {"memory", value_of(gpu.partition.memory)}}},
          {"vram_bytes", value_of(gpu.vram_bytes)},
          {"visible_vram_bytes", value_of(gpu.visible_vram_bytes)},
          {"gtt_bytes", value_of(gpu.gtt_bytes)},
          {"driver", value_of(gpu.driver)},
          {"vbios", value_of(gpu.vbios)},
          {"numa_node", value_of(gpu.numa_node)},
          {"pcie",
           {{"current_gts", value_of(gpu.pcie.current_gts)},
            {"current_width", value_of(gpu.pcie.current_width)},
            {"max_gts", value_of(gpu.pcie.max_gts)},
            {"max_width", value_of(gpu.pcie.max_width)}}},
          {"xgmi", xgmi_json(gpu)}};
}

std::string_view origin_name(DriverOrigin origin) {
  switch (origin) {
    case DriverOrigin::in_tree:
      return "in-tree";
    case DriverOrigin::dkms:
      return "dkms";
    case DriverOrigin::unknown:
      break;
  }
  return "";
}

Json driver_json(const Driver& driver) {
  Json out = {{"name", "amdgpu"},
              {"loaded", nullptr},
              {"origin", text_or_null(std::string(origin_name(driver.origin)))}};
  out["version"] = nullptr;
  out["parameters"] = Json::object();
  if (driver.amdgpu) {
    out["loaded"] = driver.amdgpu->loaded;
    out["version"] = value_of(driver.amdgpu->version);
    for (const auto& [name, value] : driver.amdgpu->options.value_or(OptionValues{})) {
      if (value) out["parameters"][name] = value->text;
    }
  } else if (driver.amdgpu.is_missing()) {
    out["loaded"] = false;
  }
  return out;
}

std::string_view owner_name(RocmOwner owner) {
  switch (owner) {
    case RocmOwner::amd_packages:
      return "amd-packages";
    case RocmOwner::distro_packages:
      return "distro-packages";
    case RocmOwner::wheel:
      return "wheel";
    case RocmOwner::conda:
      return "conda";
    case RocmOwner::spack:
      return "spack";
    case RocmOwner::tarball:
      return "tarball";
    case RocmOwner::app_bundle:
      return "app-bundle";
    case RocmOwner::unknown:
      break;
  }
  return "";
}

Json targets_json(const std::map<std::string, std::vector<std::string>>& targets) {
  Json out = Json::object();
  for (const auto& [name, list] : targets) out[name] = list;
  return out;
}

Json rocm_json(const RocmInstall& install) {
  Json sonames = Json::array();
  for (const Library& library : install.libraries) {
    if (!library.elf.soname.empty()) sonames.push_back(library.elf.soname);
  }
  return {{"root", install.root},
          {"version", value_of(install.version)},
          {"owner", text_or_null(std::string(owner_name(install.owner)))},
          {"default", install.is_default},
          {"sonames", std::move(sonames)},
          {"version_source", text_or_null(install.version_source)},
          {"kernel_targets", targets_json(install.kernel_targets)},
          {"missing", install.missing},
          {"leftover", install.leftover},
          {"pointed_by", install.pointed_by}};
}

Json frameworks_json(const Software& software) {
  Json out = Json::array();
  for (const PythonEnvironment& environment : software.python) {
    for (const Framework& framework : environment.frameworks) {
      out.push_back({{"name", framework.name},
                     {"version", framework.version},
                     {"environment", environment.root},
                     {"build", text_or_null(framework.build)},
                     {"hip_version", value_of(framework.hip_version)},
                     {"cuda_version", value_of(framework.cuda_version)},
                     {"gfx", framework.gfx}});
    }
  }
  return out;
}

Json python_json(const Software& software) {
  Json out = Json::array();
  for (const PythonEnvironment& environment : software.python) {
    out.push_back({{"root", environment.root},
                   {"version", text_or_null(environment.python_version)},
                   {"kind", environment.kind},
                   {"active", environment.active},
                   {"packages", environment.packages.size()}});
  }
  return out;
}

Json applications_json(const Software& software) {
  Json out = Json::array();
  for (const Application& application : software.applications) {
    out.push_back({{"name", application.name},
                   {"path", application.path},
                   {"gfx", application.gfx},
                   {"bundle", text_or_null(application.bundle)},
                   {"other_bundles", application.other_bundles},
                   {"kernel_targets", targets_json(application.kernel_targets)}});
  }
  return out;
}

Json processes_json(const Software& software) {
  Json out = Json::array();
  for (const ProcessLibraries& process : software.processes) {
    Json libraries = Json::array(), clashes = Json::array();
    for (const LoadedLibrary& library : process.libraries) {
      libraries.push_back({{"soname", library.soname},
                           {"path", library.path},
                           {"real", library.real},
                           {"via", library.via},
                           {"by", library.by}});
    }
    for (const RuntimeClash& clash : process.clashes)
      clashes.push_back({{"family", clash.family}, {"paths", clash.paths}});
    out.push_back({{"program", process.program},
                   {"libraries", std::move(libraries)},
                   {"clashes", std::move(clashes)},
                   {"rocm_folders", process.rocm_folders}});
  }
  return out;
}

Json unresolved_json(const Software& software) {
  Json out = Json::array();
  for (const UnresolvedLibrary& library : software.unresolved) {
    out.push_back({{"needed", library.needed},
                   {"by", library.by},
                   {"elsewhere", library.elsewhere},
                   {"other_majors", library.other_majors}});
  }
  return out;
}

Json unmet_versions_json(const Software& software) {
  Json out = Json::array();
  for (const UnmetVersion& version : software.unmet_versions) {
    out.push_back({{"version", version.version},
                   {"by", version.by},
                   {"provider", version.provider},
                   {"others", version.others}});
  }
  return out;
}

Json repositories_json(const Software& software) {
  Json out = Json::array();
  for (const RepositoryLine& line : software.repositories) {
    out.push_back({{"file", line.file},
                   {"url", line.url},
                   {"codename", text_or_null(line.codename)},
                   {"product", text_or_null(line.product)},
                   {"release", text_or_null(line.release)},
                   {"enabled", line.enabled},
                   {"priority", line.priority}});
  }
  return out;
}

std::string_view environment_name(Environment environment) {
  switch (environment) {
    case Environment::bare_metal:
      return "bare-metal";
    case Environment::docker:
      return "docker";
    case Environment::podman:
      return "podman";
    case Environment::lxc:
      return "lxc";
    case Environment::flatpak:
      return "flatpak";
    case Environment::snap:
      return "snap";
    case Environment::kubernetes:
      return "kubernetes";
    case Environment::apptainer:
      return "apptainer";
    case Environment::wsl2:
      return "wsl2";
    case Environment::vm:
      return "vm";
    case Environment::sandbox:
      return "sandbox";
    case Environment::container:
      return "container";
    case Environment::unknown:
      break;
  }
  return "";
}

Json machine_json(const Machine& machine) {
  Json out;
  out["kernel"] = {{"release", value_of(machine.kernel.release)},
                   {"command_line", value_of(machine.kernel.command_line)}};
  out["distro"] = nullptr;
  if (machine.distro) {
    out["distro"] = {{"id", machine.distro->id},
                     {"version", text_or_null(machine.distro->version)},
                     {"codename", text_or_null(machine.distro->codename)},
                     {"name", text_or_null(machine.distro->pretty)}};
  }
  out["driver"] = driver_json(machine.driver);
  out["gpus"] = Json::array();
  for (const Gpu& gpu : machine.gpus) out["gpus"].push_back(gpu_json(gpu));
  for (const Gpu& gpu : machine.other_gpus) out["gpus"].push_back(gpu_json(gpu));
  out["rocm"] = Json::array();
  for (const RocmInstall& install : machine.software.rocm)
    out["rocm"].push_back(rocm_json(install));
  out["frameworks"] = frameworks_json(machine.software);
  out["python"] = python_json(machine.software);
  out["applications"] = applications_json(machine.software);
  out["processes"] = processes_json(machine.software);
  out["unresolved"] = unresolved_json(machine.software);
  out["unmet_versions"] = unmet_versions_json(machine.software);
  out["repositories"] = repositories_json(machine.software);
  const Surroundings& around = machine.surroundings;
  out["container"] = {
      {"kind", text_or_null(std::string(environment_name(around.environment)))},
      {"inside",
       around.environment == Environment::unknown ? Json(nullptr) : Json(around.container)},
      {"user_namespace", around.user_namespace},
      {"virtual_machine", value_of(around.virtual_machine)}};
  if (around.wsl) {
    const auto& dxg = machine.dxg.stat;
    out["container"]["wsl"] = {{"dxg", dxg                ? Json(true)
                                       : dxg.is_missing() ? Json(false)
                                                          : Json(nullptr)}};
  }
  out["user"] = {{"uid", value_of(machine.process.uid)},
                 {"gid", value_of(machine.process.gid)},
                 {"groups", value_of(machine.process.groups)}};
  out["environment"] = Json::object();
  if (machine.process.environment) {
    for (const auto& [name, value] : *machine.process.environment) out["environment"][name] = value;
  }
  return out;
}

Json remedy_json(const Remedy& remedy) {
  return {{"steps", texts(remedy.steps)},
          {"verify", text_or_null(remedy.verify.text())},
          {"undo", text_or_null(remedy.undo.text())},
          {"needs_root", remedy.needs_root},
          {"needs_reboot", remedy.needs_reboot},
          {"needs_login", remedy.needs_login}};
}

Json check_json(const CheckResult& result) {
  const Finding& finding = result.finding;
  return {{"id", result.check->id},
          {"code", result.check->code},
          {"topic", result.check->topic},
          {"verdict", to_string(finding.verdict)},
          {"subject", text_or_null(finding.subject)},
          {"summary", finding.summary},
          {"evidence", finding.evidence},
          {"remedy", finding.remedy.empty() ? Json(nullptr) : remedy_json(finding.remedy)},
          {"docs", doc_links(*result.check)}};
}

Json selftest_json(const TestResult& result) {
  Json out = {{"id", result.id},
              {"device", result.device},
              {"verdict", to_string(result.verdict)},
              {"summary", result.summary},
              {"evidence", result.evidence}};
  out["verification"] = nullptr;
  if (result.verification) {
    out["verification"] = {{"max_rel_error", number(result.verification->max_rel_error)},
                           {"tolerance", number(result.verification->tolerance)}};
  }
  out["performance"] = nullptr;
  if (result.performance) {
    const Performance& p = *result.performance;
    out["performance"] = {{"metric", p.metric},
                          {"unit", p.unit},
                          {"higher_is_better", result.higher_is_better},
                          {"median", number(p.median)},
                          {"min", number(p.min)},
                          {"max", number(p.max)},
                          {"samples", p.samples},
                          {"spread", number(p.spread)},
                          {"outliers", p.outliers},
                          {"regime", p.regime},
                          {"data", text_or_null(p.data)},
                          {"expected", number(p.expected)},
                          {"floor", number(p.floor)},
                          {"basis", text_or_null(p.basis)},
                          {"fraction", number(p.fraction)}};
  }
  out["telemetry"] = Json::object();
  for (const auto& [name, value] : result.telemetry) out["telemetry"][name] = number(value);
  out["seconds"] = Json::object();
  for (const auto& [name, value] : result.seconds) out["seconds"][name] = number(value);
  out["worker"] = nullptr;
  if (result.worker) {
    out["worker"] = {
        {"exit", result.worker->exit ? Json(*result.worker->exit) : Json(nullptr)},
        {"signal", result.worker->signal ? Json(*result.worker->signal) : Json(nullptr)},
        {"stderr_tail", result.worker->stderr_tail}};
  }
  return out;
}

Json cause_json(const RootCause& cause) {
  return {{"id", cause.id},
          {"confidence", number(cause.confidence)},
          {"severity", to_string(cause.severity)},
          {"summary", cause.summary},
          {"evidence", cause.evidence},
          {"explains", cause.explains},
          {"ruled_out", cause.ruled_out},
          {"experiment", text_or_null(cause.experiment.text())},
          {"remedy", cause.remedy.empty() ? Json(nullptr) : remedy_json(cause.remedy)}};
}

Json compatibility_json(const CompatibilityRow& row) {
  std::string source;
  for (const Fact& fact : row.answer.facts) {
    if (source.empty()) source = fact.source;
  }
  return {{"subject", row.subject},
          {"verdict", to_string(row.answer.verdict)},
          {"because", row.answer.because},
          {"source", text_or_null(source)},
          {"conditions", row.answer.conditions}};
}

Json feature_answer_json(const FeatureAnswer& answer) {
  return {{"verdict", to_string(answer.verdict)},
          {"because", answer.because},
          {"condition", text_or_null(answer.condition)},
          {"source", text_or_null(answer.source)}};
}

Json features_json(const GpuFeatures& features) {
  Json rows = Json::array();
  for (const FeatureRow& row : features.rows) {
    Json item = {{"feature", row.feature}, {"format", text_or_null(row.format)}};
    item.update(feature_answer_json(row.answer));
    item["software"] = Json::array();
    for (const FeatureUse& use : row.software) {
      Json one = {{"software", use.software}, {"place", use.place}};
      one.update(feature_answer_json(use.answer));
      item["software"].push_back(std::move(one));
    }
    rows.push_back(std::move(item));
  }
  return {{"gfx", features.gfx}, {"gpus", features.gpus}, {"features", std::move(rows)}};
}

/// null when nobody asked with --deep.
Json deep_json(const Result<Deep>& deep) {
  if (!deep) return nullptr;
  const auto or_null = [](const auto& fact) { return fact ? Json(*fact) : Json(nullptr); };
  Json probes = Json::array();
  for (const DeepProbe& probe : deep->probes) {
    Json devices = Json::array();
    for (const DeepDevice& device : probe.devices) {
      devices.push_back({{"index", device.index},
                         {"bdf", or_null(device.bdf)},
                         {"name", or_null(device.name)},
                         {"gfx", or_null(device.gfx)},
                         {"uuid", or_null(device.uuid)},
                         {"kfd_node", or_null(device.kfd_node)},
                         {"memory_bytes", or_null(device.memory_bytes)},
                         {"product_right", or_null(device.product_right)}});
    }
    Json facts = Json::object();
    for (const auto& [name, value] : probe.facts) facts[name] = text_or_null(value);
    probes.push_back({{"id", probe.id},
                      {"subject", text_or_null(probe.subject)},
                      {"outcome", to_string(probe.outcome)},
                      {"why", text_or_null(probe.why)},
                      {"library", text_or_null(probe.library)},
                      {"version", text_or_null(probe.version)},
                      {"call", text_or_null(probe.call)},
                      {"status", or_null(probe.status)},
                      {"status_name", text_or_null(probe.status_name)},
                      {"devices", std::move(devices)},
                      {"facts", std::move(facts)},
                      {"worker",
                       {{"exit", or_null(probe.exit)},
                        {"signal", or_null(probe.signal)},
                        {"stderr_tail", probe.words}}}});
  }
  return {{"probes", std::move(probes)}};
}

Json ladder_json(const GpuLadder& ladder) {
  Json rungs = Json::array();
  for (const Rung& rung : ladder.rungs) {
    rungs.push_back({{"name", rung.name},
                     {"verdict", to_string(rung.verdict)},
                     {"summary", rung.summary},
                     {"through", text_or_null(rung.through)},
                     {"seconds", number(rung.seconds)},
                     {"passed", rung.passed},
                     {"failed", rung.failed},
                     {"not_run", rung.not_run}});
  }
  return {{"bdf", text_or_null(ladder.bdf)},
          {"gfx", text_or_null(ladder.arch)},
          {"rungs", std::move(rungs)},
          {"broken", text_or_null(ladder.broken)},
          {"differing", ladder.differing}};
}

/// null where a period has none.
Json periods_json(const PerPeriod& values) {
  Json out = Json::array();
  for (const auto& value : values) out.push_back(number(value));
  return out;
}

Json soak_test_json(const SoakTest& test) {
  return {{"id", test.id},
          {"verdict", to_string(test.verdict)},
          {"summary", test.summary},
          {"unit", text_or_null(test.unit)},
          {"higher_is_better", test.higher_is_better},
          {"rounds", test.rounds},
          {"errors", test.errors},
          {"same_bits", test.same_bits ? Json(*test.same_bits) : Json(nullptr)},
          {"median", periods_json(test.median)},
          {"worst", periods_json(test.worst)}};
}

Json soak_period_json(const SoakPeriod& period) {
  const auto count = [](const std::optional<std::uint64_t>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  return {{"tests", period.tests},
          {"errors", period.errors},
          {"counted_clock_mhz", number(period.counted_clock_mhz)},
          {"clock_mhz", number(period.clock_mhz)},
          {"power_w", number(period.power_w)},
          {"temperature_c", number(period.temperature_c)},
          {"memory_temperature_c", number(period.memory_temperature_c)},
          {"throttle", period.throttle},
          {"corrected", count(period.corrected)},
          {"uncorrected", count(period.uncorrected)},
          {"pcie_replays", count(period.pcie_replays)}};
}

Json soak_gpu_json(const SoakGpu& gpu) {
  Json tests = Json::array(), periods = Json::array(), errors = Json::array();
  for (const SoakTest& test : gpu.tests) tests.push_back(soak_test_json(test));
  for (const SoakPeriod& period : gpu.periods) periods.push_back(soak_period_json(period));
  for (const SoakError& error : gpu.errors) {
    errors.push_back({{"at_s", number(error.at_s)},
                      {"test", error.test},
                      {"what", error.what},
                      {"counted", error.counted}});
  }
  Json ended = nullptr;
  if (!gpu.ended.empty()) ended = {{"at_s", number(gpu.ended_s)}, {"why", gpu.ended}};
  return {
      {"device", gpu.device},
      {"bdf", text_or_null(gpu.bdf)},
      {"gfx", text_or_null(gpu.arch)},
      {"tests", std::move(tests)},
      {"periods", std::move(periods)},
      {"errors", std::move(errors)},
      {"errors_in_all", gpu.errors_in_all},
      {"error_counters", {{"verdict", to_string(gpu.counters)}, {"summary", gpu.counters_summary}}},
      {"ended", std::move(ended)}};
}

Json soak_json(const Soak& soak) {
  Json gpus = Json::array();
  for (const SoakGpu& gpu : soak.gpus) gpus.push_back(soak_gpu_json(gpu));
  return {{"asked_s", number(soak.asked_s)},
          {"lasted_s", number(soak.lasted_s)},
          {"period_s", number(soak.period_s)},
          {"interrupted", soak.interrupted},
          {"gpus", std::move(gpus)}};
}

}  // namespace

std::string write_json(const Report& report) {
  if (!report.saved_json.empty()) return report.saved_json;
  Json out;
  out["schema"] = "rocvet.report/1";
  out["tool"] = {
      {"name", "rocvet"}, {"version", ROCVET_VERSION}, {"db_version", report.db_version}};
  out["run"] = {
      {"verb", report.verb},
      {"started", report.started},
      {"duration_ms", number(report.duration_ms)},
      {"source", {{"kind", report.source_kind}, {"path", text_or_null(report.source_path)}}}};
  if (report.explicit_selection) out["run"]["explicit_selection"] = true;
  if (!report.seconds.empty()) {
    out["run"]["seconds"] = Json::object();
    for (const auto& [stage, spent] : report.seconds) out["run"]["seconds"][stage] = number(spent);
  }
  out["verdict"] = to_string(report.verdict);
  out["machine"] = machine_json(report.machine);
  out["deep"] = deep_json(report.machine.deep);
  out["compatibility"] = Json::array();
  for (const CompatibilityRow& row : report.compatibility)
    out["compatibility"].push_back(compatibility_json(row));
  out["features"] = Json::array();
  for (const GpuFeatures& features : report.features)
    out["features"].push_back(features_json(features));
  out["checks"] = Json::array();
  for (const CheckResult& result : report.checks) out["checks"].push_back(check_json(result));
  out["selftests"] = Json::array();
  for (const TestResult& result : report.selftests)
    out["selftests"].push_back(selftest_json(result));
  if (!report.ladders.empty()) {
    out["ladders"] = Json::array();
    for (const GpuLadder& ladder : report.ladders) out["ladders"].push_back(ladder_json(ladder));
  }
  if (report.soak) out["soak"] = soak_json(*report.soak);
  Json causes = Json::array();
  for (const RootCause& cause : report.diagnosis.root_causes) causes.push_back(cause_json(cause));
  out["diagnosis"] = {{"root_causes", std::move(causes)}};
  return json_text(out);
}

}  // namespace rocvet
