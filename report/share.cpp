#include "report/share.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/json_text.h"
#include "base/text.h"
#include "machine/collect_filter.h"
#include "source/environment_names.h"
#include "source/redaction.h"
#include "source/secret_names.h"
#include "source/secrets.h"

namespace rocvet {
namespace {

Redactor redactor_of(const Report& report) {
  Redactor redactor(report.identity.key ? *report.identity.key : own_key());
  redactor.add_host(report.identity.host);
  const Machine& machine = report.machine;
  if (machine.accounts) {
    for (const Account& account : *machine.accounts) {
      if (is_person(account.uid, account.home))
        redactor.add_user(account.name);
      else
        redactor.keep_user(account.name);
    }
  }
  if (machine.process.user) redactor.add_user(*machine.process.user);
  if (machine.process.environment) redactor.add_home(*machine.process.environment);
  return redactor;
}

constexpr const char* kRedacted = "redacted";

/// Every text of a report that a format may write, changed.
class Cleaner {
 public:
  /// Of all texts, of what was seen, and of the value of a variable, which is none that holds a
  /// secret: those are not among the names that are kept.
  struct Changes {
    Change text, evidence;
    std::function<std::string(std::string_view name, std::string_view value)> variable;
    Change gpu_id;  ///< of a value that is an id and nothing else
  };
  explicit Cleaner(Changes changes) : changes_(std::move(changes)) {}

  void clean(Report& report) {
    // A saved report may have been written by anybody, who may say anything there.
    for (std::string* text : {&report.verb, &report.started, &report.source_kind,
                              &report.source_path, &report.db_version})
      clean(*text);
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
      clean_evidence(result.finding.evidence);
      clean(result.finding.remedy);
    }
    for (TestResult& result : report.selftests) {
      clean(result.summary);
      clean_evidence(result.evidence);
      if (result.verification) clean(result.verification->detail);
      if (result.worker) clean(result.worker->stderr_tail);
    }
    for (GpuLadder& ladder : report.ladders) {
      clean(ladder.arch);
      clean(ladder.broken);
      clean(ladder.differing);
      for (Rung& rung : ladder.rungs) {
        clean(rung.summary);
        clean(rung.through);
      }
    }
    if (report.soak) {
      for (SoakGpu& gpu : report.soak->gpus) clean(gpu);
    }
    for (RootCause& cause : report.diagnosis.root_causes) {
      clean(cause.summary);
      clean_evidence(cause.evidence);
      clean_evidence(cause.ruled_out);
      clean(cause.experiment);
      clean(cause.remedy);
    }
  }

