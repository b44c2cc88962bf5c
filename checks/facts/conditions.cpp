#include "checks/facts/conditions.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "checks/driver/driver_packages.h"
#include "checks/facts/core_libraries.h"
#include "checks/facts/dropped_targets.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/modules.h"
#include "checks/facts/node_access.h"
#include "checks/facts/packages.h"
#include "checks/facts/siblings.h"
#include "checks/logs/app_errors.h"
#include "db/condition_names.h"

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
  // Of the one that is loaded, or of the one that would be: it may be refused.
  if (driver.origin == DriverOrigin::dkms) return Truth::yes;
  if (!driver.dkms_sources.empty() || (driver.dkms_trees && !driver.dkms_trees->empty()) ||
      (driver.dkms && !driver.dkms->empty()) || !dkms_packages(context.machine).empty())
    return Truth::yes;
  return driver.dkms_trees || driver.dkms_trees.is_missing() ? Truth::no : Truth::unknown;
}

/// Whether a framework was found whose package has a name that fits.
template <typename Fits>
Truth some_framework(const Context& context, const Fits& fits) {
  const auto& environments = context.machine.software.python;
  for (const PythonEnvironment& environment : environments) {
    for (const Framework& one : environment.frameworks) {
      if (fits(one.name)) return Truth::yes;
    }
  }
  // An environment elsewhere may not have been looked at.
  return environments.empty() ? Truth::unknown : Truth::no;
}

/// Whether a framework of this name ("": any) was found; the name is that of its package.
Truth framework(const Context& context, std::string_view name) {
  return some_framework(context, [&](std::string_view one) { return name.empty() || one == name; });
}

/// A framework whose build decides for which GPUs there is code; what only stands on one is none.
Truth gpu_framework(const Context& context) {
  const Truth found = some_framework(context, is_base_framework);
  if (found != Truth::unknown || spoken(context).empty()) return found;
  const auto& names = context.db.knowledge().words("speaks-of-frameworks");
  for (const AppError& error : app_errors(context)) {
    if (contains_one(lower(error.text->from), names)) return found;
  }
  // A program that failed and never spoke of Python or of a framework is no framework.
  return app_log_has_one(context, "speaks-of-frameworks") ? found : Truth::no;
}

/// Its file could be read: no library has neither a name nor a need.
bool was_read(const Library& library) {
  return !library.elf.soname.empty() || !library.elf.needed.empty() || !library.elf.gfx.empty();
}

/// Of applications and of modules beside a framework. Where none is here, one may lie anywhere.
Truth some_code_lacks_the_gpu(const Context& context) {
  const Software& software = context.machine.software;
  const auto set = effective_variable(context.machine, "HSA_OVERRIDE_GFX_VERSION");
  std::vector<std::string> wanted = gfx_present(context.machine);
  if (set && !gfx_of_override(set->value).empty()) wanted = {gfx_of_override(set->value)};
  if (wanted.empty()) return Truth::unknown;
  const auto lacks = [&](const std::vector<std::string>& targets) {
    return !targets.empty() &&
           std::none_of(wanted.begin(), wanted.end(),
                        [&](const std::string& gfx) { return any_target_fits(targets, gfx); });
  };
  bool any = false, all_read = true;
  const auto look_at = [&](const std::vector<Library>& libraries) {
    any |= !libraries.empty();
    all_read &= std::all_of(libraries.begin(), libraries.end(), was_read);
  };
  for (const DeviceModule& module : device_modules(context.machine)) {
    if (lacks(module.targets) || !files_that_lack(module, wanted).empty()) return Truth::yes;
  }
  for (const PythonEnvironment& python : software.python) {
    for (const Framework& one : python.frameworks) {
      if (is_own_build(one) && is_built_for_known_targets(one) && lacks(one.gfx)) return Truth::yes;
    }
  }
  for (const Application& application : software.applications) {
    if (lacks(application.gfx)) return Truth::yes;
    look_at(application.libraries);
  }
  for (const BuildTargets& build : software.build_targets) {
    if (lacks(build.targets)) return Truth::yes;
  }
  for (const PythonEnvironment& python : software.python) {
    look_at(python.extensions);
    for (const Framework& framework : python.frameworks) {
      if (!is_base_framework(framework.name)) look_at(framework.libraries);
    }
  }
  return any && all_read ? Truth::no : Truth::unknown;
}

