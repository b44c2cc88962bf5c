#include <algorithm>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"
#include "machine/read_dead_paths.h"

namespace rocvet {
namespace {

constexpr std::string_view kRocmPathWrongDoc = R"(
## What it looks for
ROCM_PATH, HIP_PATH, ROCM_HOME, HIP_DEVICE_LIB_PATH and DEVICE_LIB_PATH: that the folder exists,
and has what is looked for in it. Where somebody complains of missing device libraries: that clang,
which looks in its own resource folder and in `$ROCM_PATH/amdgcn/bitcode`, meets them. HCC_HOME,
HIP_CLANG_PATH, HSA_PATH and their like: that the folder exists.

## Why it matters
hipcc, clang and CMake take the variable before anything else: "cannot find ROCm device library",
"Unable to find rocm_agent_enumerator".

## How to mend it
Unset the variables, or set ROCM_PATH to the tree with bin/hipcc and HIP_DEVICE_LIB_PATH to its
amdgcn/bitcode.

## Not this
Device bitcode that is not installed at all: RV408.

## References
- https://clang.llvm.org/docs/HIPSupport.html
- https://rocm.docs.amd.com/projects/HIP/en/latest/reference/env_variables.html
)";

struct Tree {
  bool known = false;  // some install has this root
  std::string inside;  // an install whose root lies below
};
Tree tree_at(const Machine& machine, std::string path, std::string_view variable) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  Tree tree;
  for (const RocmInstall& install : machine.software.rocm) {
    // It may lead there through links; a folder inside the tree is not the tree.
    if (!path.starts_with(install.root + "/"))
      tree.known |= std::ranges::find(install.pointed_by, variable) != install.pointed_by.end();
    if (install.root == path || (install.is_default && path == "/opt/rocm")) tree.known = true;
    if (install.root.starts_with(path + "/")) tree.inside = install.root;
    for (const Library& library : install.libraries) {
      if (library.path.starts_with(path + "/lib/") || library.path.starts_with(path + "/lib64/"))
        tree.known = true;
    }
  }
  return tree;
}

/// Whether clang finds device bitcode when it is told that ROCm is at `path`: in its own resource
/// folder, else right below that path and nowhere else in the tree.
bool clang_finds_bitcode(const Machine& machine, const std::string& path) {
  return std::ranges::any_of(machine.software.bitcode, [&](const std::string& folder) {
    return folder.find("/lib/clang/") != std::string::npos || folder == path + "/amdgcn/bitcode";
  });
}

std::vector<Finding> run_rocm_path_wrong(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  if (machine.software.rocm.empty() && machine.software.bitcode.empty())
    return {none_here("there is no ROCm here")};
  const bool complaint =
      app_log_has(context, "ROCm device library") ||
      app_log_has(context, "rocm_agent_enumerator") ||
      app_log_has(context, "cannot find HIP runtime") || people_say(context, {"hipcc"}) ||
      app_log_has(context, "HIP version file") || said(context, "rocm-path-wrong") >= 0.3;
  const bool misses_bitcode = app_log_has(context, "ROCm device library") ||
                              people_say(context, {"device lib", "device-lib", "bitcode", "ocml"});
  std::vector<Finding> findings;
  bool past_bitcode = false;
  for (const char* name : {"ROCM_PATH", "ROCM_HOME", "ROCM_ROOT", "HIP_PATH"}) {
    const std::string value = variable_or_empty(machine, name);
    if (value.empty()) continue;
    const Tree tree = tree_at(machine, value, name);
    // Before 5.x HIP_PATH was a folder of its own inside the tree.
    const bool old_hip = std::string_view(name) == "HIP_PATH" && value.ends_with("/hip");
    const bool past = tree.known && std::string_view(name) == "ROCM_PATH" &&
                      !machine.software.bitcode.empty() && !clang_finds_bitcode(machine, value);
    past_bitcode |= past;
    if (past && misses_bitcode) {
      findings.push_back(failing("ROCM_PATH leads clang past the device bitcode")
                             .saw("ROCM_PATH=" + value + ", and there is no amdgcn/bitcode in it")
                             .saw("bitcode is in " + machine.software.bitcode.front())
                             .fix({Step("unset {}", name)}));
    }
    if (tree.known || (old_hip && !complaint)) continue;
    findings.push_back((complaint || !tree.inside.empty()
                            ? failing(std::string(name) + " leads to no ROCm")
                            : warning(std::string(name) + " leads to no ROCm that is known here"))
                           .saw(std::string(name) + "=" + value)
                           .saw(tree.inside.empty() ? "" : "the tree is " + tree.inside)
                           .fix({tree.inside.empty() ? Step("unset {}", name)
                                                     : Step("export {}={}", name, tree.inside)}));
  }
  for (const char* name : {"HIP_DEVICE_LIB_PATH", "DEVICE_LIB_PATH"}) {
    const std::string value = variable_or_empty(machine, name);
    if (value.empty()) continue;
    bool found = false;
    for (const std::string& folder : machine.software.bitcode)
      found |= folder == value || folder + "/" == value;
    if (found) continue;
    findings.push_back(failing(std::string(name) + " has no device bitcode")
                           .saw(std::string(name) + "=" + value)
                           .saw(machine.software.bitcode.empty()
                                    ? ""
                                    : "bitcode is in " + machine.software.bitcode.front())
                           .fix({Step("unset {}", name)}));
  }
  for (const DeadPath& dead : dead_paths(machine.kernel)) {
    if (!names_tool_folder(dead.named_by)) continue;
    const bool spoken_of = app_log_has(context, dead.named_by) || app_log_has(context, dead.path);
    findings.push_back(Say(complaint || spoken_of ? Verdict::fail : Verdict::warn,
                           dead.named_by + " leads nowhere")
                           .saw(dead.named_by + "=" + dead.path + ", which does not exist")
                           .fix({Step("unset {}", dead.named_by)}));
  }
  if (findings.empty() && past_bitcode)
    return passing("ROCM_PATH leads to ROCm, and clang finds no device bitcode there")
        .saw("bitcode is in " + machine.software.bitcode.front())
        .sees("rocm-path-past-the-bitcode");
  return or_pass(std::move(findings), "the ROCm path variables lead to ROCm, or are not set");
}

}  // namespace

extern const Check kRocmPathWrong;
constinit const Check kRocmPathWrong{.code = "RV403",
                                     .id = "rocm-path-wrong",
                                     .topic = "installation",
                                     .title = "A ROCm path variable leads to the wrong place",
                                     .doc = kRocmPathWrongDoc,
                                     .run = run_rocm_path_wrong};

}  // namespace rocvet
