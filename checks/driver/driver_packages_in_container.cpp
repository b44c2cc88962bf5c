#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/driver/driver_packages.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDriverPackagesInContainerDoc = R"(
## What it looks for
*-dkms driver packages or amdgpu-pro in the package database of a container.

## Why it matters
A container uses the host's kernel: its driver packages can neither be built nor loaded, and their
scripts fail.

## How to mend it
Purge them in the image; install user space only (`amdgpu-install --no-dkms`, rocm-dev). The
driver belongs on the host.

## Not this
The same packages on the host.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/how-to/docker.html
- https://github.com/ROCm/ROCm-docker
)";

std::vector<Finding> run_driver_packages_in_container(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.surroundings.container)
    return {none_here("this is no container", Absence::surroundings)};
  if (!machine.software.packages)
    return {unread(machine.software.packages.error(),
                   "there is no package database that rocvet reads")};
  std::vector<std::string> evidence, names;
  bool broken = false;
  for (const char* name :
       {"amdgpu-dkms", "rock-dkms", "rocm-dkms", "amdgpu-pro", "amdgpu-pro-dkms"}) {
    const Package* package = find_package(machine, name);
    if (package == nullptr) continue;
    evidence.push_back(describe(*package));
    names.push_back(package->name);
    broken |= is_broken(*package);
  }
  if (evidence.empty()) return {pass("the image has no kernel driver packages")};
  return (broken ? failing("kernel driver packages are half-configured in this container")
                 : passing("the image has kernel driver packages, which do nothing in a container"))
      .saw(evidence)
      .sees(broken ? ObservationName("driver-package-in-image-half-configured")
                   : "driver-package-in-image")
      .fix({remove_command(machine, Word::list(names))})
      .root();
}

}  // namespace

extern const Check kDriverPackagesInContainer;
constinit const Check kDriverPackagesInContainer{
    .code = "RV215",
    .id = "driver-packages-in-container",
    .topic = "driver",
    .title = "Kernel driver packages are installed in a container",
    .doc = kDriverPackagesInContainerDoc,
    .run = run_driver_packages_in_container};

}  // namespace rocvet
