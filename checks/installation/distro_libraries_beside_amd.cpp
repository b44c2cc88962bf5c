#include <algorithm>

#include "base/path_walk.h"
#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"
#include "checks/logs/loader_words.h"
#include "formats/library_names.h"

namespace rocvet {
namespace {

constexpr std::string_view kDistroLibrariesBesideAmdDoc = R"(
## What it looks for
Libraries of ROCm's runtime (libhsa-runtime64, libamdhip64, libamd_comgr …) that the distribution
brought into the system's folders, beside the same libraries of AMD's packages in /opt/rocm.

## Why it matters
Other packages pull them in (OpenMPI with UCX, hwloc, Blender). The loader and the linker search
the system's folders by themselves: a program that names no folder gets the distribution's ROCr
below AMD's HIP, which is older. Then functions are missing: "undefined reference to
`hsa_amd_…'" when linking, "undefined symbol: hsa_amd_…" when starting.

## How to mend it
Remove the distribution's packages where nothing else needs them, or lead the linker to AMD's:
-Wl,-rpath-link,/opt/rocm/lib.

## Not this
Which packages apt would install: RV404. Two releases in one process by LD_LIBRARY_PATH: RV605.

## References
- https://packages.debian.org/search?keywords=libhsa-runtime64-1
- https://sourceware.org/binutils/docs/ld/Options.html
)";

constexpr std::string_view kRuntime[] = {"hsa-runtime64", "amdhip64", "amd_comgr", "hsakmt",
                                         "hiprtc"};

std::string family_of(const Library& library) {
  return parse_library_name(base_name(library.path)).family;
}

/// The same library of AMD's packages; nullptr without one.
const Library* amds(const Machine& machine, const std::string& family) {
  for (const RocmInstall& install : machine.software.rocm) {
    if (!install.root.starts_with("/opt/rocm") || install.owner == RocmOwner::distro_packages)
      continue;
    const auto found =
        std::find_if(install.libraries.begin(), install.libraries.end(),
                     [&](const Library& library) { return family_of(library) == family; });
    if (found != install.libraries.end()) return &*found;
  }
  return nullptr;
}

/// Names of the distribution's packages of the runtime, for the command that removes them.
std::vector<std::string> packages_of_distribution(const Machine& machine) {
  std::vector<std::string> names;
  for (const char* pattern : {"libhsa-runtime64-*", "libamdhip64-*", "libamd-comgr*", "libhsakmt1",
                              "rocm-runtime", "rocm-hip", "rocm-comgr"}) {
    for (const Package* package : find_packages(machine, pattern)) {
      if (!package->name.ends_with("-dev") && !package->name.ends_with("-devel"))
        names.push_back(package->name);
    }
  }
  return names;
}

std::vector<Finding> run_distro_libraries_beside_amd(const Context& context) {
  const Machine& machine = context.machine;
  std::vector<std::string> evidence;
  for (const RocmInstall& install : machine.software.rocm) {
    if (install.root != "/usr") continue;
    for (const Library& library : install.libraries) {
      const std::string family = family_of(library);
      if (std::find(std::begin(kRuntime), std::end(kRuntime), family) == std::end(kRuntime))
        continue;
      if (const Library* other = amds(machine, family))
        evidence.push_back(library.path + " is the distribution's, " + other->path + " AMD's");
    }
  }
  if (evidence.empty()) return {pass("no library of ROCm's runtime is here from two packagings")};
  std::vector<std::string> words = rocr_functions_not_found(context);
  for (const VersionNotFound& one : versions_not_found(context)) {
    if (one.version.starts_with("ROCR_")) words.push_back(one.version);
  }
  const std::vector<std::string> packages = packages_of_distribution(machine);
  const Step remove = packages.empty() ? Step("link with -Wl,-rpath-link,/opt/rocm/lib")
                                       : remove_command(machine, packages.front());
  if (words.empty())
    return passing("the distribution's libraries of ROCm's runtime lie beside AMD's")
        .saw(evidence)
        .sees("distro-runtime-beside-amds");
  return failing("the distribution's ROCr is taken below AMD's HIP: it lacks " + words.front())
      .saw(evidence)
      .sees("distro-runtime-beside-amds")
      .sees("distro-runtime-lacks-a-function")
      .fix({remove, "or link with -Wl,-rpath-link,/opt/rocm/lib"})
      .verify("ldconfig -p | grep libhsa-runtime64")
      .root();
}

}  // namespace

extern const Check kDistroLibrariesBesideAmd;
constinit const Check kDistroLibrariesBesideAmd{
    .code = "RV424",
    .id = "distro-libraries-beside-amd",
    .topic = "installation",
    .title = "The distribution's libraries of ROCm's runtime lie beside AMD's",
    .doc = kDistroLibrariesBesideAmdDoc,
    .run = run_distro_libraries_beside_amd};

}  // namespace rocvet
