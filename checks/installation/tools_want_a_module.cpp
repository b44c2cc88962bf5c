#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kToolsWantAModuleDoc = R"(
## What it looks for
amdgpu is built into the kernel, and somebody complains of a tool (rocminfo, amd-smi, rocm-smi) that
looks for it as a module: in lsmod, or for /sys/module/amdgpu/initstate.

## Why it matters
The driver works. The tool takes its absence from the list of modules for a driver that is not
loaded, and gives up.

## How to mend it
A release of the tool that looks for /dev/kfd instead; until then a kernel with amdgpu as a module.

## Not this
A driver that is neither built in nor loaded: RV205.

## References
- https://github.com/ROCm/rocminfo/issues/42
- https://github.com/ROCm/amdsmi/issues/170
)";

std::vector<Finding> run_tools_want_a_module(const Context& context) {
  const Result<Module>& amdgpu = context.machine.driver.amdgpu;
  if (!amdgpu) return {none_here("amdgpu is not loaded")};
  if (!amdgpu->built_in) return {pass("amdgpu is a module, as ROCm's tools expect")};
  constexpr std::string_view kTools[] = {"rocminfo",  "amd-smi",  "rocm-smi", "lsmod",
                                         "initstate", "built-in", "builtin"};
  if (!someone_complains_of(context, kTools)) return {pass("amdgpu is built into the kernel")};
  return warning("amdgpu is built into the kernel, where some of ROCm's tools do not look")
      .saw("/sys/module/amdgpu is there, without initstate: built in")
      .sees("tool-looks-for-a-module")
      .fix({"a later ROCm, whose rocminfo and amd-smi accept a driver that is built in",
            "or a kernel with CONFIG_DRM_AMDGPU=m"});
}

}  // namespace

extern const Check kToolsWantAModule;
constinit const Check kToolsWantAModule{
    .code = "RV430",
    .id = "tools-want-a-module",
    .topic = "installation",
    .title = "ROCm's tools look for a module, and the driver is built in",
    .doc = kToolsWantAModuleDoc,
    .run = run_tools_want_a_module};

}  // namespace rocvet
