#include <algorithm>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kKubeletWithoutAmdGpuDoc = R"(
## What it looks for
On a node of Kubernetes: whether a device plugin has registered AMD's GPUs with the node's kubelet.
Its folder holds a socket for each plugin. A fault where somebody speaks of Kubernetes.

## Why it matters
Without the plugin the node offers no amd.com/gpu: pods that ask for one wait for ever
("Insufficient amd.com/gpu"), though the driver and the GPU are well.

## How to mend it
Install AMD's device plugin or GPU operator. Where its pod is not placed on this node: the label that
it asks for, and tolerations for the node's taints.

## Not this
A plugin that is registered and calls the GPUs unhealthy: its own log.

## References
- https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/
- https://github.com/ROCm/k8s-device-plugin
)";

/// "amd.com_gpu", of a partition "amd.com_cpx_nps1".
bool is_of_amd(const std::string& socket) {
  return socket.starts_with("amd.com_");
}

std::vector<Finding> run_kubelet_without_amd_gpu(const Context& context) {
  const Machine& machine = context.machine;
  const auto& plugins = machine.surroundings.kubelet_plugins;
  if (!plugins) return {unread(plugins.error(), "no kubelet runs here")};
  if (auto none = skip_without_gpu(context)) return {*none};
  if (std::ranges::any_of(*plugins, is_of_amd))
    return {pass("a device plugin offers this node's AMD GPUs to Kubernetes")};
  // Many a node runs a kubelet, and its GPU is not for pods.
  const bool asked = app_log_has_one(context, "speaks-of-kubernetes");
  return Say(asked ? Verdict::warn : Verdict::pass,
             "no device plugin has registered AMD GPUs with this node's kubelet")
      .saw("/var/lib/kubelet/device-plugins has no socket of amd.com")
      .fix({"kubectl get pods -A -o wide | grep -E 'amdgpu|device-plugin'   # is it on this node?",
            "kubectl create -f https://raw.githubusercontent.com/ROCm/k8s-device-plugin/master/"
            "k8s-ds-amdgpu-dp.yaml"})
      .verify("kubectl describe node | grep amd.com/gpu");
}

}  // namespace

extern const Check kKubeletWithoutAmdGpu;
constinit const Check kKubeletWithoutAmdGpu{.code = "RV724",
                                            .id = "kubelet-without-amd-gpu",
                                            .topic = "container",
                                            .title = "Kubernetes has no AMD GPU of this node",
                                            .doc = kKubeletWithoutAmdGpuDoc,
                                            .run = run_kubelet_without_amd_gpu};

}  // namespace rocvet
