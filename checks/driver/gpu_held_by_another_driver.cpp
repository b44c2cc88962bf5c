#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"

namespace rocvet {
namespace {

constexpr std::string_view kGpuHeldByAnotherDriverDoc = R"(
## What it looks for
The driver each AMD GPU is bound to: vfio-pci and pci-stub reserve it for a virtual machine,
radeon drives old generations.

## Why it matters
amdgpu can only work with a GPU that nobody else holds.

## How to mend it
vfio-pci: drop its id from vfio-pci.ids= and modprobe.d, rebuild the initial RAM disk, reboot; or
use ROCm inside the guest.

## Not this
A GPU without any driver: RV201.

## References
- https://docs.kernel.org/driver-api/vfio.html
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
)";

std::vector<Finding> run_gpu_held_by_another_driver(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  const bool another_works = !kfd_gpus(machine).empty();
  for (const Gpu& gpu : machine.gpus) {
    if (!gpu.driver || *gpu.driver == "amdgpu") continue;
    const std::string& name = *gpu.driver;
    const bool reserved = name == "vfio-pci" || name == "pci-stub" || name == "vfio_pci";
    if (!reserved && name != "radeon") continue;
    std::string from;
    for (const ModprobeLine& line : machine.driver.modprobe) {
      if (line.module == "vfio_pci" && !line.shadowed && gpu.device_id &&
          line.text.find(*gpu.device_id) != std::string::npos)
        from = line.file + ": " + line.text;
    }
    if (const auto ids = kernel_argument(machine, "vfio_pci.ids"))
      from = "kernel command line: vfio-pci.ids=" + *ids;
    ObservationName held =
        reserved ? ObservationName("vfio-holds-the-gpu") : "radeon-holds-the-gpu";
    if (another_works)
      held =
          reserved ? ObservationName("vfio-holds-one-of-the-gpus") : "radeon-holds-one-of-the-gpus";
    // Passing one of several GPUs to a guest is a choice, not a fault.
    findings.push_back(
        (another_works ? passing(gpu_name(gpu) + " is left to " + name + "; another GPU computes")
                       : failing(gpu_name(gpu) + " is held by " + name))
            .about(gpu_label(gpu))
            .saw("driver: " + name)
            .saw(from)
            .sees(held));
  }
  return or_pass(std::move(findings), "no other driver holds a GPU");
}

}  // namespace

extern const Check kGpuHeldByAnotherDriver;
constinit const Check kGpuHeldByAnotherDriver{.code = "RV203",
                                              .id = "gpu-held-by-another-driver",
                                              .topic = "driver",
                                              .title = "Another driver holds the GPU",
                                              .doc = kGpuHeldByAnotherDriverDoc,
                                              .run = run_gpu_held_by_another_driver};

}  // namespace rocvet
