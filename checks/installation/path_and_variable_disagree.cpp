#include <algorithm>

#include "checks/check.h"
#include "checks/common/say.h"

namespace rocvet {
namespace {

constexpr std::string_view kPathAndVariableDisagreeDoc = R"(
## What it looks for
The ROCm tree whose bin is in PATH against the one that ROCM_PATH, ROCM_HOME or HIP_PATH names.

## Why it matters
hipcc of one release then takes headers and device libraries of the other: builds fail, or run with
the wrong runtime.

## How to mend it
Set both to the same release.

## Not this
A variable that leads to no ROCm: RV403.

## References
- https://rocm.docs.amd.com/projects/HIP/en/latest/reference/env_variables.html
)";

std::vector<Finding> run_path_and_variable_disagree(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  const RocmInstall *by_path = nullptr, *by_variable = nullptr;
  std::string variable;
  for (const RocmInstall& install : machine.software.rocm) {
    const auto pointed = [&](const char* by) {
      return std::count(install.pointed_by.begin(), install.pointed_by.end(), by) > 0;
    };
    if (pointed("PATH") && by_path == nullptr) by_path = &install;
    for (const char* name : {"ROCM_PATH", "ROCM_HOME", "HIP_PATH"}) {
      if (!pointed(name) || by_variable != nullptr) continue;
      by_variable = &install;
      variable = name;
    }
  }
  if (by_path == nullptr || by_variable == nullptr)
    return {none_here("PATH or the variable names no ROCm")};
  bool same = by_path == by_variable;
  // Several trees may be in PATH; one of them is the variable's.
  same |= std::count(by_variable->pointed_by.begin(), by_variable->pointed_by.end(), "PATH") > 0;
  if (same || !by_path->version || !by_variable->version ||
      *by_path->version == *by_variable->version)
    return {pass("PATH and the variables lead to one release")};
  return warning("PATH and " + variable + " lead to different releases of ROCm")
      .saw("PATH: " + by_path->root + " (" + *by_path->version + ")")
      .saw(variable + ": " + by_variable->root + " (" + *by_variable->version + ")")
      .fix({Step("export {}={}", variable, by_path->root)});
}

}  // namespace

extern const Check kPathAndVariableDisagree;
constinit const Check kPathAndVariableDisagree{
    .code = "RV416",
    .id = "path-and-variable-disagree",
    .topic = "installation",
    .title = "PATH and ROCM_PATH lead to different releases",
    .doc = kPathAndVariableDisagreeDoc,
    .run = run_path_and_variable_disagree};

}  // namespace rocvet
