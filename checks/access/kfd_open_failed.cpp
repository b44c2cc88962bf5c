#include "checks/check.h"
#include "checks/common/container_remedy.h"
#include "checks/common/gpus.h"
#include "checks/common/node_access.h"
#include "checks/common/say.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
The errno of opening /dev/kfd: ENOMEM, EINVAL, EPERM, ENODEV, EBUSY, each of which has its own
reason.

## Why it matters
ENOMEM: KFD has no usable GPU (rejected atomics, a generation it does not know). EINVAL: driver
and program do not fit. EPERM: a device cgroup or security module says no. ENODEV or ENXIO: a node
without a driver behind it.

## How to mend it
ENOMEM: see the kernel log for "rejects atomics" or "not supported in kfd". EPERM: pass the device
with `--device`, not with a volume. EINVAL: bring driver and ROCm to a supported pair.

## Not this
EACCES is a matter of groups: RV102.

## References
- https://github.com/torvalds/linux/blob/master/drivers/gpu/drm/amd/amdkfd/kfd_chardev.c
- https://docs.kernel.org/admin-guide/cgroup-v2.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!machine.kfd.stat) return {skip("there is no /dev/kfd")};
  const std::string name = node_access(machine, machine.kfd).errno_name;
  const std::string saw = "open(/dev/kfd): " + name;
  const bool inside = machine.surroundings.container;
  if (name == "ENOMEM")
    return failing("/dev/kfd cannot be opened: KFD has no usable GPU")
        .saw(saw)
        .vote("gpu-not-supported-by-kfd", 0.35)
        .vote("pcie-atomics-unsupported", 0.3)
        .vote("gpu-node-absent-from-kfd-topology", 0.5)
        .against("user-not-in-render-group", 0.9);
  if (name == "EINVAL")
    return failing("/dev/kfd refuses this program")
        .saw(saw)
        .vote("userspace-kernel-driver-mismatch", 0.5)
        .vote("driver-regression", 0.3);
  if (name == "EPERM")
    return failing("a cgroup or security module refuses /dev/kfd")
        .saw(saw)
        .vote("container-devices-not-passed", inside ? 0.75 : 0.3)
        .vote("selinux-denies-device", 0.3)
        .fix(inside ? pass_devices(machine) : std::vector<std::string>{});
  if (name == "ENODEV" || name == "ENXIO")
    return failing("/dev/kfd has no driver behind it")
        .saw(saw)
        .vote("kernel-driver-package-missing", 0.4)
        .vote("gpu-node-absent-from-kfd-topology", 0.4);
  if (name == "EBUSY")
    return failing("/dev/kfd is busy: the driver is being reset or unloaded").saw(saw);
  return {
      pass(name.empty() ? "/dev/kfd opens" : "the errno is " + name + ", a matter of permission")};
}

}  // namespace

extern const Check kKfdOpenFailed;
constinit const Check kKfdOpenFailed{
    .code = "RV105",
    .id = "kfd-open-failed",
    .topic = "access",
    .title = "Opening /dev/kfd fails for another reason than permission",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