Truth some_rocm(const Context& context) {
  const Software& software = context.machine.software;
  if (!software.rocm.empty() || framework(context, "") == Truth::yes) return Truth::yes;
  return Truth::unknown;
}

Truth some_service(const Context& context) {
  if (!service_of_process(context.machine).empty() || app_log_has(context, ".service: "))
    return Truth::yes;
  const auto& services = context.machine.access.services;
  return truth_of(services, services && !services->empty());
}

Truth variable(const Context& context, std::initializer_list<std::string_view> names) {
  const bool set = std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    return effective_variable(context.machine, name).has_value();
  });
  if (set) return Truth::yes;
  return context.machine.process.environment ? Truth::no : Truth::unknown;
}

/// For all GPUs, or for one of KFD's nodes.
Truth override_set(const Context& context) {
  const auto& environment = context.machine.process.environment;
  if (environment) {
    const auto at = environment->lower_bound("HSA_OVERRIDE_GFX_VERSION_");
    if (at != environment->end() && at->first.starts_with("HSA_OVERRIDE_GFX_VERSION_"))
      return Truth::yes;
  }
  return variable(context, {"HSA_OVERRIDE_GFX_VERSION"});
}

/// What a machine of which nothing is known may be all the same.
Truth surrounded(const Context& context, bool by_this) {
  if (by_this) return Truth::yes;
  const bool seen = context.machine.surroundings.environment != Environment::unknown ||
                    context.machine.process.cgroup.has_value();
  return seen ? Truth::no : Truth::unknown;
}

/// Some GPU is of the part that MI300A is: a processor of this target.
Truth some_mi300a(const Context& context) {
  const auto& gpus = context.machine.gpus;
  const bool here = std::any_of(gpus.begin(), gpus.end(), [](const Gpu& gpu) {
    return gpu.kind == GpuKind::apu && gpu.gfx && *gpu.gfx == "gfx942";
  });
  return truth(here);
}

/// By the chassis that SMBIOS tells.
Truth some_laptop(const Context& context) {
  const auto chassis = parse_number(context.machine.dmi.chassis_type.value_or(""));
  return truth(chassis && ((*chassis >= 8 && *chassis <= 11) || *chassis == 14 ||
                           (*chassis >= 30 && *chassis <= 32)));
}

/// The command that a unit starts runs a container.
bool starts_container(const Service& service) {
  constexpr std::string_view kCommands[] = {"docker run",     "docker compose", "docker-compose",
                                            "podman run",     "podman start",   "docker start",
                                            "podman-compose", "apptainer ",     "singularity "};
  return std::any_of(std::begin(kCommands), std::end(kCommands), [&](std::string_view command) {
    return service.exec_start.find(command) != std::string::npos;
  });
}

/// What runs containers, and what people call them.
bool speaks_of_containers(const Context& context) {
  return app_log_has_one(context, "speaks-of-containers");
}

/// A program did not find the node that this machine has: it ran elsewhere.
bool log_is_of_elsewhere(const Context& context) {
  if (!context.machine.kfd.stat) return false;
  return has_app_error(context, "kfd-enoent") || has_app_error(context, "ollama-kfd-missing");
}

/// A cgroup stands between the process and a node, as runtimes of containers and Slurm set it up.
bool refused_by_cgroup(const Machine& machine) {
  if (open_errno(machine.kfd.open) == "EPERM") return true;
  return std::any_of(machine.render_nodes.begin(), machine.render_nodes.end(),
                     [](const DeviceNode& node) { return open_errno(node.open) == "EPERM"; });
}

/// Whether what fails may run in a container: this is one, one is defined here, a job's cgroup
/// shows, or the log speaks of one.
Truth container_in_play(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.surroundings.container || !machine.settings.compose.empty() ||
      !machine.settings.lxc.empty() || refused_by_cgroup(machine) ||
      variable(context, {"SLURM_JOB_ID"}) == Truth::yes)
    return Truth::yes;
  const auto& services = machine.access.services;
  if (services && std::any_of(services->begin(), services->end(), starts_container))
    return Truth::yes;
  if (speaks_of_containers(context) || log_is_of_elsewhere(context)) return Truth::yes;
  return surrounded(context, false);
}

