// Shared libraries by name: which files have it, which have another major version.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

struct Whereabouts {
  std::vector<std::string> exact;         ///< files of just this name that the loader does not find
  std::vector<std::string> other_majors;  ///< a library of ROCm with another number
  std::vector<std::string> found;         ///< files of just this name that every program finds
  std::vector<std::string> bundled;       ///< those that another program brings for itself
  bool of_distribution = false;           ///< other_majors lie in the system's own folders
};
/// Where a library is that `by` ("" when that is not known) did not find.
Whereabouts whereabouts(const Machine& machine, std::string_view soname, std::string_view by);
/// "libamdhip64" of "libamdhip64.so.6".
std::string_view stem_of_soname(std::string_view soname);
/// A file in the folders that belong to the distribution's packages.
bool is_of_system(std::string_view path);
/// A file in a Python environment's folder of packages.
bool is_in_site_packages(std::string_view path);
/// A file that a package manager did not lay there: of a wheel, or of a program that brings all of
/// its own (a home folder, /opt but for ROCm). What pip put below /usr/local is a wheel's.
bool is_of_wheel_or_bundle(std::string_view path);
/// The Python package that a file lies in ("torch_scatter"), else the file's name.
std::string_view package_of(std::string_view path);
/// A library of the host below kHostLibraries.
bool is_bound_from_host(std::string_view path);
/// Whether a file beside `by`, of the same package, asks for another major of the library and
/// finds it: bitsandbytes has one file for each ROCm, and takes the one that fits.
bool another_build_fits(const Machine& machine, const UnresolvedLibrary& one);
/// A file of ROCm itself: below a tree of it, or a library of it in the system's folders.
bool is_of_rocm(const Machine& machine, std::string_view path);
/// What every program of ROCm starts with, HIP, ROCr, the code object manager, and its OpenCL
/// driver: what it lacks, all lack.
bool is_core_of_rocm(std::string_view path);
/// A library of ROCm, or one that ROCm's libraries stand on.
bool is_rocm_soname(const Database& db, std::string_view soname);
/// The package that holds a library of ROCm, where the package manager says that it is installed,
/// be it by half; nullptr otherwise. A library of another number counts as of the same package, so
/// ask only where none is there.
const Package* installed_owner(const Context& context, std::string_view soname);
/// The command that installs it, where the owner is known; "" otherwise.
Step package_of_soname(const Context& context, std::string_view soname);

}  // namespace rocvet
