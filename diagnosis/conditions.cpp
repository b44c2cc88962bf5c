#include "diagnosis/conditions.h"

#include <algorithm>
#include <utility>

#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

Truth truth(bool yes) {
  return yes ? Truth::yes : Truth::no;
}

template <typename T>
Truth truth_of(const Result<T>& fact, bool yes_when_there) {
  if (fact) return truth(yes_when_there);
  return fact.is_missing() ? Truth::no : Truth::unknown;
}

std::size_t gpus_of(const Machine& machine, GpuKind kind) {
  return static_cast<std::size_t>(std::count_if(machine.gpus.begin(), machine.gpus.end(),
                                                [&](const Gpu& gpu) { return gpu.kind == kind; }));
}

/// GPUs that are not seen are not there: a container may see a part of them.
Truth no_more_gpus(const Machine& machine) {
  return machine.gpus_readable && !machine.surroundings.container ? Truth::no : Truth::unknown;
}

Truth some_gpu(const Context& context) {
  return has_gpu(context.machine) ? Truth::yes : no_more_gpus(context.machine);
}

Truth both_kinds(const Context& context) {
  const Machine& machine = context.machine;
  const bool both = gpus_of(machine, GpuKind::apu) > 0 && gpus_of(machine, GpuKind::dgpu) > 0;
  return both ? Truth::yes : no_more_gpus(machine);
}

Truth some_of_kind(const Context& context, GpuKind kind) {
  if (gpus_of(context.machine, kind) > 0) return Truth::yes;
  const bool all_known = gpus_of(context.machine, GpuKind::unknown) == 0;
  return all_known && !context.machine.gpus.empty() ? Truth::no : Truth::unknown;
}

Truth several_gpus(const Context& context) {
  return context.machine.gpus.size() > 1 ? Truth::yes : no_more_gpus(context.machine);
}

Truth in_hive(const Context& context) {
  for (const Gpu& gpu : context.machine.gpus) {
    if (gpu.hive) return Truth::yes;
  }
  return context.machine.gpus.size() > 1 ? Truth::unknown : no_more_gpus(context.machine);
}

Truth dkms_driver(const Context& context) {
  const Driver& driver = context.machine.driver;
  if (driver.amdgpu && driver.origin == DriverOrigin::dkms) return Truth::yes;
  if (!driver.dkms_sources.empty() || (driver.dkms_trees && !driver.dkms_trees->empty()) ||
      (driver.dkms && !driver.dkms->empty()))
    return Truth::yes;
  return driver.dkms_trees || driver.dkms_trees.is_missing() ? Truth::no : Truth::unknown;
}

/// Whether a framework of this name ("": any) was found; the name is that of its package.
Truth framework(const Context& context, std::string_view name) {
  const auto& environments = context.machine.software.python;
  for (const PythonEnvironment& environment : environments) {
    for (const Framework& one : environment.frameworks) {
      if (name.empty() || one.name == name) return Truth::yes;
    }
  }
  // An environment elsewhere may not have been looked at.
  return environments.empty() ? Truth::unknown : Truth::no;
}

Truth some_rocm(const Context& context) {
  const Software& software = context.machine.software;
  if (!software.rocm.empty() || framework(context, "") == Truth::yes) return Truth::yes;
  return Truth::unknown;
}

Truth some_service(const Context& context) {
  const auto& services = context.machine.access.services;
  return truth_of(services, services && !services->empty());
}

Truth variable(const Context& context, std::initializer_list<std::string_view> names) {
  return truth(std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    return effective_variable(context.machine, name).has_value();
  }));
}

using Judge = Truth (*)(const Context&);
constexpr std::pair<std::string_view, Judge> kConditions[] = {
    {"amd-gpu", some_gpu},
    {"wsl", [](const Context& c) { return truth(c.machine.surroundings.wsl); }},
    {"container", [](const Context& c) { return truth(c.machine.surroundings.container); }},
    {"vm",
     [](const Context& c) {
       const auto& vm = c.machine.surroundings.virtual_machine;
       return truth_of(vm, vm && *vm);
     }},
    {"apu", [](const Context& c) { return some_of_kind(c, GpuKind::apu); }},
    {"dgpu", [](const Context& c) { return some_of_kind(c, GpuKind::dgpu); }},
    {"igpu-and-dgpu", both_kinds},
    {"several-gpus", several_gpus},
    {"hive", in_hive},
    {"dkms-driver", dkms_driver},
    {"amdgpu-loaded", [](const Context& c) { return truth_of(c.machine.driver.amdgpu, true); }},
    {"rocm", some_rocm},
    {"wheel", [](const Context& c) { return framework(c, ""); }},
    {"torch", [](const Context& c) { return framework(c, "torch"); }},
    {"override-set", [](const Context& c) { return variable(c, {"HSA_OVERRIDE_GFX_VERSION"}); }},
    {"visibility-set",
     [](const Context& c) {
       return variable(c, {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES",
                           "GPU_DEVICE_ORDINAL"});
     }},
    {"service", some_service},
    {"complaint", [](const Context& c) { return truth(!spoken(c).empty()); }},
};

}  // namespace

std::vector<std::string_view> condition_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, judge] : kConditions) names.push_back(name);
  return names;
}

Truth condition(const Context& context, std::string_view word) {
  const bool negated = word.starts_with('!');
  if (negated) word.remove_prefix(1);
  for (const auto& [name, judge] : kConditions) {
    if (name != word) continue;
    const Truth found = judge(context);
    if (!negated || found == Truth::unknown) return found;
    return truth(found == Truth::no);
  }
  return Truth::unknown;
}

}  // namespace rocvet
