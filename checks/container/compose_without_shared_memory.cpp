#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/siblings.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kComposeWithoutSharedMemoryDoc = R"(
## What it looks for
Services with a GPU and an image of PyTorch, vLLM or SGLang that set neither `ipc: host` nor
`shm_size`, nor mount /dev/shm.

## Why it matters
Docker's default for /dev/shm is 64 MiB. RCCL and data loaders of PyTorch use it and stop with a bus
error.

## How to mend it
`ipc: host` or `shm_size: 16gb` in the service.

## Not this
A container that runs already: RV701.

## References
- https://docs.docker.com/reference/compose-file/services/
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/how-to/docker.html
)";

std::vector<Finding> run_compose_without_shared_memory(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.settings.compose.empty()) return {none_here("there is no compose file here")};
  std::vector<Finding> findings;
  for (const ComposeService& service : machine.settings.compose) {
    const std::string image = lower(service.image);
    const bool trains = image.find("pytorch") != image.npos || image.find("vllm") != image.npos ||
                        image.find("sglang") != image.npos;
    bool given = false, mounted = false;
    for (const std::string& device : service.devices)
      given |= device.find("/dev/kfd") != device.npos;
    for (const std::string& volume : service.volumes)
      mounted |= volume.find("/dev/shm") != volume.npos;
    if (!trains || !given || mounted || !service.ipc.empty() || !service.shm_size.empty()) continue;
    const bool complaint =
        people_say(context, {"shared memory", "/dev/shm"}) || app_log_has(context, "Bus error");
    findings.push_back(
        (complaint ? warning("compose service " + service.name + " has 64 MiB of shared memory")
                   : passing("compose service " + service.name + " has 64 MiB of shared memory"))
            .about(service.file)
            .saw("image: " + service.image + ", neither ipc nor shm_size")
            .sees("compose-leaves-64-mib-of-shm")
            .fix({Step("ipc: host   # in service {}", service.name)}));
  }
  return or_pass(std::move(findings), "the compose files give enough shared memory");
}

}  // namespace

extern const Check kComposeWithoutSharedMemory;
constinit const Check kComposeWithoutSharedMemory{
    .code = "RV716",
    .id = "compose-without-shared-memory",
    .topic = "container",
    .title = "A compose file leaves a training image 64 MiB of shared memory",
    .doc = kComposeWithoutSharedMemoryDoc,
    .run = run_compose_without_shared_memory};

}  // namespace rocvet
