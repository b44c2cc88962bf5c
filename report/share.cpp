#include "report/share.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "machine/collect_filter.h"
#include "source/environment_names.h"
#include "source/redaction.h"
#include "source/secrets.h"

namespace rocvet {
namespace {

Redactor redactor_of(const Report& report) {
  Redactor redactor(report.identity.salt);
  redactor.add_host(report.identity.host);
  const Machine& machine = report.machine;
  if (machine.process.user) redactor.add_user(*machine.process.user);
  if (machine.accounts) {
    for (const Account& account : *machine.accounts) {
      if (account.uid >= 1000 && account.uid < 60000) redactor.add_user(account.name);
    }
  }
  return redactor;
}

/// Every text of a report that a format may write.
class Cleaner {
 public:
  explicit Cleaner(std::optional<Redactor> redactor) : redactor_(std::move(redactor)) {}

  void clean(Report& report) {
    clean(report.source_path);
    clean(report.machine);
    for (CompatibilityRow& row : report.compatibility) {
      clean(row.subject);
      clean(row.answer.because);
      clean(row.answer.conditions);
    }
    for (GpuFeatures& features : report.features) {
      for (FeatureRow& row : features.rows) {
        clean(row.answer);
        for (FeatureUse& use : row.software) {
          clean(use.software);
          clean(use.place);
          clean(use.answer);
        }
      }
    }
    for (CheckResult& result : report.checks) {
      clean(result.finding.summary);
      clean(result.finding.subject);
      clean(result.finding.evidence);
      clean(result.finding.remedy);
    }
    for (TestResult& result : report.selftests) {
      clean(result.summary);
      clean(result.evidence);
      if (result.verification) clean(result.verification->detail);
      if (result.worker) clean(result.worker->stderr_tail);
    }
    for (RootCause& cause : report.diagnosis.root_causes) {
      clean(cause.summary);
      clean(cause.evidence);
      clean(cause.ruled_out);
      clean(cause.experiment);
      clean(cause.remedy);
    }
  }

 private:
  void clean(std::string& text) {
    text = redactor_ ? redactor_->text(text) : without_secrets(std::string_view(text));
  }
  void clean(Step& step) {
    step.change([&](std::string_view value) {
      std::string text(value);
      clean(text);
      return text;
    });
  }
  template <typename T>
  void clean(std::vector<T>& list) {
    for (T& one : list) clean(one);
  }
  template <typename T>
  void clean(Result<T>& fact) {
    if (fact) clean(*fact);
  }
  template <typename T>
  void clean(std::optional<T>& fact) {
    if (fact) clean(*fact);
  }
  void clean(std::map<std::string, std::string>& values) {
    for (auto& [name, value] : values) {
      if (is_secret_name(name))
        value = "redacted";
      else
        clean(value);
    }
  }

  void clean(Remedy& remedy) {
    clean(remedy.steps);
    clean(remedy.verify);
    clean(remedy.undo);
  }
  void clean(FeatureAnswer& answer) {
    clean(answer.because);
    clean(answer.condition);
  }
  void clean(Library& library) {
    clean(library.path);
    clean(library.real);
  }
  void clean(Framework& framework) {
    clean(framework.root);
    clean(framework.libraries);
  }
  void clean(LoadedLibrary& library) {
    clean(library.path);
    clean(library.real);
    clean(library.by);
  }

  void clean(Machine& machine) {
    if (machine.kernel.command_line) {
      machine.kernel.command_line = recordable_arguments(*machine.kernel.command_line);
    }
    clean(machine.kernel.command_line);
    if (machine.process.environment) {
      std::erase_if(*machine.process.environment,
                    [](const auto& entry) { return !environment_name_allowed(entry.first); });
      for (auto& [name, value] : *machine.process.environment) {
        const bool user = name == "USER" || name == "LOGNAME" || name == "SUDO_USER";
        if (user && redactor_) value = redactor_->user(value);
        clean(value);
      }
    }
    clean(machine.software);
    if (machine.deep) {
      for (DeepProbe& probe : machine.deep->probes) clean(probe);
    }
    // What no format writes today is not there to be written tomorrow.
    machine.kernel_log = not_captured("kernel log");
    machine.app_log = not_captured("--log");
    machine.tool_outputs.clear();
    machine.settings = {};
    machine.mounts.clear();
  }

  void clean(DeepProbe& probe) {
    clean(probe.subject);
    clean(probe.why);
    clean(probe.library);
    clean(probe.words);
    clean(probe.facts);
    for (DeepDevice& device : probe.devices) clean(device.uuid);
  }

  void clean(Software& software) {
    for (RocmInstall& install : software.rocm) {
      clean(install.root);
      clean(install.version_source);
      clean(install.libraries);
      clean(install.files);
      clean(install.pointed_by);
    }
    for (PythonEnvironment& environment : software.python) {
      clean(environment.root);
      clean(environment.site_packages);
      clean(environment.frameworks);
      clean(environment.extensions);
    }
    for (RepositoryLine& line : software.repositories) {
      clean(line.file);
      clean(line.text);
      clean(line.url);
    }
    for (UnresolvedLibrary& library : software.unresolved) {
      clean(library.by);
      clean(library.elsewhere);
      clean(library.other_majors);
    }
    for (DisplacedLibrary& library : software.displaced) {
      for (std::string* text :
           {&library.program, &library.taken, &library.otherwise, &library.folder, &library.set_by})
        clean(*text);
    }
    for (UnmetVersion& version : software.unmet_versions) {
      clean(version.by);
      clean(version.provider);
      clean(version.others);
    }
    for (ProcessLibraries& process : software.processes) {
      clean(process.program);
      clean(process.libraries);
      for (RuntimeClash& clash : process.clashes) clean(clash.paths);
      clean(process.rocm_folders);
    }
    for (Application& application : software.applications) {
      clean(application.path);
      clean(application.bundle);
      clean(application.other_bundles);
    }
    clean(software.host_libraries);
  }

  std::optional<Redactor> redactor_;
};

/// Every string of a saved report: it may have been written before reports were cleaned.
void clean_saved(nlohmann::ordered_json& value) {
  if (value.is_string()) {
    value = without_secrets(std::string_view(value.get_ref<const std::string&>()));
  } else if (value.is_object() || value.is_array()) {
    for (auto& item : value) clean_saved(item);
  }
}

Report cleaned(Report report, std::optional<Redactor> redactor) {
  Cleaner(std::move(redactor)).clean(report);
  if (!report.saved_json.empty()) {
    auto saved = nlohmann::ordered_json::parse(report.saved_json, nullptr, false);
    const auto before = saved;
    clean_saved(saved);
    // As it was, to the byte, where there was nothing to clean.
    if (saved != before) {
      report.saved_json =
          saved.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    }
  }
  return report;
}

}  // namespace

Report without_secrets(Report report) {
  return cleaned(std::move(report), std::nullopt);
}

Report shareable(Report report) {
  if (!report.identity.names_people) return without_secrets(std::move(report));
  Redactor redactor = redactor_of(report);
  return cleaned(std::move(report), std::move(redactor));
}

std::string as_shared(const Report& report, const std::string& text) {
  if (!report.identity.names_people) return without_secrets(std::string_view(text));
  return redactor_of(report).text(text);
}

}  // namespace rocvet
