#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"

namespace rocvet {
namespace {

constexpr std::string_view kVfioReservesGpuDoc = R"(
## What it looks for
vfio-pci.ids= on the kernel command line and options vfio-pci ids= in modprobe.d that name a GPU
of this machine.

## Why it matters
At the next boot vfio-pci will hold the GPU; when amdgpu has it now, the entry is waiting.

## How to mend it
Drop the id, rebuild the initial RAM disk, reboot.

## Not this
A GPU that vfio-pci holds already: RV203.

## References
- https://docs.kernel.org/driver-api/vfio.html
- https://wiki.archlinux.org/title/PCI_passthrough_via_OVMF
)";

std::vector<Finding> run_vfio_reserves_gpu(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<std::string> lists;
  if (const auto ids = kernel_argument(machine, "vfio_pci.ids"))
    lists.push_back("kernel command line: " + *ids);
  for (const ModprobeLine& line : machine.driver.modprobe) {
    if (line.module == "vfio_pci" && line.command == "options" && !line.shadowed)
      lists.push_back(line.file + ": " + line.argument);
  }
  for (const Gpu& gpu : machine.gpus) {
    if (!gpu.device_id || (gpu.driver && gpu.driver->find("vfio") != std::string::npos)) continue;
    for (const std::string& list : lists) {
      if (lower(list).find("1002:" + *gpu.device_id) == std::string::npos) continue;
      const bool works = gpu.kfd_node.has_value();
      return (works ? passing("vfio-pci is told to take " + gpu_name(gpu) + ", and amdgpu has it")
                    : failing("vfio-pci is told to take " + gpu_name(gpu)))
          .saw(list)
          .sees(works ? ObservationName("vfio-told-to-take-a-working-gpu")
                      : "vfio-told-to-take-a-gpu-without-kfd-node");
    }
  }
  return {pass("vfio-pci is not told to take a GPU of this machine")};
}

}  // namespace

extern const Check kVfioReservesGpu;
constinit const Check kVfioReservesGpu{.code = "RV204",
                                       .id = "vfio-reserves-gpu",
                                       .topic = "driver",
                                       .title = "vfio-pci is told to take the GPU",
                                       .doc = kVfioReservesGpuDoc,
                                       .run = run_vfio_reserves_gpu};

}  // namespace rocvet
