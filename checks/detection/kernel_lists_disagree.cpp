#include "base/text.h"
#include "checks/check.h"
#include "checks/common/container_remedy.h"
#include "checks/common/say.h"
#include "checks/facts/deep.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kKernelListsDisagreeDoc = R"(
## What it looks for
For each GPU of KFD's topology: a PCI function at its address, and its render node
(drm_render_minor) in /dev/dri.

## Why it matters
ROCr walks KFD's topology and opens each GPU's render node. One that is not in /dev/dri makes it
leave that GPU out, or not start at all. A node without a PCI function is a card that fell off the
bus.

## How to mend it
On the host: `sudo udevadm trigger --subsystem-match=drm`. In a container pass the render node of
every GPU that the job was given (`--device=/dev/dri`), or hide the others by the device cgroup
(docker, podman and the Kubernetes device plugin do).

## Not this
No render node at all: RV104. A GPU on the bus that KFD leaves out: RV302.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/how-to/docker.html
- https://docs.kernel.org/gpu/drm-uapi.html#render-nodes
)";

std::vector<Finding> run_kernel_lists_disagree(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto nodes = kfd_gpus(machine);
  if (nodes.empty()) return {none_here("KFD lists no GPU", Absence::gpu)};
  const bool container = machine.surroundings.container;
  std::vector<Finding> findings;

  // A list of PCI devices that has some AMD GPU was read; then each node must be among them.
  bool bus_is_known = false;
  for (const Gpu& gpu : machine.gpus) bus_is_known |= gpu.pci_class.has_value() && is_amd(gpu);
  for (const Gpu* gpu : nodes) {
    if (!bus_is_known || gpu->pci_class || !gpu->bdf) continue;
    findings.push_back(
        failing("KFD lists " + gpu_name(*gpu) + ", the PCI bus does not")
            .about(gpu_label(*gpu))
            .saw("KFD node " + std::to_string(*gpu->kfd_node) + " has the address " + *gpu->bdf)
            .saw("/sys/bus/pci/devices has AMD GPUs, none at that address")
            .sees("kfd-node-without-pci-function")
            .fix({"sudo dmesg | grep -i -E 'amdgpu|pcie'"})
            .root());
  }

  std::vector<std::string> lacking;
  std::size_t mapped = 0;
  if (machine.access.dri_readable && !machine.render_nodes.empty()) {
    for (const Gpu* gpu : nodes) {
      // 0: KFD knows no render node (compute partitions of old kernels).
      if (!gpu->render_minor || *gpu->render_minor < 128) continue;
      if (render_node(machine, *gpu->render_minor) != nullptr) {
        ++mapped;
      } else {
        lacking.push_back("renderD" + std::to_string(*gpu->render_minor) + " of " +
                          gpu_label(*gpu));
      }
    }
  }
  if (!lacking.empty()) {
    const std::string what = "/dev/dri lacks the render node of " + std::to_string(lacking.size()) +
                             " of the " + std::to_string(lacking.size() + mapped) +
                             " GPUs that KFD offers";
    const DeepProbe* hsa = deep_probe(machine, "hsa");
    const bool hurts = hsa != nullptr && deep_fault(machine, *hsa);
    const std::string which = join(lacking, ", ");
    if (container && mapped > 0 && !hurts) {
      // A job that was given a part of the machine.
      findings.push_back(passing(what).saw(which).sees("container-has-some-render-nodes"));
    } else if (container) {
      findings.push_back(failing(what)
                             .saw(which)
                             .saw(hurts ? "ROCr: " + deep_sentence(*hsa) : "")
                             .sees("container-lacks-needed-render-nodes")
                             .fix(pass_devices(machine)));
    } else {
      findings.push_back(
          warning(what).saw(which).fix({"sudo udevadm trigger --subsystem-match=drm"}).root());
    }
  }
  return or_pass(std::move(findings), "PCI, KFD and /dev/dri tell of the same GPUs");
}

}  // namespace

extern const Check kKernelListsDisagree;
constinit const Check kKernelListsDisagree{.code = "RV323",
                                           .id = "kernel-lists-disagree",
                                           .topic = "detection",
                                           .title = "PCI, KFD and /dev/dri tell of different GPUs",
                                           .doc = kKernelListsDisagreeDoc,
                                           .run = run_kernel_lists_disagree};

}  // namespace rocvet
