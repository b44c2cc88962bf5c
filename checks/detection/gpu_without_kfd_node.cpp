#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/conditions.h"
#include "checks/facts/generations.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {
namespace {

constexpr std::string_view kGpuWithoutKfdNodeDoc = R"(
## What it looks for
Every GPU on the PCI bus that amdgpu drives has a node in /sys/class/kfd/kfd/topology.

## Why it matters
ROCr, HIP and OpenCL use the nodes of KFD. A GPU without one draws the desktop but computes
nothing, and tools fall back to "no device" or to nvcc.

## How to mend it
The reason stands in the kernel log (`dmesg | grep -i -E 'amdgpu|kfd'`): rejected PCIe atomics,
firmware, address space or a GPU that KFD does not know. Mend that one.

## Not this
A GPU that has no driver at all: RV201. A kernel without compute support has no topology at all:
RV216.

## References
- https://docs.kernel.org/gpu/amdgpu/index.html
- https://github.com/torvalds/linux/blob/master/drivers/gpu/drm/amd/amdkfd/kfd_topology.c
)";

bool wants_atomics(const Context& context, const Gpu& gpu) {
  if (!gpu.driver || !gpu.device_id) return false;
  return gfx_major(gfx_of(context, gpu)).value_or(0) == 8;
}

std::vector<Finding> run_gpu_without_kfd_node(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (machine.surroundings.wsl) return {skip("WSL has no KFD")};
  if (!machine.kfd_nodes) {
    if (machine.kfd_nodes.is_missing()) return {none_here("there is no KFD topology")};
    return {unknown(machine.kfd_nodes.error())};
  }
  std::vector<Finding> findings;
  const bool none_at_all = kfd_gpus(machine).empty();
  const bool wanted = condition(context, "compute-in-play") == Truth::yes;
  const bool in_guest =
      machine.surroundings.virtual_machine && *machine.surroundings.virtual_machine;
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.kfd_node || (gpu.driver && *gpu.driver != "amdgpu")) continue;
    if (!gpu.driver && !gpu.driver.is_missing() && !none_at_all) continue;
    // Beside GPUs of KFD's, something of which nobody knows the maker is no GPU that KFD lacks.
    if (!gpu.vendor_id && !none_at_all) continue;
    // Beside working GPUs an integrated one that KFD leaves out is no fault.
    if (!none_at_all && gpu.kind == GpuKind::apu) continue;
    // One that no KFD drives is another check's: a fault where somebody wants to compute.
    if (gpu.device_id && in_no_kfd(*gpu.device_id) && !wanted) continue;
    findings.push_back(failing(gpu_name(gpu) + " has no node in KFD's topology")
                           .about(gpu_label(gpu))
                           .saw("/sys/class/kfd/kfd/topology/nodes lists " +
                                std::to_string(*machine.kfd_nodes) + " nodes, none for this GPU")
                           .fix({"sudo dmesg | grep -i -E 'amdgpu|kfd'"})
                           .root());
    // Of GCN 3 KFD demands atomics, and nothing else keeps it out so often.
    if (wants_atomics(context, gpu))
      findings.back().seen.push_back(in_guest ? ObservationName("kfd-leaves-gfx8-out-in-guest")
                                              : "kfd-leaves-gfx8-out");
  }
  return or_pass(std::move(findings), "KFD offers every GPU");
}

}  // namespace

extern const Check kGpuWithoutKfdNode;
constinit const Check kGpuWithoutKfdNode{.code = "RV302",
                                         .id = "gpu-without-kfd-node",
                                         .topic = "detection",
                                         .title = "KFD does not offer this GPU for compute",
                                         .doc = kGpuWithoutKfdNodeDoc,
                                         .run = run_gpu_without_kfd_node};

}  // namespace rocvet
