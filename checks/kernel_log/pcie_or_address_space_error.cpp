#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/kernel_events.h"
#include "checks/logs/log_groups.h"

namespace rocvet {
namespace {

constexpr std::string_view kPcieOrAddressSpaceErrorDoc = R"(
## What it looks for
BARs that found no room, PCIe bus errors, links that went down, IOMMU faults.

## Why it matters
A GPU without address space does not start; one with PCIe errors hangs or vanishes.

## How to mend it
BARs: Above 4G Decoding in the BIOS. Errors: seat, riser, slot, power; then the card.

## Not this
The usual notices that a large BAR could not be set: harmless.

## References
- https://docs.kernel.org/PCI/pcieaer-howto.html
- https://docs.kernel.org/admin-guide/kernel-parameters.html
)";

std::vector<Finding> run_pcie_or_address_space_error(const Context& context) {
  return pcie_findings(context);
}

}  // namespace

extern const Check kPcieOrAddressSpaceError;
constinit const Check kPcieOrAddressSpaceError{
    .code = "RV904",
    .id = "pcie-or-address-space-error",
    .topic = "kernel_log",
    .title = "The kernel log tells of PCIe errors or missing address space",
    .doc = kPcieOrAddressSpaceErrorDoc,
    .run = run_pcie_or_address_space_error};

}  // namespace rocvet
