#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/options.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
swiotlb=force and iommu=soft on the kernel command line.

## Why it matters
Every transfer is copied by the processor through a pool of 64 MiB: bandwidth falls by an order of
magnitude, and large pinned buffers fail with "swiotlb buffer is full". Both are leftovers of advice
for old boards.

## How to mend it
Take the word off the command line.

## Not this
iommu=pt and iommu=off.

## References
- https://docs.kernel.org/core-api/swiotlb.html
- https://docs.kernel.org/admin-guide/kernel-parameters.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.kernel.command_line) return {skip("the kernel command line is not known")};
  std::string word;
  if (has_argument(machine, "iommu", "soft")) word = "iommu=soft";
  if (has_argument(machine, "swiotlb", "force")) word = "swiotlb=force";
  if (word.empty()) return {pass("bounce buffers are used where they must be only")};
  return warning("the kernel was told to copy all DMA through bounce buffers")
      .saw("kernel command line: " + word)
      .fix(remove_kernel_parameter(machine, word))
      .root()
      .reboot();
}

}  // namespace

extern const Check kBounceBuffersForced;
constinit const Check kBounceBuffersForced{
    .code = "RV1309",
    .id = "bounce-buffers-forced",
    .topic = "platform",
    .title = "The kernel was told to copy all DMA through bounce buffers",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
