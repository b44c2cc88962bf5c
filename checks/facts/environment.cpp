#include "checks/facts/environment.h"

#include <algorithm>

#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

std::string place(const VariableSetting& setting) {
  return setting.where.empty() ? setting.file : setting.file + " (" + setting.where + ")";
}

/// Variables that a process misses when they are set somewhere and do not reach it.
constexpr std::string_view kMissed[] = {"HSA_OVERRIDE_GFX_VERSION",
                                        "ROCR_VISIBLE_DEVICES",
                                        "HIP_VISIBLE_DEVICES",
                                        "HSA_ENABLE_DXG_DETECTION",
                                        "HSA_XNACK",
                                        "HSA_ENABLE_SDMA",
                                        "NCCL_P2P_DISABLE",
                                        "MIOPEN_USER_DB_PATH",
                                        "MIOPEN_CUSTOM_CACHE_DIR",
                                        "ROCM_PATH",
                                        "HIP_PATH",
                                        "GGML_CUDA_P2P",
                                        "OLLAMA_LLM_LIBRARY",
                                        "RUSTICL_ENABLE"};

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

bool is_missed_when_unset(std::string_view name) {
  return std::find(std::begin(kMissed), std::end(kMissed), name) != std::end(kMissed) ||
         name.starts_with("HSA_OVERRIDE_GFX_VERSION_");
}

bool some_variable_elsewhere(const Context& context) {
  const Machine& machine = context.machine;
  for (const VariableSetting& setting : machine.settings.variables) {
    if (is_missed_when_unset(setting.name) && variable_unset(machine, setting.name)) return true;
  }
  const bool services = machine.access.services && !machine.access.services->empty();
  return std::any_of(std::begin(kMissed), std::end(kMissed), [&](std::string_view name) {
    const auto own = variable(machine, name);
    return (services && own && *own) || app_log_has(context, name);
  });
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
