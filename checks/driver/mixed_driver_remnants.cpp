#include <set>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/driver/driver_packages.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {
namespace {

constexpr std::string_view kMixedDriverRemnantsDoc = R"(
## What it looks for
Driver packages of different releases, several versions in dkms status, leftovers of an older
driver in /usr/src.

## Why it matters
Module and firmware of different releases do not fit; the security processor then refuses the
firmware.

## How to mend it
`sudo amdgpu-install --uninstall`, remove /var/lib/dkms/amdgpu and /usr/src/amdgpu-*, rebuild the
initial RAM disk, install one release.

## Not this
Two different packages: RV213. A source folder alone that nobody uses is no fault.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/uninstall-rocm.html
- https://github.com/dell/dkms
)";

std::vector<Finding> run_mixed_driver_remnants(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.surroundings.container) return {skip("the driver is the host's matter")};
  std::vector<std::string> evidence;
  std::set<std::string> versions;
  if (machine.driver.dkms) {
    for (const DkmsState& state : *machine.driver.dkms) {
      if (is_gpu_module(state.module) && versions.insert(state.version).second &&
          versions.size() > 1)
        evidence.push_back("dkms has " + *versions.begin() + " and " + *versions.rbegin());
    }
  }
  const Package* module = find_package(machine, "amdgpu-dkms");
  for (const char* name : {"amdgpu-dkms-firmware", "rock-dkms-firmware"}) {
    const Package* firmware = find_package(machine, name);
    if (module == nullptr || firmware == nullptr) continue;
    if (!same_driver_release(*module, *firmware))
      evidence.push_back(describe(*module) + " beside " + describe(*firmware));
  }
  const bool psp = has_event(context, "psp-unknown-firmware-type") ||
                   has_event(context, "psp-firmware-loading-failed") ||
                   has_event(context, "psp-load-failed") ||
                   has_event(context, "module-unknown-symbol");
  const bool broken = kfd_gpus(machine).empty() && has_gpu(machine);
  if (evidence.empty()) return {pass("the driver's parts are of one release")};
  if (!psp && !broken)
    return passing("parts of two driver releases are installed, and the GPU works")
        .saw(evidence)
        .sees("driver-parts-of-two-releases");
  return failing("parts of two driver releases are installed together")
      .saw(evidence)
      .sees("driver-parts-of-two-releases")
      .fix({"sudo amdgpu-install --uninstall",
            "sudo rm -rf /var/lib/dkms/amdgpu /lib/firmware/updates/amdgpu",
            initramfs_command(machine), "install one driver release", "sudo reboot"})
      .root()
      .reboot();
}

}  // namespace

extern const Check kMixedDriverRemnants;
constinit const Check kMixedDriverRemnants{
    .code = "RV214",
    .id = "mixed-driver-remnants",
    .topic = "driver",
    .title = "Parts of two driver releases are installed together",
    .doc = kMixedDriverRemnantsDoc,
    .run = run_mixed_driver_remnants};

}  // namespace rocvet
