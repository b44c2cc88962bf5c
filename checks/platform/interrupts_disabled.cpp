#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/options.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
acpi=off, noapic, nolapic, pci=nomsi on the kernel command line, and amdgpu.msi=0.

## Why it matters
The GPU then shares one slow interrupt line or gets none: fences time out, KFD waits by polling, and
the driver may not start at all.

## How to mend it
Take the word off the command line; what it once worked around is a matter for a BIOS update.

## Not this
intremap=off.

## References
- https://docs.kernel.org/PCI/msi-howto.html
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.kernel.command_line) return {skip("the kernel command line is not known")};
  std::vector<std::string> seen;
  if (has_argument(machine, "acpi", "off")) seen.push_back("acpi=off");
  if (has_argument(machine, "noapic")) seen.push_back("noapic");
  if (has_argument(machine, "nolapic")) seen.push_back("nolapic");
  if (has_argument(machine, "pci", "nomsi")) seen.push_back("pci=nomsi");
  if (amdgpu_number(machine, "msi").value_or(-1) == 0) seen.push_back("amdgpu.msi=0");
  if (seen.empty()) return {pass("interrupts are not restricted")};
  return warning("interrupts of the GPU are restricted by " + seen.front())
      .saw(seen)
      .fix(remove_kernel_parameter(machine, seen.front()))
      .root()
      .reboot();
}

}  // namespace

extern const Check kInterruptsDisabled;
constinit const Check kInterruptsDisabled{
    .code = "RV1312",
    .id = "interrupts-disabled",
    .topic = "platform",
    .title = "ACPI, the APIC or message-signalled interrupts are switched off",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
