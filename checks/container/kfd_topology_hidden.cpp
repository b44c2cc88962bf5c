#include "checks/check.h"
#include "checks/common/container_remedy.h"
#include "checks/common/say.h"

namespace rocvet {
namespace {

constexpr std::string_view kKfdTopologyHiddenDoc = R"(
## What it looks for
A container that has /dev/kfd and whose /sys has no KFD topology: /sys/class/kfd/kfd/topology is
masked, or /sys is not the host's. A sandbox (snap) that may read no node of it.

## Why it matters
ROCr learns from these files which GPUs there are. With the device but without them it finds none,
and reports no error of the device.

## How to mend it
Do not mount anything over /sys and do not mask it: podman `--security-opt unmask=ALL`; bubblewrap
`--ro-bind /sys /sys`; gVisor and other sandboxes with a /sys of their own cannot run ROCm.

## Not this
A host whose kernel has no KFD: RV216. A container without /dev/kfd: RV101.

## References
- https://docs.podman.io/en/latest/markdown/podman-run.1.html
- https://docs.kernel.org/gpu/amdgpu/index.html
)";

std::vector<Finding> run_kfd_topology_hidden(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.surroundings.container)
    return {none_here("this is no container", Absence::surroundings)};
  if (!machine.kfd.stat) return {none_here("there is no /dev/kfd")};
  if (machine.kfd_nodes) return {pass("KFD's topology is there")};
  if (machine.kfd_nodes.is(Error::Kind::denied) && is_sandbox(machine.surroundings.environment))
    return failing("the sandbox may not read KFD's topology")
        .saw(machine.kfd_nodes.error().text())
        .saw(machine.surroundings.evidence + ": " + engine_name(machine))
        .sees("kfd-topology-refused-in-sandbox")
        .fix(pass_devices(machine));
  if (!machine.kfd_nodes.is_missing()) return {unknown(machine.kfd_nodes.error())};
  // On such a host there would be no /dev/kfd either.
  return failing("the container has /dev/kfd and not KFD's topology")
      .saw("/dev/kfd is there, /sys/class/kfd/kfd/topology is not")
      .saw(machine.surroundings.evidence + ": " + engine_name(machine))
      .fix({machine.surroundings.environment == Environment::podman
                ? Step("podman run --security-opt unmask=ALL --device=/dev/kfd --device=/dev/dri "
                       "IMAGE")
                : Step("start the container with the host's /sys (read-only will do), nothing "
                       "mounted "
                       "over /sys/class/kfd or /sys/devices/virtual/kfd")});
}

}  // namespace

extern const Check kKfdTopologyHidden;
constinit const Check kKfdTopologyHidden{.code = "RV721",
                                         .id = "kfd-topology-hidden",
                                         .topic = "container",
                                         .title = "The container hides KFD's topology",
                                         .doc = kKfdTopologyHiddenDoc,
                                         .run = run_kfd_topology_hidden};

}  // namespace rocvet
