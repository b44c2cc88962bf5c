// Shared libraries by name: which files have it, which have another major version.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

struct Whereabouts {
  std::vector<std::string> exact;         ///< files of just this name
  std::vector<std::string> other_majors;  ///< the same library with another number
  bool of_distribution = false;           ///< those lie in the system's own folders
};
Whereabouts whereabouts(const Machine& machine, std::string_view soname);
/// "libamdhip64" of "libamdhip64.so.6".
std::string_view stem_of_soname(std::string_view soname);
/// A library of ROCm, or one that ROCm's libraries stand on.
bool is_rocm_soname(std::string_view soname);
/// The command that installs it, where the owner is known; "" otherwise.
Step package_of_soname(const Machine& machine, std::string_view soname);

}  // namespace rocvet
