#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
The BARs of each GPU in its resource file: the first (VRAM) and third (doorbells) must have an
address.

## Why it matters
Without them amdgpu's probe ends with error -12. The firmware needs Above 4G Decoding and a large
enough MMIO window.

## How to mend it
BIOS: Above 4G Decoding and Resizable BAR on, larger MMIO window; SR-IOV off where it is not used.
As a trial: pci=realloc.

## Not this
A small BAR 0 of 256 MiB: slower, but it works.

## References
- https://docs.kernel.org/admin-guide/kernel-parameters.html
- https://docs.kernel.org/PCI/sysfs-pci.html
)";

std::vector<Finding> run(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  for (const Gpu& gpu : context.machine.gpus) {
    const auto found = gpu.attributes.find("resource");
    if (found == gpu.attributes.end() || gpu.kfd_node || (gpu.driver && *gpu.driver == "amdgpu"))
      continue;
    const auto lines = split(found->second, '\n');
    if (lines.size() < 4) continue;
    const auto bar0 = words(lines[0]), bar2 = words(lines[2]);
    const auto unset = [](const std::vector<std::string_view>& bar) {
      // Flags without an address: the BAR exists and got no room.
      return bar.size() == 3 && parse_number(bar[0], 16).value_or(1) == 0 &&
             parse_number(bar[2], 16).value_or(0) != 0;
    };
    if (!unset(bar0) && !unset(bar2)) continue;
    findings.push_back(
        failing("the firmware gave " + gpu_name(gpu) + " no address space")
            .about(gpu_label(gpu))
            .saw("resource: BAR 0 or 2 has no address")
            .fix({"BIOS: Above 4G Decoding and Resizable BAR on, a larger MMIO window"})
            .reboot());
  }
  return or_pass(std::move(findings), "every GPU has its address space");
}

}  // namespace

extern const Check kBarNotAssigned;
constinit const Check kBarNotAssigned{.code = "RV1103",
                                      .id = "bar-not-assigned",
                                      .topic = "pcie",
                                      .title = "The GPU has no address space",
                                      .doc = kDoc,
                                      .run = run};

}  // namespace rocvet
