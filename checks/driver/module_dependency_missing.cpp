#include <algorithm>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kModuleDependencyMissingDoc = R"(
## What it looks for
Modules that modules.dep of the running kernel wants for amdgpu and that are not on the disk, and a
DKMS driver on an Ubuntu kernel whose linux-modules-extra is not installed.

## Why it matters
amdgpu stands on video, ttm, drm_display_helper, gpu-sched and others. Without one of them modprobe
says "Unknown symbol in module", as it does for a file that is not there, and there is no GPU.

## How to mend it
Install all module packages of the running kernel, of one build (`sudo apt install
linux-modules-extra-$(uname -r)`), and reboot.

## Not this
No amdgpu module at all: RV205. A DKMS driver built for another kernel: RV207.

## References
- https://man7.org/linux/man-pages/man5/modules.dep.5.html
- https://github.com/ROCm/amdgpu/issues/155
)";

/// Cloud and minimal kernels of Ubuntu leave most of DRM to a package of its own.
bool lacks_extra_modules(const Machine& machine, const std::string& release) {
  const auto& files = *machine.driver.module_files;
  const bool only_dkms = std::ranges::all_of(
      files, [](const std::string& file) { return file.find("/updates/") != file.npos; });
  return only_dkms && find_package(machine, "linux-modules-" + release) != nullptr &&
         package_absent(machine, "linux-modules-extra-" + release);
}

std::vector<Finding> run_module_dependency_missing(const Context& context) {
  const Machine& machine = context.machine;
  const Driver& driver = machine.driver;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (machine.surroundings.container || machine.surroundings.wsl)
    return {skip("modules are the host's matter")};
  if (driver.amdgpu) return {pass("amdgpu is loaded, and all that it stands on")};
  if (!driver.amdgpu.is_missing()) return {unknown(driver.amdgpu.error())};
  if (!driver.module_files)
    return {unread(driver.module_files.error(), "the running kernel has no folder of modules")};
  if (driver.module_files->empty()) return {none_here("the running kernel has no amdgpu module")};
  if (!machine.kernel.release) return {unknown(machine.kernel.release.error())};
  const std::string& release = *machine.kernel.release;
  const bool no_extra = lacks_extra_modules(machine, release);
  if (!driver.missing_dependencies && !no_extra)
    return {unread(driver.missing_dependencies.error(), "the kernel has no modules.dep")};
  std::vector<std::string> gone;
  if (driver.missing_dependencies) gone = *driver.missing_dependencies;
  if (gone.empty() && !no_extra) return {pass("every module that amdgpu stands on is there")};
  const Step command = install_command(machine, module_package(machine, release),
                                       "kernel-modules-" + release, "kernel-default", "linux");
  return failing("modules that amdgpu stands on are not installed for kernel " + release)
      .saw(gone.empty() ? "" : "modules.dep names " + join(gone, ", ") + ": not there")
      .saw(no_extra
               ? "the driver is DKMS's and linux-modules-extra-" + release + " is not installed"
               : "")
      .fix({command.empty() ? Step("install all module packages of kernel {}", release) : command,
            Step("sudo depmod {}", release), "sudo reboot"})
      .verify("sudo modprobe amdgpu")
      .root()
      .reboot();
}

}  // namespace

extern const Check kModuleDependencyMissing;
constinit const Check kModuleDependencyMissing{
    .code = "RV234",
    .id = "module-dependency-missing",
    .topic = "driver",
    .title = "A module that amdgpu stands on is not installed",
    .doc = kModuleDependencyMissingDoc,
    .run = run_module_dependency_missing};

}  // namespace rocvet
