#include "base/text.h"
#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"

namespace rocvet {
namespace {

constexpr std::string_view kComposeWithoutDevicesDoc = R"(
## What it looks for
Services of compose files that use a ROCm image (or pass one of the nodes) and lack /dev/kfd or
/dev/dri, have them commented out or misspelt.

## Why it matters
The container then has no GPU, and the application falls back to the CPU.

## How to mend it
devices: ["/dev/kfd:/dev/kfd", "/dev/dri:/dev/dri"] and group_add: with the number of the render
group.

## Not this
A service that needs no GPU.

## References
- https://docs.docker.com/reference/compose-file/services/
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/how-to/docker.html
)";

bool passes(const ComposeService& service, std::string_view node) {
  for (const std::string& device : service.devices) {
    const std::string_view source = std::string_view(device).substr(0, device.find(':'));
    if (source == node || (node == "/dev/dri" && source.starts_with("/dev/dri/"))) return true;
  }
  return lower(service.privileged) == "true";
}
bool wants_gpu(const ComposeService& service) {
  const std::string image = lower(service.image);
  if (image.find("rocm") != image.npos) return true;
  for (const auto* list : {&service.devices, &service.commented_devices}) {
    for (const std::string& device : *list) {
      if (device.find("kfd") != device.npos || device.find("dri") != device.npos) return true;
    }
  }
  return false;
}

/// "dev/dri": a path below nowhere, which is no device; "amd.com/gpu=all" is a name of CDI's.
std::string relative_device(const ComposeService& service) {
  for (const std::string& device : service.devices) {
    if (device.starts_with("dev/")) return device;
  }
  return "";
}

std::vector<Finding> run_compose_without_devices(const Context& context) {
  std::vector<Finding> findings;
  Judged judged;
  for (const ComposeService& service : context.machine.settings.compose) {
    if (!wants_gpu(service)) continue;
    judged.count();
    if (const std::string device = relative_device(service); !device.empty()) {
      findings.push_back(failing("compose service " + service.name + " passes " + device +
                                 ", which is no path of a device")
                             .about(service.file)
                             .saw(service.file + ": devices of " + service.name + ": " + device)
                             .sees("compose-device-path-relative")
                             .fix({Step("sed -i -E 's#(- *.?)dev/#\\1/dev/#' {}", service.file)}));
      continue;
    }
    std::vector<std::string> lacks;
    for (const char* node : {"/dev/kfd", "/dev/dri"}) {
      if (!passes(service, node)) lacks.push_back(node);
    }
    if (lacks.empty()) continue;
    findings.push_back(
        warning("compose service " + service.name + " is not given " + join(lacks, " and "))
            .about(service.file)
            .saw(service.file + ": devices of " + service.name + " lack " + join(lacks, ", "))
            .saw(service.commented_devices.empty()
                     ? ""
                     : "commented out: " + join(service.commented_devices, ", "))
            .fix({Step("devices: [\"/dev/kfd:/dev/kfd\", \"/dev/dri:/dev/dri\"]   # in service {}",
                       service.name)}));
  }
  return judged.rest(std::move(findings),
                     counted(judged.number(), "compose service is", "compose services are") +
                         " given the GPU's devices",
                     "no compose service here wants a GPU");
}

}  // namespace

extern const Check kComposeWithoutDevices;
constinit const Check kComposeWithoutDevices{
    .code = "RV703",
    .id = "compose-without-devices",
    .topic = "container",
    .title = "A compose file does not pass the GPU's devices",
    .doc = kComposeWithoutDevicesDoc,
    .run = run_compose_without_devices};

}  // namespace rocvet
