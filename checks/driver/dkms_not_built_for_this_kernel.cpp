#include <algorithm>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/driver/driver_packages.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDkmsNotBuiltForThisKernelDoc = R"(
## What it looks for
dkms status and amdgpu.ko below updates/dkms, for the running kernel and for others; and the package
of a DKMS driver that has no module for the running kernel, where amdgpu is not loaded.

## Why it matters
After a kernel update the driver has to be built again. Where that did not happen (no headers, an
old kernel booted) the in-tree driver or none is loaded.

## How to mend it
Install the headers of the running kernel, then `sudo dkms autoinstall -k $(uname -r)`; or boot
the kernel that has the module.

## Not this
A build that failed: RV206.

## References
- https://github.com/dell/dkms
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/prerequisites.html
)";

/// A module that DKMS, not the kernel's own package, laid there.
bool is_built_by_dkms(const std::string& file) {
  return file.find("/updates/") != file.npos || file.find("/extra/") != file.npos;
}

/// The package of a DKMS driver is installed, and among the running kernel's modules, which were
/// read, is none that DKMS built.
bool lacks_its_module(const Machine& machine) {
  const auto& files = machine.driver.module_files;
  return !dkms_packages(machine).empty() && files && std::ranges::none_of(*files, is_built_by_dkms);
}

std::vector<Finding> run_dkms_not_built_for_this_kernel(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.surroundings.container) return {skip("modules are the host's matter")};
  if (!machine.kernel.release) return {unknown(machine.kernel.release.error())};
  const std::string& release = *machine.kernel.release;
  std::string built_for;
  bool here = false, broken = false;
  if (machine.driver.dkms) {
    for (const DkmsState& state : *machine.driver.dkms) {
      if (!is_gpu_module(state.module) || state.kernel.empty() || state.state != "installed")
        continue;
      (state.kernel == release ? here : broken) |= state.kernel == release;
      if (state.kernel != release) built_for = state.kernel;
    }
  }
  if (built_for.empty() && machine.driver.other_module_files) {
    for (const auto& [kernel, files] : *machine.driver.other_module_files) {
      if (std::ranges::any_of(files, is_built_by_dkms)) built_for = kernel;
    }
  }
  if (machine.driver.origin == DriverOrigin::dkms && machine.driver.amdgpu)
    return {pass("the DKMS driver is loaded")};
  if (here) return {pass("the DKMS driver is built for this kernel")};
  const bool no_headers = machine.driver.headers.is_missing();
  const Step headers = install_command(machine, "linux-headers-" + release,
                                       "kernel-devel-" + release, "kernel-default-devel");
  const bool no_driver = machine.driver.amdgpu.is_missing();
  if (built_for.empty() && no_driver && has_gpu(machine) && lacks_its_module(machine))
    return failing("a DKMS driver is installed, and no module of it is here for " + release)
        .saw(describe(*dkms_packages(machine).front()))
        .saw("amdgpu is not loaded")
        .fix({headers.empty() ? Step("install the headers of kernel {}", release) : headers,
              Step("sudo dkms autoinstall -k {}", release), "sudo reboot"})
        .verify("dkms status")
        .root()
        .reboot();
  if (built_for.empty()) return {pass("no DKMS driver was built for another kernel")};
  // Remains of a DKMS driver under an in-tree driver that works are a choice.
  if (!no_driver && dkms_packages(machine).empty())
    return {pass("the in-tree driver runs; a DKMS driver was built for " + built_for + " once")};
  return failing("the DKMS driver is built for kernel " + built_for + ", not for " + release)
      .saw("running kernel: " + release + "; built for: " + built_for)
      .saw(no_headers ? "/lib/modules/" + release + "/build is missing (no headers)" : "")
      .fix({headers.empty() ? Step("install the headers of kernel {}", release) : headers,
            Step("sudo dkms autoinstall -k {}", release), "sudo reboot"})
      .verify("dkms status")
      .root()
      .reboot();
}

}  // namespace

extern const Check kDkmsNotBuiltForThisKernel;
constinit const Check kDkmsNotBuiltForThisKernel{
    .code = "RV207",
    .id = "dkms-not-built-for-this-kernel",
    .topic = "driver",
    .title = "The DKMS driver is not built for the running kernel",
    .doc = kDkmsNotBuiltForThisKernelDoc,
    .run = run_dkms_not_built_for_this_kernel};

}  // namespace rocvet
