#include "checks/facts/environment.h"

namespace rocvet {
namespace {

std::string place(const VariableSetting& setting) {
  return setting.where.empty() ? setting.file : setting.file + " (" + setting.where + ")";
}

}  // namespace

Result<std::optional<std::string>> variable(const Machine& machine, std::string_view name) {
  if (!machine.process.environment) return machine.process.environment.error();
  const auto found = machine.process.environment->find(std::string(name));
  if (found == machine.process.environment->end()) return std::optional<std::string>();
  return std::optional<std::string>(found->second);
}

std::string variable_or_empty(const Machine& machine, std::string_view name) {
  const auto value = variable(machine, name);
  return value && *value ? **value : "";
}

bool variable_unset(const Machine& machine, std::string_view name) {
  const auto value = variable(machine, name);
  return value && !*value;
}

std::vector<std::string> places_that_set(const Machine& machine, std::string_view name) {
  std::vector<std::string> places;
  for (const VariableSetting& setting : machine.settings.variables) {
    if (setting.name == name) places.push_back(place(setting));
  }
  return places;
}

std::optional<EffectiveVariable> effective_variable(const Machine& machine, std::string_view name) {
  if (const auto own = variable(machine, name); own && *own)
    return EffectiveVariable{**own, "the environment", true};
  for (const VariableSetting& setting : machine.settings.variables) {
    if (setting.name == name && setting.exported &&
        (setting.kind == "service" || setting.kind == "compose" || setting.kind == "environment"))
      return EffectiveVariable{setting.value, place(setting), false};
  }
  return std::nullopt;
}

}  // namespace rocvet
