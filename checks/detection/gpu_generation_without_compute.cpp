#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
The GPU's PCI id against the generations before GCN 3 (Southern and Sea Islands and older), which
KFD does not drive, and the kernel's own word for it.

## Why it matters
Display and Vulkan work on such a GPU, ROCm never will: /dev/kfd opens with ENOMEM and no tool
lists the GPU.

## How to mend it
Use a newer GPU for ROCm; for this one there is OpenCL by Mesa's rusticl, and Vulkan.

## Not this
A GPU that is too new for this kernel: RV217. One that ROCm once supported: RV401.

## References
- https://github.com/torvalds/linux/blob/master/drivers/gpu/drm/amd/amdkfd/kfd_device.c
- https://docs.mesa3d.org/rusticl.html
)";

// Families that amdgpu or radeon drive and KFD does not: Tahiti, Pitcairn, Cape Verde, Oland and
// Hainan by the ranges of drivers/gpu/drm/amd/amdgpu/amdgpu_drv.c; before them radeon's.
bool is_before_compute(std::string_view device_id) {
  const auto id = parse_number(device_id, 16);
  if (!id) return false;
  const auto in = [&](unsigned low, unsigned high) { return *id >= low && *id <= high; };
  return in(0x6600, 0x663d) || in(0x6660, 0x666f) || in(0x6780, 0x679f) || in(0x6800, 0x683f) ||
         in(0x6700, 0x677f) || in(0x6840, 0x6849) || in(0x6880, 0x68fe) || in(0x9400, 0x95ff);
}

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  bool another_works = !kfd_gpus(machine).empty();
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.kfd_node || !gpu.device_id || !is_before_compute(*gpu.device_id)) continue;
    const bool bad = !another_works;
    findings.push_back(
        (bad ? failing(gpu_name(gpu) + " is older than ROCm's first generation")
             : passing(gpu_name(gpu) + " cannot compute; another GPU can"))
            .about(gpu_label(gpu))
            .saw("PCI id 1002:" + *gpu.device_id + ", a generation that KFD does not drive")
            .sees(bad ? ObservationName("gpu-older-than-kfd-and-none-computes")
                      : "gpu-older-than-kfd-beside-one-that-computes"));
  }
  return or_pass(std::move(findings), "no GPU is older than KFD's first generation");
}

}  // namespace

extern const Check kGpuGenerationWithoutCompute;
constinit const Check kGpuGenerationWithoutCompute{
    .code = "RV305",
    .id = "gpu-generation-without-compute",
    .topic = "detection",
    .title = "This generation of GPU has no compute driver",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
