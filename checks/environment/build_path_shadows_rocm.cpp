#include <algorithm>
#include <functional>
#include <set>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"
#include "machine/read_dead_paths.h"

namespace rocvet {
namespace {

constexpr std::string_view kBuildPathShadowsRocmDoc = R"(
## What it looks for
LIBRARY_PATH, CPATH, C_INCLUDE_PATH and CPLUS_INCLUDE_PATH without ROCm's folders, on a machine
with ROCm.

## Why it matters
clang and the linker search these before their own folders: OpenMP offload and HIP links fail with
"cannot find -lomp", or take foreign headers.

## How to mend it
Unset the variable for the build, or append the ROCm folder:
LIBRARY_PATH=$LIBRARY_PATH:/opt/rocm/lib/llvm/lib.

## Not this
LD_LIBRARY_PATH, which acts at run time: RV605. Folders that do not exist.

## References
- https://clang.llvm.org/docs/CommandGuide/clang.html
- https://gcc.gnu.org/onlinedocs/gcc/Environment-Variables.html
)";

/// Whether the compiler's complaint is of a header below one of these folders, and that folder
/// belongs to none of the ROCm trees that are here: an old copy.
bool compiled_from_another_tree(const Context& context, const std::string& value) {
  for (const std::string_view folder : split(value, ':')) {
    if (folder.size() <= 8) continue;
    const std::string below = std::string(folder) + "/";
    const bool installed =
        std::ranges::any_of(context.machine.software.rocm, [&](const RocmInstall& install) {
          return !install.leftover && below.starts_with(install.root + "/");
        });
    if (!installed && app_log_has(context, below)) return true;
  }
  return false;
}

/// Whether none of its folders is on the disk: what is not there hides nothing.
bool leads_nowhere(const Machine& machine, std::string_view name, const std::string& value) {
  std::set<std::string, std::less<>> dead;
  for (const DeadPath& one : dead_paths(machine.kernel)) {
    if (one.named_by == name) dead.insert(one.path);
  }
  return std::ranges::all_of(split(value, ':'), [&](std::string_view folder) {
    return folder.empty() || dead.contains(folder);
  });
}

std::vector<Finding> run_build_path_shadows_rocm(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  if (machine.software.rocm.empty()) return {none_here("there is no ROCm here")};
  // Whoever speaks of a build says more than folders that are not there now.
  constexpr std::string_view kOfBuilds[] = {"compil",  "build", "linker", "bitcode", "header",
                                            "offload", "clang", "hipcc",  "cmake",   "openmp"};
  const bool of_build = someone_complains_of(context, kOfBuilds);
  std::vector<std::string> evidence;
  bool named = false;  // the application looked in one of these folders
  for (const char* name :
       {"LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH"}) {
    const std::string value = variable_or_empty(machine, name);
    const bool of_rocm = value.find("rocm") != std::string::npos;
    if (value.empty() || value.find("llvm/lib") != std::string::npos ||
        (of_rocm && !compiled_from_another_tree(context, value)))
      continue;
    const auto folders = split(value, ':');
    const bool spoken_of = std::ranges::any_of(folders, [&](std::string_view folder) {
      return folder.size() > 8 && app_log_has(context, folder);
    });
    if (!spoken_of && !of_build && leads_nowhere(machine, name, value)) continue;
    evidence.push_back(std::string(name) + "=" + value);
    named |= spoken_of;
  }
  if (evidence.empty()) return {pass("no build variable hides ROCm's folders")};
  const bool stated = said(context, "library-path-shadows-rocm") >= 0.3;
  return (named || stated ? failing("a build variable comes before ROCm's own folders")
                          : passing("a build variable comes before ROCm's own folders"))
      .saw(evidence)
      .saw(named ? "the failing program looked there" : "")
      .sees("build-path-before-rocm")
      .fix({"unset LIBRARY_PATH CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH COMPILER_PATH"});
}

}  // namespace

extern const Check kBuildPathShadowsRocm;
constinit const Check kBuildPathShadowsRocm{
    .code = "RV604",
    .id = "build-path-shadows-rocm",
    .topic = "environment",
    .title = "LIBRARY_PATH or an include path hides ROCm's own folders",
    .doc = kBuildPathShadowsRocmDoc,
    .run = run_build_path_shadows_rocm};

}  // namespace rocvet