/// Whether what fails may run in a sandbox: this is one, or the log speaks of one.
Truth sandbox_in_play(const Context& context) {
  const Environment here = context.machine.surroundings.environment;
  if (is_sandbox(here)) return Truth::yes;
  // A security module confined a program.
  if (!context.machine.access.security.denials.empty()) return Truth::yes;
  if (app_log_has_one(context, "speaks-of-sandboxes")) return Truth::yes;
  return surrounded(context, false);
}

Truth rocm_of_distribution(const Context& context) {
  const auto& installs = context.machine.software.rocm;
  if (installs.empty()) return Truth::unknown;
  return truth(std::ranges::any_of(installs, [](const RocmInstall& install) {
    return install.owner == RocmOwner::distro_packages || install.owner == RocmOwner::unknown;
  }));
}

Truth libclc_absent(const Context& context) {
  if (!context.machine.software.packages) return Truth::unknown;
  return truth(find_packages(context.machine, "libclc*").empty());
}

/// Whether a framework or a program may bring a runtime of its own.
Truth runtime_brought_along(const Context& context) {
  const Brought how = brought_core_library(context.machine).how;
  if (how == Brought::by_program) return Truth::yes;
  // TensorFlow's wheels for ROCm take the system's.
  return some_framework(context,
                        [](std::string_view name) { return !name.starts_with("tensorflow"); });
}

/// What computes on GPUs, and what people call it.
bool speaks_of_computing(const Context& context) {
  return app_log_has_one(context, "speaks-of-computing");
}

/// Whether anything here computes on a GPU, or is to: who only plays and watches films needs no
/// access to KFD. Nobody can list all programs: what is not seen is unknown.
Truth compute_in_play(const Context& context) {
  const bool here = program_complains(context) || some_rocm(context) == Truth::yes ||
                    runtime_brought_along(context) == Truth::yes ||
                    container_in_play(context) == Truth::yes || speaks_of_computing(context) ||
                    !context.machine.software.opencl_libraries.empty();
  return here ? Truth::yes : Truth::unknown;
}

