#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kRunningKernelRemovedDoc = R"(
## What it looks for
No /lib/modules folder for the running kernel while other kernels have one.

## Why it matters
An update replaced the kernel (usual on Arch and its relatives). Nothing can be loaded any more: not
amdgpu after an unload, nor a module that it needs.

## How to mend it
Restart into the kernel that is installed.

## Not this
A container, which has no modules at all.

## References
- https://wiki.archlinux.org/title/System_maintenance
)";

std::vector<Finding> run_running_kernel_removed(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.surroundings.container || machine.surroundings.wsl)
    return {skip("modules are the host's matter")};
  if (!machine.kernel.release) return {unknown(machine.kernel.release.error())};
  if (!machine.driver.other_module_files)
    return {unread(machine.driver.other_module_files.error(), "there is no folder of modules")};
  if (!machine.driver.module_files.is_missing() || machine.driver.other_module_files->empty())
    return {pass("the running kernel has its modules")};
  // A kernel with everything built in has no folder either.
  if (machine.driver.amdgpu && machine.driver.amdgpu->built_in)
    return {pass("the driver is part of the kernel")};
  const bool loaded = machine.driver.amdgpu.has_value();
  std::vector<std::string> others;
  for (const auto& [kernel, files] : *machine.driver.other_module_files) others.push_back(kernel);
  Finding finding =
      (loaded ? warning("the running kernel's modules were removed by an update")
              : failing("amdgpu cannot be loaded: the running kernel's modules were removed"))
          .saw("running: " + *machine.kernel.release + "; installed: " + join(others, ", "))
          .fix({"sudo reboot"})
          .root()
          .reboot();
  if (!loaded) finding.seen.push_back("running-kernel-removed-before-amdgpu-was-loaded");
  return {finding};
}

}  // namespace

extern const Check kRunningKernelRemoved;
constinit const Check kRunningKernelRemoved{.code = "RV227",
                                            .id = "running-kernel-removed",
                                            .topic = "driver",
                                            .title = "The running kernel's modules were removed",
                                            .doc = kRunningKernelRemovedDoc,
                                            .run = run_running_kernel_removed};

}  // namespace rocvet
