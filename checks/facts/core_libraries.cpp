#include "checks/facts/core_libraries.h"

#include <algorithm>

#include "base/path_walk.h"
#include "checks/facts/sonames.h"
#include "formats/library_names.h"

namespace rocvet {
namespace {

constexpr std::string_view kCore[] = {"amdhip64", "hsa-runtime64", "amd_comgr", "hiprtc"};

Brought how_it_came(const LoadedLibrary& library) {
  if (library.via == "LD_PRELOAD") return Brought::by_preload;
  if (is_bound_from_host(library.path)) return Brought::by_host_of_container;
  if (library.via == "LD_LIBRARY_PATH") return Brought::by_library_path;
  if (library.via == "RPATH" || library.via == "RUNPATH") return Brought::by_program;
  return Brought::by_nothing;
}

/// The copy of a library in a folder of HIP's own: what belongs to it.
std::string copy_beside(const Machine& machine, const LoadedLibrary& hip,
                        const LoadedLibrary& library) {
  for (const RocmInstall& install : machine.software.rocm) {
    for (const Library& copy : install.libraries) {
      if (parent_path(copy.real) == parent_path(hip.real) && copy.real != library.real &&
          copy.elf.soname == library.soname)
        return copy.path;
    }
  }
  return "";
}

}  // namespace

bool is_core_family(std::string_view family) {
  return std::ranges::find(kCore, family) != std::end(kCore);
}

std::string family_of(const LoadedLibrary& library) {
  return parse_library_name(library.soname.empty() ? base_name(library.path) : library.soname)
      .family;
}

BroughtLibrary brought_core_library(const Machine& machine) {
  for (const ProcessLibraries& process : machine.software.processes) {
    const auto hip = std::ranges::find_if(process.libraries, [](const LoadedLibrary& library) {
      return family_of(library) == "amdhip64";
    });
    if (hip == process.libraries.end()) continue;
    for (const LoadedLibrary& library : process.libraries) {
      if (!is_core_family(family_of(library)) ||
          parent_path(library.real) == parent_path(hip->real))
        continue;
      const Brought how = how_it_came(library);
      if (how == Brought::by_nothing) continue;
      const std::string instead = copy_beside(machine, *hip, library);
      if (!instead.empty()) return {how, &process, &library, instead};
    }
  }
  return {};
}

}  // namespace rocvet
