#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/kernel_events.h"
#include "checks/logs/log_groups.h"

namespace rocvet {
namespace {

constexpr std::string_view kFirmwareLoadFailedDoc = R"(
## What it looks for
"Direct firmware load for amdgpu/… failed" and the failure that follows. Files that the GPU can do
without (trusted applications, capabilities) do not count.

## Why it matters
Without its firmware a GPU does not start.

## How to mend it
Install or update linux-firmware (amdgpu-dkms-firmware for the DKMS driver), rebuild the initial
RAM disk, reboot.

## Not this
An optional file: harmless, and said so.

## References
- https://docs.kernel.org/driver-api/firmware/direct-fs-lookup.html
- https://gitlab.com/kernel-firmware/linux-firmware
)";

std::vector<Finding> run_firmware_load_failed(const Context& context) {
  return firmware_findings(context);
}

}  // namespace

extern const Check kFirmwareLoadFailed;
constinit const Check kFirmwareLoadFailed{.code = "RV903",
                                          .id = "firmware-load-failed",
                                          .topic = "kernel_log",
                                          .title = "The driver did not find a firmware file",
                                          .doc = kFirmwareLoadFailedDoc,
                                          .run = run_firmware_load_failed};

}  // namespace rocvet
