#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kFirmwareOverrideDoc = R"(
## What it looks for
Files in /lib/firmware/updates/amdgpu while the in-tree driver runs.

## Why it matters
They win over linux-firmware. An overlay that was put there against a bad release outlives it, and
is forgotten.

## How to mend it
Remove what is no longer wanted, rebuild the initial RAM disk.

## Not this
The DKMS driver's own firmware, which lives there.

## References
- https://docs.kernel.org/driver-api/firmware/fw_search_path.html
)";

std::vector<Finding> run_firmware_override(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!machine.driver.firmware_updates || machine.driver.firmware_updates->empty())
    return {pass("no overlay replaces firmware files")};
  if (machine.driver.origin == DriverOrigin::dkms ||
      find_package(machine, "amdgpu-dkms-firmware") != nullptr ||
      find_package(machine, "rock-dkms-firmware") != nullptr)
    return {pass("the DKMS driver brings its own firmware")};
  return passing("an overlay replaces " + std::to_string(machine.driver.firmware_updates->size()) +
                 " firmware files")
      .saw("/lib/firmware/updates/amdgpu: " + machine.driver.firmware_updates->front() + " …")
      .sees("firmware-overlay-under-in-tree-driver");
}

}  // namespace

extern const Check kFirmwareOverride;
constinit const Check kFirmwareOverride{
    .code = "RV224",
    .id = "firmware-override",
    .topic = "driver",
    .title = "A firmware overlay replaces the distribution's files",
    .doc = kFirmwareOverrideDoc,
    .run = run_firmware_override};

}  // namespace rocvet
