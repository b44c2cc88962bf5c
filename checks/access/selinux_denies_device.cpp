#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/node_access.h"

namespace rocvet {
namespace {

constexpr std::string_view kSelinuxDeniesDeviceDoc = R"(
## What it looks for
SELinux enforcing, a confined (container) domain, audit lines that deny kfd or renderD*, and the
boolean container_use_devices. In a container the label of the process, and a node that refuses
although its mode allows.

## Why it matters
Mode and group may allow what SELinux still refuses; the program sees EACCES all the same.

## How to mend it
`sudo setsebool -P container_use_devices=true`, or run the container with `--security-opt
label=disable`.

## Not this
Access refused by mode and group: RV102.

## References
- https://github.com/containers/container-selinux
- https://docs.podman.io/en/latest/markdown/podman-run.1.html
)";

std::vector<Finding> run_selinux_denies_device(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const SecurityModules& security = machine.access.security;
  std::vector<std::string> denied;
  for (const std::string& line : security.denials) {
    if (line.find("avc:") != line.npos) denied.push_back(line);
  }
  const bool enforcing = security.selinux && *security.selinux == "enforcing";
  // In a container the label of the process tells what the host's SELinux does.
  const bool confined =
      security.process_label && security.process_label->find("container_t") != std::string::npos;
  if (!enforcing && denied.empty() && !confined) return {pass("SELinux does not enforce here")};
  const NodeAccess kfd = node_access(machine, machine.kfd);
  const bool boolean_off = security.container_use_devices && !*security.container_use_devices;
  const bool refused_beyond_mode = kfd.answer == NodeAccess::Answer::closed && !kfd.by_mode;
  const bool inside = machine.surroundings.container;
  Finding said = passing("SELinux enforces and has refused no GPU node");
  if (!denied.empty() || (refused_beyond_mode && (confined || inside)))
    said = failing("SELinux refuses the GPU's device nodes")
               .saw(denied.empty() ? "mode and groups allow it, opening gives " + kfd.errno_name
                                   : denied.back())
               .saw(boolean_off ? "container_use_devices is off" : "")
               .fix({"sudo setsebool -P container_use_devices=true"})
               .undo("sudo setsebool -P container_use_devices=false")
               .root();
  if (!denied.empty()) said.seen.push_back("selinux-denial-of-gpu-node");
  if (inside && boolean_off) said.seen.push_back("container-use-devices-off");
  return {said};
}

}  // namespace

extern const Check kSelinuxDeniesDevice;
constinit const Check kSelinuxDeniesDevice{.code = "RV110",
                                           .id = "selinux-denies-device",
                                           .topic = "access",
                                           .title = "SELinux refuses the GPU's device nodes",
                                           .doc = kSelinuxDeniesDeviceDoc,
                                           .run = run_selinux_denies_device};

}  // namespace rocvet