 private:
  void clean(std::string& text) { text = changes_.text(text); }
  void clean_evidence(std::vector<std::string>& lines) {
    for (std::string& line : lines) line = changes_.evidence(line);
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
  template <typename Fact>
  void clean_id(Fact& id) {
    if (id) *id = changes_.gpu_id(*id);
  }
  void clean(std::map<std::string, std::string>& values) {
    for (auto& [name, value] : values) {
      if (is_secret_name(name) && !is_harmless_value(name, value))
        value = kRedacted;
      else
        clean(value);
    }
  }

  void clean(SoakGpu& gpu) {
    clean(gpu.arch);
    clean(gpu.ended);
    clean(gpu.counters_summary);
    for (SoakTest& test : gpu.tests) clean(test.summary);
    for (SoakError& error : gpu.errors) clean(error.what);
    for (SoakPeriod& period : gpu.periods) clean(period.throttle);
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
    if (machine.distro) clean(machine.distro->pretty);
    if (machine.process.environment) {
      std::erase_if(*machine.process.environment,
                    [](const auto& entry) { return !environment_name_allowed(entry.first); });
      for (auto& [name, value] : *machine.process.environment)
        value = changes_.variable(name, value);
    }
    clean(machine.kernel.release);
    for (std::vector<Gpu>* gpus : {&machine.gpus, &machine.other_gpus}) {
      for (Gpu& gpu : *gpus) {
        clean_id(gpu.hive);
        clean(gpu.name);
        clean(gpu.gfx_source);
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
    for (DeepDevice& device : probe.devices) clean_id(device.uuid);
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

  Changes changes_;
};

using Json = nlohmann::ordered_json;

/// All of a saved report, of which a Report keeps a part: it may have been written before reports
/// were cleaned, or by anybody.
class SavedCleaner {
 public:
  explicit SavedCleaner(const Cleaner::Changes& changes, std::vector<std::string> kept = {})
      : changes_(changes), kept_(std::move(kept)) {}

  /// `name` is that of the member whose value this is, or whose list this is an item of. Whether
  /// anything is another now.
  bool clean(Json& value, const std::string& name) const {
    if (value.is_object()) return clean_members(value, name);
    bool changed = false;
    if (value.is_array()) {
      for (Json& item : value) changed |= clean(item, name);
    } else if (value.is_string()) {
      changed = put(value, cleaned(name, value.get_ref<const std::string&>()));
    } else if (value.is_number() && is_secret_name(name) &&
               !is_harmless_value(name, value.dump())) {
      value = kRedacted;
      changed = true;
    }
    return changed;
  }

 private:
  static bool put(Json& text, std::string cleaned) {
    if (text.get_ref<const std::string&>() == cleaned) return false;
    text = std::move(cleaned);
    return true;
  }

  bool clean_members(Json& object, const std::string& name) const {
    const bool variables = name == "environment";
    bool changed = false;
    Json out = Json::object();
    for (auto& [key, value] : object.items()) {
      if (variables && !environment_name_allowed(key)) {
        changed = true;
        continue;
      }
      if (variables && value.is_string())
        changed |= put(value, changes_.variable(key, value.get_ref<const std::string&>()));
      if (std::ranges::find(kept_, key) == kept_.end()) changed |= clean(value, key);
      const std::string kept = is_plain(key) ? key : changes_.text(key);
      changed |= kept != key;
      out[kept] = std::move(value);
    }
    object = std::move(out);
    return changed;
  }

  /// Of the schema, or the like: nobody's name.
  static bool is_plain(const std::string& key) {
    return std::ranges::all_of(key, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
  }

  std::string cleaned(const std::string& name, const std::string& value) const {
    if (is_secret_name(name)) return is_harmless_value(name, value) ? value : kRedacted;
    if (name == "hive" || name == "uuid") return changes_.gpu_id(value);
    // What a value is often stands in its name: "version", "hostname", "serial".
    const std::string head = name + ": ";
    std::string text = changes_.text(head + value);
    return text.starts_with(head) ? text.substr(head.size()) : changes_.text(value);
  }

  const Cleaner::Changes& changes_;
  std::vector<std::string> kept_;
};

/// Each text of a report as SavedCleaner reads it: behind the name of its member.
void each_text(const Json& value, const std::string& name,
               const std::function<void(std::string_view)>& found) {
  if (value.is_string()) {
    found(name + ": " + value.get_ref<const std::string&>());
  } else if (value.is_array()) {
    for (const Json& item : value) each_text(item, name, found);
  } else if (value.is_object()) {
    for (const auto& [key, item] : value.items()) {
      found(key);
      each_text(item, key, found);
    }
  }
}

Report cleaned(Report report, const Cleaner::Changes& changes) {
  Cleaner(changes).clean(report);
  if (!report.saved_json.empty()) {
    auto saved = Json::parse(report.saved_json, nullptr, false);
    // As it was, to the byte, where there was nothing to clean.
    if (SavedCleaner(changes).clean(saved, "")) {
      report.saved_json.clear();
      report.saved_json = saved.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    }
  }
  return report;
}

/// Takes note of all the names that the texts of a report mention. Of what cleaning takes out
/// whatever the names are, the report has lost some then.
void learn(Report& report, Redactor& redactor) {
  const Change note = [&](std::string_view text) {
    redactor.learn(text);
    return std::string(text);
  };
  Cleaner({note, note,
           [&](std::string_view name, std::string_view value) {
             redactor.variable(name, value);
             return std::string(value);
           },
           note})
      .clean(report);
  if (!report.saved_json.empty()) {
    each_text(Json::parse(report.saved_json, nullptr, false), "",
              [&](std::string_view text) { redactor.learn(text); });
  }
}

Redactor learned(Report& report) {
  Redactor redactor = redactor_of(report);
  learn(report, redactor);
  return redactor;
}

/// For what is passed on.
Cleaner::Changes changes_of(Redactor& redactor) {
  const Change change = [&](std::string_view text) { return redactor.text(text); };
  return {
      change, change,
      [&](std::string_view name, std::string_view value) { return redactor.variable(name, value); },
      [&](std::string_view id) { return redactor.gpu_id(id); }};
}

/// What follows "application: " and "kernel log: " of a line of evidence.
std::string_view quoted_part(std::string_view line) {
  for (const std::string_view head : {"application: ", "kernel log: "}) {
    if (line.starts_with(head)) return line.substr(head.size());
  }
  return line;
}

/// What the machine's logs say; cleaning takes them out of a report.
struct Logs {
  std::string application;
  std::vector<KernelLine> kernel;

  explicit Logs(Machine& machine) {
    if (machine.app_log) application = std::move(*machine.app_log);
    if (machine.kernel_log) kernel = std::move(machine.kernel_log->lines);
  }

  /// Whether a line of evidence is one of theirs.
  bool hold(std::string_view line) const {
    const std::string_view said = quoted_part(line);
    if (said.size() != line.size()) return true;
    if (said.size() < 8) return false;
    const std::string_view parts[] = {said};
    return contains_one(application, parts) ||
           std::ranges::any_of(
               kernel, [&](const KernelLine& one) { return contains_one(one.text, parts); });
  }
};

}  // namespace

Report for_its_owner(Report report) {
  // Nobody types a line of a log, and many paste it.
  Redactor redactor = redactor_of(report);
  const Logs logs(report.machine);
  const auto evidence = [&](std::string_view line) {
    return logs.hold(line) ? redactor.text(line) : without_secrets(line);
  };
  const Change secrets = [](std::string_view text) { return without_secrets(text); };
  return cleaned(
      std::move(report),
      {secrets, evidence,
       [](std::string_view, std::string_view value) { return without_secrets(value); }, secrets});
}

Report shareable(Report report) {
  Redactor redactor = learned(report);
  return cleaned(std::move(report), changes_of(redactor));
}

Explanation shareable(Explanation explanation) {
  Redactor redactor(random_key());  // nothing is compared with it
  for (const ExplainedMessage& message : explanation.messages) redactor.learn(message.line);
  for (const std::string& line : explanation.unexplained) redactor.learn(line);
  const auto change = [&](std::string_view text) { return redactor.text(text); };
  for (ExplainedMessage& message : explanation.messages) message.line = change(message.line);
  for (std::string& line : explanation.unexplained) line = change(line);
  for (Reading& reading : explanation.readings) {
    reading.decided_by = change(reading.decided_by);
    for (Step& step : reading.remedy.steps) step.change(change);
    reading.experiment.change(change);
  }
  return explanation;
}

std::string passed_on(std::string_view text) {
  Redactor redactor(random_key());
  redactor.learn(text);
  return redactor.text(text);
}

Change as_shared(Report report) {
  return
      [redactor = learned(report)](std::string_view text) mutable { return redactor.text(text); };
}

std::string shareable_json(const std::string& json, const std::vector<const Report*>& reports,
                           const std::vector<std::string>& kept) {
  Redactor redactor = reports.size() == 1 ? redactor_of(*reports.front()) : Redactor(own_key());
  for (const Report* report : reports) {
    Report copy = *report;
    learn(copy, redactor);
  }
  const Cleaner::Changes changes = changes_of(redactor);
  auto value = Json::parse(json, nullptr, false);
  SavedCleaner(changes, kept).clean(value, "");
  return json_text(std::move(value));
}

}  // namespace rocvet
