#include <algorithm>

#include "base/path_walk.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/targets.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr std::string_view kVariableNotReachingProcessDoc = R"(
## What it looks for
Variables of ROCm in shell files, fish's universal variables, service units and compose files,
against the process's environment.

## Why it matters
`set -U` without -x, an assignment without export, or a variable of the shell that a service does
not inherit look set and do nothing.

## How to mend it
export it (fish: set -Ux); for a service `sudo systemctl edit SERVICE` with Environment=; in
compose under environment:.

## Not this
A variable that arrives and is wrong: RV601, RV602.

## References
- https://fishshell.com/docs/current/cmds/set.html
- https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html#Environment
)";

/// A unit gives its variables to its own program: /usr/lib/ollama/… of ollama.service.
bool is_of_unit(const VariableSetting& setting, std::string_view path) {
  if (setting.kind != "service" || setting.where.empty()) return false;
  const std::string name = setting.where.substr(0, setting.where.find('.'));
  return base_name(path) == name || path.find("/" + name + "/") != path.npos;
}

/// The variable would help: a GPU here has no code of its own and the override gives it some, or
/// the compiler does not find the files whose folder it tells.
bool needed(const Context& context, const VariableSetting& setting) {
  const Machine& machine = context.machine;
  if (setting.name == "HIP_DEVICE_LIB_PATH")
    return app_log_has(context, "cannot find ROCm device library");
  if (!setting.name.starts_with("HSA_OVERRIDE")) return false;
  const auto is_elsewhere = [&](const std::string& path) { return !is_of_unit(setting, path); };
  if (std::ranges::none_of(libraries_with(machine, gfx_of_override(setting.value)), is_elsewhere))
    return false;
  return std::ranges::any_of(gfx_present(machine), [&](const std::string& real) {
    return libraries_with(machine, real).empty();
  });
}

std::vector<Finding> run_variable_not_reaching_process(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  std::vector<Finding> findings;
  for (const VariableSetting& setting : machine.settings.variables) {
    if (!is_missed_when_unset(setting.name) || !variable_unset(machine, setting.name)) continue;
    const bool wanted = needed(context, setting);
    const std::string saw = setting.file + " sets " + setting.name + "=" + setting.value;
    if (!setting.exported) {
      findings.push_back(
          failing(setting.name + " is set but not exported")
              .saw(saw + ", not exported")
              .saw("the process does not have it")
              .sees("variable-not-exported")
              .fix({setting.kind == "fish" ? Step("set -Ux {} {}", setting.name, setting.value)
                                           : Step("export {}={}", setting.name, setting.value)}));
    } else if (wanted || (setting.name.starts_with("HSA_OVERRIDE") && lacks_code(context))) {
      findings.push_back(
          failing(setting.name + " is set elsewhere and does not reach this process")
              .saw(saw)
              .saw("the process does not have it")
              .sees(wanted ? ObservationName("needed-variable-set-elsewhere")
                           : ObservationName("variable-set-elsewhere"))
              .fix({Step("export {}={}", setting.name, setting.value),
                    "where a service or a container runs it: Environment= of the unit, or -e"}));
    } else if (setting.kind == "service" || setting.kind == "compose") {
      // Its own program has it.
      findings.push_back(passing(setting.name + " is set in " + setting.file).saw(saw));
    } else {
      findings.push_back(
          passing(setting.name + " is set in " + setting.file + " and not in this process")
              .saw(saw)
              .sees("variable-set-elsewhere"));
    }
  }
  // A service that needs what only the shell has.
  if (machine.access.services) {
    for (const Service& service : *machine.access.services) {
      const auto own = variable(machine, "HSA_OVERRIDE_GFX_VERSION");
      if (!own || !*own || service.environment.count("HSA_OVERRIDE_GFX_VERSION") != 0 ||
          !service.environment_files.empty())
        continue;
      findings.push_back(
          passing(service.name + " does not have the shell's HSA_OVERRIDE_GFX_VERSION")
              .about(service.name)
              .saw("the unit has no Environment= for it")
              .sees("service-lacks-the-shells-override")
              .fix(
                  {Step("printf '[Service]\\nEnvironment=%s\\n' HSA_OVERRIDE_GFX_VERSION={} | sudo "
                        "install -D -m 644 /dev/stdin /etc/systemd/system/{}.d/gpu-variable.conf",
                        **own, service.name),
                   "sudo systemctl daemon-reload", Step("sudo systemctl restart {}", service.name)})
              .root());
    }
  }
  return or_pass(std::move(findings), "every variable that is set reaches the process");
}

}  // namespace

extern const Check kVariableNotReachingProcess;
constinit const Check kVariableNotReachingProcess{
    .code = "RV603",
    .id = "variable-not-reaching-process",
    .topic = "environment",
    .title = "A variable is set somewhere, but the process does not have it",
    .doc = kVariableNotReachingProcessDoc,
    .run = run_variable_not_reaching_process};

}  // namespace rocvet
