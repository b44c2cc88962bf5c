#include <algorithm>
#include <string>

#include "base/path_walk.h"
#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kCmakeComponentAbsentDoc = R"(
## What it looks for
The component of ROCm whose CMake package a build did not find ("Could not find a package
configuration file provided by …"), against the shared libraries of every ROCm that is here.

## Why it matters
Where the library is missing too, the component is not installed at all; where it is here, its
development package is missing, or CMake was not told of the folder. Components that are headers or
CMake files alone (rocPRIM, rocThrust, rocm-cmake) have no library: a build wants their development
package.

## How to mend it
Install the component, with its -dev or -devel package.

## Not this
CMake files that lie elsewhere: RV403, RV410.

## References
- https://cmake.org/cmake/help/latest/command/find_package.html
)";

/// The component of which CMake says that it has no configuration file; nullptr: of none.
const LibraryPackage* named(const Context& context) {
  constexpr std::string_view kBefore = "package configuration file provided by \"";
  const std::string& text = spoken(context);
  for (std::size_t at = text.find(kBefore); at != text.npos; at = text.find(kBefore, at + 1)) {
    const std::size_t begin = at + kBefore.size(), end = text.find('"', begin);
    if (end == text.npos) break;
    const std::string name = lower(text.substr(begin, end - begin));
    for (const LibraryPackage& one : context.db.library_packages())
      if (std::ranges::count(one.cmake, name) > 0) return &one;
  }
  return nullptr;
}

/// Names of the package: Debian's hiprand-dev is hiprand-devel for dnf and zypper, and hiprand on
/// Arch.
struct ComponentNames {
  std::string apt, rpm, pacman;
};

ComponentNames names_of(std::string_view development) {
  constexpr std::string_view kEnd = "-dev";
  const std::string apt(development);
  if (!apt.ends_with(kEnd)) return {apt, apt, apt};
  const std::string name = apt.substr(0, apt.size() - kEnd.size());
  return {apt, name + "-devel", name};
}

/// Also of one that lies beside another release's: hiprand-dev6.2.0.
bool is_installed(const Machine& machine, std::string_view name) {
  return std::ranges::any_of(
      find_packages(machine, std::string(name) + "*"), [&](const Package* package) {
        const std::string_view rest = std::string_view(package->name).substr(name.size());
        return rest.empty() || is_digit(rest.front());
      });
}

bool has_library(const Software& software, std::string_view library) {
  const auto is_it = [&](std::string_view path) { return base_name(path).starts_with(library); };
  return std::ranges::any_of(software.rocm, [&](const RocmInstall& install) {
    return std::ranges::any_of(install.files, is_it) ||
           std::ranges::any_of(install.libraries,
                               [&](const Library& one) { return is_it(one.path); });
  });
}

std::vector<Finding> run_cmake_component_absent(const Context& context) {
  const LibraryPackage* component = named(context);
  if (component == nullptr) return {skip("no build misses a component of ROCm")};
  const Machine& machine = context.machine;
  const ComponentNames names = names_of(component->development);
  const std::string library = std::string(component->library) + ".so";
  const bool absent =
      component->library.empty()
          ? machine.software.packages.has_value() && !is_installed(machine, names.apt) &&
                !is_installed(machine, names.rpm) && !is_installed(machine, names.pacman)
          : !machine.software.rocm.empty() && !has_library(machine.software, library);
  if (!absent) return {pass("the component that CMake misses is here, or nobody can tell")};
  return warning("a component that a build wants is not installed: " + names.apt)
      .saw(component->library.empty() ? names.apt + " is in no package database"
                                      : "no " + library + " in any ROCm")
      .sees(component->library.empty() ? ObservationName("cmake-development-files-not-installed")
                                       : ObservationName("cmake-component-not-installed"))
      .fix({install_command(machine, names.apt, names.rpm, names.rpm, names.pacman)})
      .root();
}

}  // namespace

extern const Check kCmakeComponentAbsent;
constinit const Check kCmakeComponentAbsent{.code = "RV431",
                                            .id = "cmake-component-absent",
                                            .topic = "installation",
                                            .title = "A component that a build wants is not here",
                                            .doc = kCmakeComponentAbsentDoc,
                                            .run = run_cmake_component_absent};

}  // namespace rocvet
