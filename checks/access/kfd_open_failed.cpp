#include <algorithm>

#include "checks/check.h"
#include "checks/common/container_remedy.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/node_access.h"

namespace rocvet {
namespace {

constexpr std::string_view kKfdOpenFailedDoc = R"(
## What it looks for
The errno of opening /dev/kfd and the render nodes: ENOMEM, EINVAL, EPERM, ENXIO, ENODEV, EBUSY, each
of which has its own reason.

## Why it matters
ENOMEM: KFD has no usable GPU (rejected atomics, a generation it does not know). EINVAL: driver
and program do not fit. EPERM: a device cgroup or security module says no. ENXIO: a node without a
driver behind it. ENODEV: the driver's device is gone.

## How to mend it
ENOMEM: see the kernel log for "rejects atomics" or "not supported in kfd". EPERM: pass the device
with `--device`, not with a volume. EINVAL: bring driver and ROCm to a supported pair.

## Not this
EACCES is a matter of groups: RV102.

## References
- https://github.com/torvalds/linux/blob/master/drivers/gpu/drm/amd/amdkfd/kfd_chardev.c
- https://docs.kernel.org/admin-guide/cgroup-v2.html
)";

/// A device cgroup or a security module says no. Which one the audit log tells; a container's
/// device list is the usual reason.
Finding not_permitted(const Machine& machine, const std::string& path, const std::string& saw) {
  const SecurityModules& security = machine.access.security;
  bool denied = false;
  for (const std::string& line : security.denials)
    denied |= line.find("kfd") != line.npos || line.find("renderD") != line.npos;
  const bool inside = machine.surroundings.container;
  Finding said =
      failing(denied ? "a security module refuses " + path
                     : "a device cgroup (or a security module) refuses " + path)
          .saw(saw)
          .saw(denied ? security.denials.back() : "")
          .sees(path == "/dev/kfd" ? ObservationName("kfd-gives-eperm")
                                   : ObservationName("render-node-gives-eperm"))
          .fix(inside ? pass_devices(machine)
                      : std::vector<Step>{"systemctl show SERVICE -p DevicePolicy -p DeviceAllow"});
  if (denied) said.seen.push_back("gpu-node-denial-logged");
  return said;
}

/// A node without a device behind it: bound into a container, or left over in a static /dev.
Finding no_driver(const Machine& machine, const std::string& path, const std::string& saw) {
  const bool loaded = machine.driver.amdgpu.has_value(), inside = machine.surroundings.container;
  return failing(path + " has no driver behind it")
      .saw(saw)
      .saw(loaded ? "amdgpu is loaded: the node's number is another device's"
                  : "amdgpu is not loaded")
      .sees(loaded ? ObservationName("gpu-node-of-another-device")
                   : ObservationName("gpu-node-without-driver"))
      .fix({inside ? Step("start the container anew: its node belongs to an earlier driver")
                   : Step("sudo modprobe amdgpu && sudo udevadm trigger --name-match=kfd")})
      .root();
}

/// The driver is there and its device is not: unplugged, fallen off the bus, or lost in a reset.
Finding device_gone(const std::string& path, const std::string& saw) {
  return failing("the device behind " + path + " is gone")
      .saw(saw)
      .sees("device-behind-node-gone")
      .fix({"sudo dmesg | grep -i -E 'amdgpu|kfd|pciehp' | tail"})
      .root();
}

std::optional<Finding> judge(const Machine& machine, const DeviceNode& node) {
  const std::string name = node_access(machine, node).errno_name;
  const std::string saw = "open(" + node.path + "): " + name;
  const bool kfd = node.path == "/dev/kfd";
  if (name == "ENOMEM") {
    if (!kfd)
      return failing(node.path + " cannot be opened: the kernel is out of memory for it").saw(saw);
    // KFD says so when it took no GPU; with one in its topology the machine is short of memory or
    // of process slots.
    const bool none = kfd_gpus(machine).empty();
    return failing(none ? "/dev/kfd cannot be opened: KFD has no usable GPU"
                        : "/dev/kfd cannot be opened: no memory for another process")
        .saw(saw)
        .sees(none ? ObservationName("kfd-gives-enomem-without-gpu")
                   : ObservationName("kfd-gives-enomem-with-gpu"))
        .fix({"sudo dmesg | grep -i kfd"})
        .root();
  }
  if (name == "EINVAL")
    return failing(node.path + " refuses this program")
        .saw(saw)
        .sees("gpu-node-gives-einval")
        .fix({"rocvet advise"});
  if (name == "EPERM") return not_permitted(machine, node.path, saw);
  if (name == "ENXIO") return no_driver(machine, node.path, saw);
  if (name == "ENODEV") return device_gone(node.path, saw);
  if (name == "EBUSY")
    // It passes: nothing is to be mended.
    return warning(node.path + " is busy: the driver is being reset, unloaded or partitioned")
        .saw(saw)
        .sees("gpu-node-busy")
        .fix({"sudo dmesg | tail -n 50", "try again when the reset is over"})
        .root();
  return std::nullopt;
}

/// A scheduler gives a job some of the GPUs: KFD opens, and so does a render node.
bool has_its_share(const Machine& machine) {
  const auto opens = [&](const DeviceNode& node) {
    return node_access(machine, node).answer == NodeAccess::Answer::open;
  };
  return opens(machine.kfd) && std::ranges::any_of(machine.render_nodes, opens);
}

std::vector<Finding> run_kfd_open_failed(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  if (machine.kfd.stat) {
    if (auto found = judge(machine, machine.kfd)) findings.push_back(std::move(*found));
  }
  for (const DeviceNode& node : machine.render_nodes) {
    if (!node.stat) continue;
    if (node_access(machine, node).errno_name == "EPERM" && has_its_share(machine)) continue;
    if (auto found = judge(machine, node)) {
      found->subject = node.path;
      findings.push_back(std::move(*found));
    }
  }
  if (!machine.kfd.stat && findings.empty()) return {none_here("there is no /dev/kfd")};
  return or_pass(std::move(findings), "the nodes open, or it is a matter of permission");
}

}  // namespace

extern const Check kKfdOpenFailed;
constinit const Check kKfdOpenFailed{
    .code = "RV105",
    .id = "kfd-open-failed",
    .topic = "access",
    .title = "Opening /dev/kfd fails for another reason than permission",
    .doc = kKfdOpenFailedDoc,
    .run = run_kfd_open_failed};

}  // namespace rocvet
