#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/driver/driver_packages.h"
#include "db/version.h"

namespace rocvet {
namespace {

constexpr std::string_view kDriverUpdateNotBootedDoc = R"(
## What it looks for
The version of the loaded amdgpu against those that DKMS has installed for the running kernel.

## Why it matters
A module on disk replaces the one in memory only at the next boot. Until then a new ROCm talks to
the old driver, and firmware of the new one lies beside it.

## How to mend it
Restart.

## Not this
A driver for another kernel: RV207.

## References
- https://github.com/dell/dkms
)";

std::vector<Finding> run_driver_update_not_booted(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.surroundings.container) return {skip("the driver is the host's matter")};
  if (!machine.driver.amdgpu)
    return {unread(machine.driver.amdgpu.error(), "amdgpu is not loaded")};
  if (!machine.driver.amdgpu->version)
    return {unread(machine.driver.amdgpu->version.error(),
                   "the loaded driver has no version: it is the kernel's own")};
  if (!machine.driver.dkms) return {unread(machine.driver.dkms.error(), "there is no DKMS here")};
  if (!machine.kernel.release) return {unknown(machine.kernel.release.error())};
  const std::string loaded = *machine.driver.amdgpu->version;
  std::string installed;
  for (const DkmsState& state : *machine.driver.dkms) {
    if (!is_gpu_module(state.module) || state.state != "installed" ||
        state.kernel != *machine.kernel.release)
      continue;
    // rock-dkms of ROCm 4 and before counted its own way: 4.0-26 brings the module 5.9.20.
    const auto number = Version::parse(state.version);
    if (!number || number->parts.empty() || number->parts[0] < 5) continue;
    installed = state.version;
    if (installed.starts_with(loaded)) return {pass("the installed driver is the one that runs")};
  }
  if (installed.empty()) return {none_here("DKMS has no driver for the running kernel")};
  return warning("another driver is installed than the one that runs")
      .saw("loaded: " + loaded + "; installed: " + installed)
      .fix({"sudo reboot"})
      .verify("cat /sys/module/amdgpu/version")
      .root()
      .reboot();
}

}  // namespace

extern const Check kDriverUpdateNotBooted;
constinit const Check kDriverUpdateNotBooted{
    .code = "RV226",
    .id = "driver-update-not-booted",
    .topic = "driver",
    .title = "A newer driver is installed than the one that runs",
    .doc = kDriverUpdateNotBootedDoc,
    .run = run_driver_update_not_booted};

}  // namespace rocvet
