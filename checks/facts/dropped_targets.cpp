#include "checks/facts/dropped_targets.h"

#include <algorithm>

#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/modules.h"
#include "checks/facts/situation.h"
#include "db/version.h"
#include "formats/library_names.h"

namespace rocvet {
namespace {

/// gfx803 stands before gfx900, gfx906 before gfx90a, gfx90a before gfx1030.
bool before(std::string_view one, std::string_view other) {
  return one.size() != other.size() ? one.size() < other.size() : one < other;
}

/// A card of a generation before the oldest that the build has code for. Integrated GPUs were
/// left out of builds at all times.
bool older_than_all(const Machine& machine, const std::string& gfx,
                    const std::vector<std::string>& targets) {
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.gfx && *gpu.gfx == gfx && gpu.kind == GpuKind::apu) return false;
  }
  return !targets.empty() &&
         std::all_of(targets.begin(), targets.end(), [&](const std::string& target) {
           return before(gfx, target.substr(0, target.find_first_of(":-")));
         });
}

}  // namespace

bool is_built_for_known_targets(const Framework& framework) {
  return framework.build != "cuda" && framework.build != "cpu" && !framework.gfx.empty() &&
         is_base_framework(framework.name);
}

bool is_own_build(const Framework& framework) {
  return framework.name == "torch" && framework.version.find('+') == std::string::npos &&
         !framework.root.starts_with("/usr/lib");
}

bool dropped_by_framework(const Context& context, const std::string& gfx,
                          const Framework& framework) {
  const std::string built =
      framework.hip_version ? *framework.hip_version : rocm_version(context.machine);
  // A build for a few targets says nothing of a release that lists the GPU.
  const Result<Answer> answer = context.db.ask({.gpu = gfx, .rocm = built});
  const Support listed = answer ? answer->verdict : Support::unknown;
  if (listed == Support::supported || listed == Support::deprecated || listed == Support::enabled)
    return false;
  if (older_than_all(context.machine, gfx, framework.gfx)) return true;
  const auto until = Version::parse(context.db.last_rocm_for(gfx));
  const auto of = Version::parse(built);
  return until && of && *until < *of;
}

bool dropped_by_libraries(const Context& context, const std::string& gfx) {
  for (const RocmInstall& install : context.machine.software.rocm) {
    if (install.owner == RocmOwner::wheel || install.owner == RocmOwner::app_bundle) continue;
    std::vector<std::string> targets;
    int libraries = 0;
    bool blas = false;
    const auto see = [&](std::string_view name, const std::vector<std::string>& of) {
      if (of.empty()) return;
      ++libraries;
      blas |= name == "rocblas";
      targets.insert(targets.end(), of.begin(), of.end());
    };
    for (const Library& library : install.libraries)
      see(parse_library_name(library.elf.soname).family, library.elf.gfx);
    for (const auto& [name, of] : install.kernel_targets) see(name, of);
    if ((blas || libraries >= 3) && older_than_all(context.machine, gfx, targets)) return true;
  }
  return false;
}

Truth target_dropped(const Context& context) {
  const Machine& machine = context.machine;
  bool known = true;
  std::vector<Version> here;
  const auto see = [&](const Result<std::string>& text) {
    const auto version = Version::parse(text.value_or(std::string()));
    if (version) here.push_back(*version);
    known &= version.has_value();
  };
  for (const RocmInstall& install : machine.software.rocm) see(install.version);
  const std::vector<std::string> present = gfx_present(machine);
  if (present.empty()) return Truth::unknown;
  for (const std::string& gfx : present) {
    if (dropped_by_libraries(context, gfx)) return Truth::yes;
  }
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks) {
      if (framework.hip_version) see(framework.hip_version);
      if (!is_built_for_known_targets(framework)) continue;
      for (const std::string& gfx : present) {
        if (!any_target_fits(framework.gfx, gfx) && dropped_by_framework(context, gfx, framework))
          return Truth::yes;
      }
    }
  }
  known &= !here.empty();
  bool ever = false;
  for (const std::string& gfx : present) {
    const auto last = Version::parse(context.db.last_rocm_for(gfx));
    if (!last) continue;
    ever = true;
    for (const Version& version : here) {
      if (*last < version) return Truth::yes;
    }
  }
  return ever && !known ? Truth::unknown : Truth::no;
}

}  // namespace rocvet
