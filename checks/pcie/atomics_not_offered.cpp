#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/logs/tool_output.h"

namespace rocvet {
namespace {

constexpr std::string_view kAtomicsNotOfferedDoc = R"(
## What it looks for
AtomicOpsCap of the root port and bridges above a GPU of generation 8, from lspci -vvv.

## Why it matters
KFD skips a GPU of gfx8 without them; later generations do without.

## How to mend it
Another slot (on the CPU's lanes), another platform, or a GPU from gfx9 on.

## Not this
A virtual machine's root port: RV902 tells by the log.

## References
- https://github.com/ROCm/ROCm/issues/1174
- https://github.com/torvalds/linux/blob/master/drivers/gpu/drm/amd/amdkfd/kfd_device.c
)";

std::vector<Finding> run_atomics_not_offered(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  bool needs = false, works = false;
  for (const Gpu& gpu : machine.gpus) {
    needs |= gpu.gfx && gfx_major(*gpu.gfx) == 8;
    works |= gpu.kfd_node.has_value();
  }
  if (!needs) return {none_here("no GPU here depends on PCIe atomics", Absence::gpu)};
  if (works) return {pass("KFD took the GPU: atomics are offered")};
  std::string lacking;
  for (const LspciDevice& device : lspci_devices(machine)) {
    if (!device.is_bridge() || !device.has("DevCap2")) continue;
    const std::string line = device.line_with("AtomicOpsCap");
    if (line.empty() || (line.find("32bit+") == line.npos && line.find("Routing+") == line.npos))
      lacking = device.bdf + ": " + (line.empty() ? "no AtomicOpsCap" : line);
  }
  if (lacking.empty()) return {none_here("lspci -vvv was not captured, or shows nothing")};
  const bool guest = machine.surroundings.virtual_machine.value_or(false);
  return failing("the path to the GPU offers no PCIe atomics")
      .saw(lacking)
      .sees(guest ? ObservationName("virtual-path-offers-no-pcie-atomics")
                  : "path-offers-no-pcie-atomics");
}

}  // namespace

extern const Check kAtomicsNotOffered;
constinit const Check kAtomicsNotOffered{.code = "RV1104",
                                         .id = "atomics-not-offered",
                                         .topic = "pcie",
                                         .title = "The path to the GPU offers no PCIe atomics",
                                         .doc = kAtomicsNotOfferedDoc,
                                         .run = run_atomics_not_offered};

}  // namespace rocvet
