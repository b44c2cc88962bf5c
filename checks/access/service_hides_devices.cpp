#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kServiceHidesDevicesDoc = R"(
## What it looks for
PrivateDevices=yes or a DevicePolicy= without /dev/kfd and /dev/dri in the units of services that
use the GPU.

## Why it matters
systemd then gives the service a /dev of its own, or a device cgroup, without the GPU.

## How to mend it
`sudo systemctl edit SERVICE`: PrivateDevices=no, DeviceAllow=/dev/kfd rw, DeviceAllow=char-drm
rw.

## Not this
A service whose account lacks the group: RV107.

## References
- https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html
- https://www.freedesktop.org/software/systemd/man/latest/systemd.resource-control.html
)";

bool allows_kfd(const Service& service) {
  for (const std::string& rule : service.device_allow) {
    if (rule.find("kfd") != rule.npos || rule.starts_with("char-*")) return true;
  }
  return false;
}

std::vector<Finding> run_service_hides_devices(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!context.machine.access.services)
    return {unread(context.machine.access.services.error(), "there is no systemd here")};
  std::vector<Finding> findings;
  for (const Service& service : *context.machine.access.services) {
    const bool closed = service.device_policy == "closed" || service.device_policy == "strict";
    const bool lists_others = !service.device_allow.empty() || closed;
    if (!service.private_devices && !(lists_others && !allows_kfd(service))) continue;
    findings.push_back(
        failing(service.name + " does not see the GPU's device nodes")
            .about(service.name)
            .saw(service.private_devices ? "PrivateDevices=yes" : "DeviceAllow= without /dev/kfd")
            .fix({Step("printf '[Service]\\nPrivateDevices=no\\nDeviceAllow=/dev/kfd "
                       "rw\\nDeviceAllow=char-drm rw\\n' | sudo install -D -m 644 /dev/stdin "
                       "/etc/systemd/system/{}.d/gpu-devices.conf",
                       service.name),
                  "sudo systemctl daemon-reload", Step("sudo systemctl restart {}", service.name)})
            .root());
  }
  return or_pass(std::move(findings), "no service hides the device nodes");
}

}  // namespace

extern const Check kServiceHidesDevices;
constinit const Check kServiceHidesDevices{.code = "RV113",
                                           .id = "service-hides-devices",
                                           .topic = "access",
                                           .title = "A service unit hides the GPU's device nodes",
                                           .doc = kServiceHidesDevicesDoc,
                                           .run = run_service_hides_devices};

}  // namespace rocvet
