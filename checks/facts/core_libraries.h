// The libraries of ROCm's core, which are built for each other, in the processes that were
// replayed.
#pragma once

#include <string>
#include <string_view>

#include "checks/check.h"

namespace rocvet {

/// HIP, ROCr, comgr and hipRTC: "amdhip64", "hsa-runtime64", "amd_comgr", "hiprtc".
bool is_core_family(std::string_view family);
/// "amdhip64" of a library of a process, by its soname, else by its file's name.
std::string family_of(const LoadedLibrary& library);

/// How a process comes by a library of the core that is not of the tree which its HIP is from.
enum class Brought { by_nothing, by_preload, by_library_path, by_host_of_container, by_program };
struct BroughtLibrary {
  Brought how = Brought::by_nothing;
  const ProcessLibraries* process = nullptr;
  const LoadedLibrary* library = nullptr;
  std::string instead_of;  ///< the copy beside the process's HIP, which the program does not get
};
/// The first such library of all processes; `by_nothing` when there is none.
BroughtLibrary brought_core_library(const Machine& machine);

}  // namespace rocvet
