#include <algorithm>

#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {
namespace {

constexpr std::string_view kBarNotAssignedDoc = R"(
## What it looks for
The BARs of each GPU in its resource file: the first (VRAM) and third (doorbells) must have an
address. Where the first or all are zero the kernel gave them up.

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

std::vector<Finding> run_bar_not_assigned(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* card : cards(context.machine)) {
    const Gpu& gpu = *card;
    if (gpu.kfd_node || (gpu.driver && *gpu.driver == "amdgpu")) {
      judged.count();  // amdgpu started, which it does not without
      continue;
    }
    if (!judged.has(gpu.pci.regions) || gpu.pci.regions->size() < 4) continue;
    const std::vector<PciRegion>& regions = *gpu.pci.regions;
    // Flags without an address: the BAR exists and got no room. No flags either: the kernel gave
    // it up. Every GPU has a BAR 0, for its memory.
    const auto unset = [&](std::size_t bar) {
      return regions[bar].first == 0 && (bar == 0 || regions[bar].flags != 0);
    };
    const bool none = std::ranges::all_of(
        regions, [](const PciRegion& region) { return region.first == 0 && region.flags == 0; });
    if (!unset(0) && !unset(2)) continue;
    findings.push_back(
        failing("the firmware gave " + gpu_name(gpu) + " no address space")
            .about(gpu_label(gpu))
            .saw(none ? "resource: no BAR has an address" : "resource: BAR 0 or 2 has no address")
            .fix({"BIOS: Above 4G Decoding and Resizable BAR on, a larger MMIO window"})
            .reboot());
  }
  return judged.rest(std::move(findings),
                     counted(judged.number(), "GPU has its", "GPUs have their") + " address space",
                     "no GPU here shows its regions");
}

}  // namespace

extern const Check kBarNotAssigned;
constinit const Check kBarNotAssigned{.code = "RV1103",
                                      .id = "bar-not-assigned",
                                      .topic = "pcie",
                                      .title = "The GPU has no address space",
                                      .doc = kBarNotAssignedDoc,
                                      .run = run_bar_not_assigned};

}  // namespace rocvet
