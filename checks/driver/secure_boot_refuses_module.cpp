#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/driver/driver_packages.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kSecureBootRefusesModuleDoc = R"(
## What it looks for
Secure Boot on, a DKMS module that is installed but not loaded, and whether its key is enrolled.

## Why it matters
With Secure Boot the kernel loads only modules whose signature it trusts. DKMS signs with a key of
its own that has to be enrolled once.

## How to mend it
`sudo mokutil --import /var/lib/shim-signed/mok/MOK.der` (Debian, Ubuntu) or
/var/lib/dkms/mok.pub, reboot, choose "Enroll MOK"; or switch Secure Boot off.

## Not this
A module that was not built for this kernel: RV207.

## References
- https://wiki.ubuntu.com/UEFI/SecureBoot/DKMS
- https://docs.kernel.org/admin-guide/module-signing.html
)";

std::vector<Finding> run_secure_boot_refuses_module(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!machine.kernel.secure_boot)
    return {
        unread(machine.kernel.secure_boot.error(), "the firmware does not tell of Secure Boot")};
  const bool locked = machine.kernel.lockdown && *machine.kernel.lockdown != "none" &&
                      !machine.kernel.lockdown->empty();
  if (!*machine.kernel.secure_boot && !locked) return {pass("Secure Boot is off")};
  if (machine.driver.amdgpu) return {pass("amdgpu is loaded under Secure Boot")};
  if (!machine.driver.amdgpu.is_missing()) return {unknown(machine.driver.amdgpu.error())};
  bool installed = false;
  if (machine.driver.dkms) {
    for (const DkmsState& state : *machine.driver.dkms)
      installed |= is_gpu_module(state.module) && state.state == "installed" &&
                   machine.kernel.release && state.kernel == *machine.kernel.release;
  }
  const bool dkms =
      installed || machine.driver.origin == DriverOrigin::dkms || !dkms_packages(machine).empty();
  if (!dkms) return {pass("there is no DKMS driver to refuse")};
  const bool not_enrolled = machine.kernel.mok_enrolled && !*machine.kernel.mok_enrolled;
  const bool enrolled = machine.kernel.mok_enrolled && *machine.kernel.mok_enrolled;
  return failing("Secure Boot is on and the DKMS amdgpu is not loaded")
      .saw(machine.kernel.secure_boot_source.empty()
               ? "Secure Boot is on"
               : machine.kernel.secure_boot_source + ": Secure Boot is on")
      .saw(installed ? "dkms says installed, amdgpu is not loaded" : "")
      .saw(not_enrolled ? "the key that signs DKMS modules is not enrolled" : "")
      .sees(enrolled ? ObservationName("dkms-driver-not-loaded-though-key-enrolled")
                     : "dkms-driver-not-loaded-under-secure-boot")
      .fix({family(machine) == Family::apt
                ? Step("sudo mokutil --import /var/lib/shim-signed/mok/MOK.der")
                : Step("sudo mokutil --import /var/lib/dkms/mok.pub"),
            "sudo reboot   # choose Enroll MOK in the blue screen"})
      .verify("sudo modprobe amdgpu")
      .root()
      .reboot();
}

}  // namespace

extern const Check kSecureBootRefusesModule;
constinit const Check kSecureBootRefusesModule{.code = "RV210",
                                               .id = "secure-boot-refuses-module",
                                               .topic = "driver",
                                               .title = "Secure Boot refuses the driver's module",
                                               .doc = kSecureBootRefusesModuleDoc,
                                               .run = run_secure_boot_refuses_module};

}  // namespace rocvet
