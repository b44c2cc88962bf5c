#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kFirmwareFileAbsentDoc = R"(
## What it looks for
The driver's firmware package (amdgpu-dkms-firmware, rock-dkms-firmware) beside its DKMS package,
and the files that the kernel log asks for.

## Why it matters
The DKMS driver expects the firmware of its own release; after a purge or a failed upgrade it is
gone.

## How to mend it
Reinstall the firmware package, rebuild the initial RAM disk, reboot.

## Not this
A file that the GPU can do without.

## References
- https://gitlab.com/kernel-firmware/linux-firmware
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/prerequisites.html
)";

std::vector<Finding> run_firmware_file_absent(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!machine.software.packages)
    return {unread(machine.software.packages.error(),
                   "there is no package database that rocvet reads")};
  if (machine.surroundings.wsl) return {skip("under WSL the firmware is Windows' matter")};
  if (machine.surroundings.container) return {skip("firmware is the host's matter")};
  for (const char* name : {"amdgpu-dkms", "rock-dkms"}) {
    const Package* driver = find_package(machine, name);
    const std::string firmware = std::string(name) + "-firmware";
    if (driver == nullptr || find_package(machine, firmware) != nullptr) continue;
    const bool broken = kfd_gpus(machine).empty();
    // rock-dkms before 3.x carried its firmware itself.
    if (!broken) return {pass(firmware + " is absent, and the GPU has its firmware")};
    return failing(firmware + " is not installed")
        .saw(describe(*driver) + " without " + firmware)
        .saw("KFD lists no GPU")
        .fix({family(machine) == Family::apt ? Step("sudo apt install --reinstall {}", firmware)
                                             : install_command(machine, "", firmware, firmware),
              initramfs_command(machine), "sudo reboot"})
        .root()
        .reboot();
  }
  return {pass("the driver's firmware package is installed")};
}

}  // namespace

extern const Check kFirmwareFileAbsent;
constinit const Check kFirmwareFileAbsent{.code = "RV212",
                                          .id = "firmware-file-absent",
                                          .topic = "driver",
                                          .title = "A firmware package of the driver is absent",
                                          .doc = kFirmwareFileAbsentDoc,
                                          .run = run_firmware_file_absent};

}  // namespace rocvet