using JudgeOf = Truth (*)(const Context&);
struct Condition {
  std::string_view name;
  JudgeOf judge;
  std::string_view is, is_not;  ///< sentences: the machine is so, and it is not
  /// What was not found where it is not so.
  Absence absence = Absence::thing;
};
constexpr Condition kConditions[] = {
    {"amd-gpu", some_gpu, "there is an AMD GPU here", "there is no AMD GPU here", Absence::gpu},
    {"wsl", [](const Context& c) { return surrounded(c, c.machine.surroundings.wsl); },
     "this is WSL", "this is not WSL", Absence::surroundings},
    {"container", [](const Context& c) { return surrounded(c, c.machine.surroundings.container); },
     "this is a container", "this is no container", Absence::surroundings},
    {"vm",
     [](const Context& c) {
       const auto& vm = c.machine.surroundings.virtual_machine;
       return truth_of(vm, vm && *vm);
     },
     "this is a virtual machine", "this is no virtual machine", Absence::surroundings},
    {"apu", [](const Context& c) { return some_of_kind(c, GpuKind::apu); }, "there is an APU here",
     "there is no APU here", Absence::gpu},
    {"dgpu", [](const Context& c) { return some_of_kind(c, GpuKind::dgpu); },
     "there is a card here", "no GPU here has memory of its own", Absence::gpu},
    {"igpu-and-dgpu", both_kinds, "there are an APU and a card here",
     "there are no two kinds of GPUs here", Absence::gpu},
    {"several-gpus", several_gpus, "there are several GPUs here", "there is one GPU here",
     Absence::gpu},
    {"hive", in_hive, "GPUs are joined by XGMI here", "no GPUs are joined by XGMI here",
     Absence::gpu},
    {"rocm", some_rocm, "there is ROCm here", "there is no ROCm here"},
    {"dkms-driver", dkms_driver, "the driver is DKMS's", "there is no DKMS driver here"},
    {"amdgpu-loaded", [](const Context& c) { return truth_of(c.machine.driver.amdgpu, true); },
     "amdgpu is loaded", "amdgpu is not loaded"},
    {"wheel", [](const Context& c) { return framework(c, ""); }, "there is a framework here",
     "there is no framework here"},
    {"torch", [](const Context& c) { return framework(c, "torch"); }, "there is PyTorch here",
     "there is no PyTorch here"},
    {"gpu-framework", gpu_framework, "there is a framework whose build decides of GPUs here",
     "there is no PyTorch, TensorFlow, JAX or ONNX Runtime here"},
    {"override-set", override_set, "HSA_OVERRIDE_GFX_VERSION is set",
     "HSA_OVERRIDE_GFX_VERSION is not set"},
    {"service", some_service, "there is a service here", "there is no service here"},
    {"complaint", [](const Context& c) { return truth(!spoken(c).empty()); }, "a log was given",
     "nobody complains of anything", Absence::none},
    {"visibility-set",
     [](const Context& c) {
       return variable(c, {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES",
                           "GPU_DEVICE_ORDINAL"});
     },
     "a visibility variable is set", "no visibility variable is set"},
    {"variable-elsewhere",
     [](const Context& c) {
       return c.machine.process.environment ? truth(some_variable_elsewhere(c)) : Truth::unknown;
     },
     "a variable of ROCm is set where this process does not get it, or is spoken of",
     "no variable of ROCm is set anywhere but in this process"},
    {"code-that-lacks-the-gpu", some_code_lacks_the_gpu,
     "an application or a module beside the framework has no code for a GPU here",
     "the applications and modules that are here have code for the GPUs, or need none"},
    {"instinct", [](const Context& c) { return truth(any_instinct(c)); },
     "there is a data-centre GPU here", "there is no data-centre GPU here", Absence::gpu},
    {"mi300a", some_mi300a, "there is an MI300A here", "there is no MI300A here", Absence::gpu},
    {"laptop", some_laptop, "this is a laptop", "this is no laptop", Absence::none},
    {"equal-cards", [](const Context& c) { return truth(!equal_cards(c.machine).empty()); },
     "there are cards of one part", "there are no two cards of one part", Absence::gpu},
    {"gpu-in-kfd", [](const Context& c) { return truth(!kfd_gpus(c.machine).empty()); },
     "KFD lists a GPU", "KFD lists no GPU", Absence::gpu},
    {"container-in-play", container_in_play, "a container is in play here",
     "no container is in play here"},
    {"target-dropped", target_dropped, "a ROCm here is newer than the last that lists a GPU here",
     "no ROCm here is newer than the last that lists the GPUs here"},
    {"sandbox-in-play", sandbox_in_play, "a sandbox is in play here", "no sandbox is in play here"},
    {"runtime-brought-along", runtime_brought_along,
     "a framework or a program here may bring its own ROCm runtime",
     "no framework or program here brings a ROCm runtime"},
    {"compute-in-play", compute_in_play, "something here computes on GPUs, or is to",
     "nothing here computes on GPUs"},
    {"rocm-of-distribution", rocm_of_distribution, "ROCm here may be the distribution's",
     "no ROCm here is the distribution's"},
    {"libclc-absent", libclc_absent, "Mesa's libclc is not installed",
     "Mesa's libclc is installed"},
};

static_assert(std::ranges::equal(kConditions, kConditionNames, {}, &Condition::name),
              "db/condition_names.h has the same words in the same order");

const Condition* condition_of(std::string_view name) {
  const auto found = std::ranges::find(kConditions, name, &Condition::name);
  return found == std::end(kConditions) ? nullptr : found;
}

}  // namespace

Truth condition(const Context& context, std::string_view word) {
  const bool negated = word.starts_with('!');
  if (negated) word.remove_prefix(1);
  const Condition* found = condition_of(word);
  if (found == nullptr) return Truth::unknown;
  const Truth is = found->judge(context);
  if (!negated || is == Truth::unknown) return is;
  return truth(is == Truth::no);
}

std::optional<Finding> unmet(const Context& context, std::string_view word) {
  if (word == "amd-gpu") return skip_without_gpu(context);
  const Truth is = condition(context, word);
  if (is == Truth::yes) return std::nullopt;
  const bool negated = word.starts_with('!');
  const Condition* found = condition_of(word.substr(negated ? 1 : 0));
  if (found == nullptr) return skip("nobody knows '" + std::string(word) + "'");
  if (is == Truth::unknown)
    return none_here("not known: " + std::string(negated ? found->is_not : found->is),
                     found->absence);
  if (negated) return skip(std::string(found->is));
  return none_here(std::string(found->is_not), found->absence);
}

}  // namespace rocvet
