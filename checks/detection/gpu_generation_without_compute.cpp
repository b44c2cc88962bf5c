#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/conditions.h"
#include "checks/facts/generations.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kGpuGenerationWithoutComputeDoc = R"(
## What it looks for
The GPU's PCI id against the chips that KFD drives in no kernel: the generations before GCN 3
(Southern and Sea Islands and older) but for Kaveri and Hawaii, and Topaz and Stoney of GCN 3.

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

std::vector<Finding> run_gpu_generation_without_compute(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  const bool another_works = !kfd_gpus(machine).empty();
  // Such a card is well where nobody computes: it plays and shows films.
  const bool wanted = condition(context, "compute-in-play") == Truth::yes;
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.kfd_node || !gpu.device_id || !in_no_kfd(*gpu.device_id)) continue;
    const bool bad = !another_works && wanted;
    findings.push_back(
        (bad             ? failing(gpu_name(gpu) + " has a compute driver in no kernel")
         : another_works ? passing(gpu_name(gpu) + " cannot compute; another GPU can")
                         : passing(gpu_name(gpu) + " cannot compute, and nothing here wants to"))
            .about(gpu_label(gpu))
            .saw("PCI id 1002:" + *gpu.device_id + ", a chip that KFD drives in no kernel")
            .sees(another_works ? ObservationName("gpu-older-than-kfd-beside-one-that-computes")
                                : "gpu-older-than-kfd-and-none-computes"));
  }
  return or_pass(std::move(findings), "every GPU is of a kind that KFD drives");
}

}  // namespace

extern const Check kGpuGenerationWithoutCompute;
constinit const Check kGpuGenerationWithoutCompute{
    .code = "RV305",
    .id = "gpu-generation-without-compute",
    .topic = "detection",
    .title = "This generation of GPU has no compute driver",
    .doc = kGpuGenerationWithoutComputeDoc,
    .run = run_gpu_generation_without_compute};

}  // namespace rocvet
