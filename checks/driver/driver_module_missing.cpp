#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDriverModuleMissingDoc = R"(
## What it looks for
amdgpu.ko* below /lib/modules of the running kernel, the module being neither loaded nor built in.

## Why it matters
The module comes from a package of its own on many systems (linux-modules-extra, kernel-modules,
amdgpu-dkms). When that is gone the GPU has no driver.

## How to mend it
Install the package for this kernel (`sudo apt install linux-modules-extra-$(uname -r)`), or
reinstall amdgpu-dkms; reboot.

## Not this
A DKMS driver that was built for another kernel: RV207.

## References
- https://packages.ubuntu.com/search?keywords=linux-modules-extra
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/prerequisites.html
)";

std::vector<Finding> run_driver_module_missing(const Context& context) {
  const Machine& machine = context.machine;
  const Driver& driver = machine.driver;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (machine.surroundings.wsl) return {skip("under WSL the driver is Windows'")};
  if (driver.amdgpu) return {pass("amdgpu is loaded")};
  if (!driver.amdgpu.is_missing()) return {unknown(driver.amdgpu.error())};
  if (machine.surroundings.container) return {skip("modules are the host's matter")};
  if (!driver.module_files)
    return {
        unread(driver.module_files.error(), "the running kernel has no folder of modules here")};
  if (!driver.module_files->empty()) return {pass("the kernel has an amdgpu module")};
  const std::string release = machine.kernel.release.value_or("$(uname -r)");
  const bool elsewhere = driver.other_module_files && !driver.other_module_files->empty();
  const Step command = install_command(machine, module_package(machine, release),
                                       "kernel-modules-" + release, "kernel-default");
  return failing("there is no amdgpu module for kernel " + release)
      .saw("/lib/modules/" + release + " has no amdgpu.ko")
      .saw(elsewhere ? "another kernel has one: " + driver.other_module_files->begin()->first : "")
      .fix({command.empty() ? Step("install the package with amdgpu for this kernel") : command,
            "sudo reboot"})
      .verify("modinfo amdgpu | head -1")
      .root()
      .reboot();
}

}  // namespace

extern const Check kDriverModuleMissing;
constinit const Check kDriverModuleMissing{
    .code = "RV205",
    .id = "driver-module-missing",
    .topic = "driver",
    .title = "There is no amdgpu module for the running kernel",
    .doc = kDriverModuleMissingDoc,
    .run = run_driver_module_missing};

}  // namespace rocvet
