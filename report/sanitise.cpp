#include "report/sanitise.h"

#include <map>
#include <optional>
#include <utility>

#include "base/printable.h"

namespace rocvet {
namespace {

/// Members of a class, so that those for containers see those for what is in them.
struct Sanitiser {
  static void clean(std::string& text) { text = printable(text); }

  static void clean_lines(std::string& text) { text = printable_lines(text); }

  template <typename T>
  static void clean(Result<T>& fact) {
    if (fact) clean(*fact);
  }

  template <typename T>
  static void clean(std::optional<T>& fact) {
    if (fact) clean(*fact);
  }

  /// What has to be escaped to be seen would be another command when it is run.
  static void clean(Step& step) {
    if (std::string text = printable(step.text()); text != step.text())
      step = Step::of_report(text);
  }

  static void clean(std::pair<std::string, double>& named) { clean(named.first); }

  template <typename T>
  static void clean(std::vector<T>& all) {
    for (T& each : all) clean(each);
  }

  static void clean(std::map<std::string, std::string>& all) {
    std::map<std::string, std::string> cleaned;
    for (const auto& [name, value] : all) cleaned[printable(name)] = printable(value);
    all = std::move(cleaned);
  }

  static void clean(Remedy& remedy) {
    clean(remedy.steps);
    clean(remedy.verify);
    clean(remedy.undo);
  }

  static void clean(CheckResult& result) {
    Finding& finding = result.finding;
    clean(finding.summary);
    clean(finding.subject);
    clean(finding.evidence);
    clean(finding.remedy);
  }

  static void clean(TestResult& result) {
    clean(result.id);
    clean(result.device);
    clean(result.summary);
    clean(result.evidence);
    if (result.verification) clean(result.verification->detail);
    if (result.performance) {
      Performance& performance = *result.performance;
      for (std::string* text : {&performance.metric, &performance.unit, &performance.basis,
                                &performance.regime, &performance.data}) {
        clean(*text);
      }
    }
    clean(result.telemetry);
    clean(result.seconds);
    if (result.worker) clean_lines(result.worker->stderr_tail);
  }

  static void clean(SoakTest& test) {
    for (std::string* text : {&test.id, &test.unit, &test.summary}) clean(*text);
  }
  static void clean(SoakPeriod& period) { clean(period.throttle); }
  static void clean(SoakError& error) {
    clean(error.test);
    clean(error.what);
  }
  static void clean(SoakGpu& gpu) {
    for (std::string* text :
         {&gpu.device, &gpu.bdf, &gpu.arch, &gpu.ended, &gpu.counters_summary}) {
      clean(*text);
    }
    clean(gpu.tests);
    clean(gpu.periods);
    clean(gpu.errors);
  }

  static void clean(RootCause& cause) {
    clean(cause.id);
    clean(cause.summary);
    clean(cause.evidence);
    clean(cause.explains);
    clean(cause.ruled_out);
    clean(cause.experiment);
    clean(cause.remedy);
  }

  static void clean(Fact& fact) {
    for (std::string* text :
         {&fact.subject, &fact.because, &fact.source, &fact.checked, &fact.condition}) {
      clean(*text);
    }
  }

  static void clean(CompatibilityRow& row) {
    clean(row.subject);
    clean(row.answer.because);
    clean(row.answer.facts);
    clean(row.answer.conditions);
  }

  static void clean(FeatureAnswer& answer) {
    clean(answer.because);
    clean(answer.condition);
    clean(answer.source);
  }

  static void clean(FeatureUse& use) {
    clean(use.software);
    clean(use.place);
    clean(use.answer);
  }

  static void clean(FeatureRow& row) {
    clean(row.feature);
    clean(row.format);
    clean(row.answer);
    clean(row.software);
  }

  static void clean(GpuFeatures& features) {
    clean(features.gfx);
    clean(features.rows);
  }

  static void clean(Gpu& gpu) {
    for (Result<std::string>* fact :
         {&gpu.bdf, &gpu.card_bdf, &gpu.vendor_id, &gpu.device_id, &gpu.subsystem_vendor_id,
          &gpu.subsystem_id, &gpu.revision, &gpu.pci_class, &gpu.gfx, &gpu.name, &gpu.driver,
          &gpu.vbios, &gpu.hive, &gpu.partition.compute, &gpu.partition.memory}) {
      clean(*fact);
    }
    clean(gpu.gfx_source);
  }

  static void clean(RocmInstall& install) {
    clean(install.root);
    clean(install.version);
  }

  static void clean(Framework& framework) {
    clean(framework.name);
    clean(framework.version);
    clean(framework.build);
  }

  static void clean(PythonEnvironment& environment) {
    clean(environment.root);
    clean(environment.frameworks);
  }

  static void clean(DeepDevice& device) {
    for (std::optional<std::string>* fact : {&device.bdf, &device.name, &device.gfx, &device.uuid})
      clean(*fact);
  }

  static void clean(DeepProbe& probe) {
    for (std::string* text : {&probe.id, &probe.subject, &probe.why, &probe.library, &probe.version,
                              &probe.call, &probe.status_name}) {
      clean(*text);
    }
    clean(probe.devices);
    clean(probe.facts);
    clean_lines(probe.words);
  }

  static void clean(Distro& distro) {
    for (std::string* text : {&distro.id, &distro.version, &distro.codename, &distro.pretty})
      clean(*text);
  }

  /// What the formats other than JSON say of the machine: report/layout.h, report/facts.h.
  static void clean(Machine& machine) {
    clean(machine.kernel.release);
    clean(machine.kernel.command_line);
    clean(machine.distro);
    if (machine.driver.amdgpu) clean(machine.driver.amdgpu->version);
    clean(machine.gpus);
    clean(machine.other_gpus);
    clean(machine.software.rocm);
    clean(machine.software.python);
    if (machine.deep) clean(machine.deep->probes);
  }
};

}  // namespace

void sanitise(Report& report) {
  for (std::string* text : {&report.verb, &report.started, &report.source_kind, &report.source_path,
                            &report.db_version}) {
    Sanitiser::clean(*text);
  }
  Sanitiser::clean(report.seconds);
  Sanitiser::clean(report.machine);
  Sanitiser::clean(report.compatibility);
  Sanitiser::clean(report.features);
  Sanitiser::clean(report.checks);
  Sanitiser::clean(report.selftests);
  if (report.soak) Sanitiser::clean(report.soak->gpus);
  Sanitiser::clean(report.diagnosis.root_causes);
}

}  // namespace rocvet
