#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kAmdgpuNotLiveDoc = R"(
## What it looks for
/sys/module/amdgpu/initstate: "live" is up, "coming" and "going" are not; a built-in driver has
none.

## Why it matters
A module that hangs while it loads (or unloads) blocks whoever uses the GPU.

## How to mend it
See the kernel log for what it waits for; reboot.

## Not this
A module that is not loaded at all: RV201.

## References
- https://docs.kernel.org/admin-guide/abi-testing.html
)";

std::vector<Finding> run_amdgpu_not_live(const Context& context) {
  const auto& module = context.machine.driver.amdgpu;
  if (!module) return {unread(module.error(), "amdgpu is not loaded")};
  if (module->built_in) return {pass("amdgpu is built into the kernel")};
  if (!module->initstate)
    return {unread(module->initstate.error(), "the kernel does not show the state of modules")};
  if (*module->initstate == "live") return {pass("amdgpu is live")};
  return failing("amdgpu is " + *module->initstate + ", not live")
      .saw("/sys/module/amdgpu/initstate: " + *module->initstate)
      .reboot();
}

}  // namespace

extern const Check kAmdgpuNotLive;
constinit const Check kAmdgpuNotLive{.code = "RV221",
                                     .id = "amdgpu-not-live",
                                     .topic = "driver",
                                     .title = "The amdgpu module is not up",
                                     .doc = kAmdgpuNotLiveDoc,
                                     .run = run_amdgpu_not_live};

}  // namespace rocvet
