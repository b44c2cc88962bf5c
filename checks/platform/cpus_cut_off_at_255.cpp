#include "checks/check.h"
#include "checks/common/say.h"

namespace rocvet {
namespace {

constexpr std::string_view kCpusCutOffAt255Doc = R"(
## What it looks for
Exactly 255 processors and no IOMMU.

## Why it matters
Interrupts reach processors above 255 only through the IOMMU's remapping. A node of two 128-core
sockets without it loses one thread, or runs with x2APIC off.

## How to mend it
Switch the IOMMU on in the BIOS and use iommu=pt.

## Not this
Any other number.

## References
- https://docs.kernel.org/admin-guide/kernel-parameters.html
- https://instinct.docs.amd.com/projects/amdgpu-docs/en/latest/system-optimization/mi300x.html
)";

std::vector<Finding> run_cpus_cut_off_at_255(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.cpu.logical) return {unknown(machine.cpu.logical.error())};
  if (*machine.cpu.logical != 255)
    return {pass(std::to_string(*machine.cpu.logical) + " processors are in use")};
  if (!machine.iommu.units && !machine.iommu.units.is_missing())
    return {unknown(machine.iommu.units.error())};
  if (machine.iommu.units && !machine.iommu.units->empty())
    return {pass("255 processors are in use, with an IOMMU")};
  return warning("processors beyond the 255th are not used: there is no IOMMU")
      .saw("255 processors, /sys/class/iommu is empty")
      .fix({"switch the IOMMU on in the BIOS, and add iommu=pt to the kernel command line"})
      .reboot();
}

}  // namespace

extern const Check kCpusCutOffAt255;
constinit const Check kCpusCutOffAt255{.code = "RV1317",
                                       .id = "cpus-cut-off-at-255",
                                       .topic = "platform",
                                       .title = "Processors beyond the 255th are not used",
                                       .doc = kCpusCutOffAt255Doc,
                                       .run = run_cpus_cut_off_at_255};

}  // namespace rocvet
