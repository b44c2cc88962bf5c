#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kDockerDesktopContextDoc = R"(
## What it looks for
currentContext of ~/.docker/config.json, the contexts that exist, DOCKER_HOST, on a host that has
/dev/kfd; in a container without a GPU, whether the kernel is that of Docker Desktop's virtual
machine.

## Why it matters
Docker Desktop runs containers in a virtual machine without the AMD GPU: "error gathering device
information … /dev/kfd: no such file".

## How to mend it
`docker context use default`, with the native dockerd running.

## Not this
A container that was not given the device: RV101.

## References
- https://docs.docker.com/engine/manage-resources/contexts/
- https://docs.docker.com/desktop/setup/install/linux/
)";

std::vector<Finding> run_docker_desktop_context(const Context& context) {
  const Machine& machine = context.machine;
  // The kernel of Docker Desktop's virtual machine.
  // Either may be another's in what a container shows of /proc.
  std::string kernel = machine.kernel.release.value_or("");
  const std::string version = machine.kernel.version.value_or("");
  if (version.find("-linuxkit") != version.npos) kernel = version.substr(0, version.find(" ("));
  if (kernel.find("-linuxkit") != kernel.npos && !has_gpu(machine))
    return failing("this container runs in Docker Desktop's virtual machine, which has no GPU")
        .saw("kernel: " + kernel)
        .sees("docker-talks-to-desktop")
        .fix({"docker context use default   # on the host, then start the container again"});
  if (machine.surroundings.container || machine.surroundings.wsl)
    return {none_here("this is not the docker host", Absence::surroundings)};
  const DockerClient& docker = machine.settings.docker;
  const bool chosen =
      docker.current_context && docker.current_context->find("desktop") != std::string::npos;
  const bool host = docker.host.find(".docker/desktop") != std::string::npos;
  if (!chosen && !host) return {pass("docker does not talk to Docker Desktop")};
  if (!has_gpu(machine)) return {none_here("there is no AMD GPU here", Absence::gpu)};
  const bool kfd = machine.kfd.stat.has_value();
  const bool stated = kfd && app_log_has(context, "error gathering device information");
  const bool bad = stated || (kfd && people_say(context, {"docker", "container"}));
  return Say(verdict_of(stated, bad),
             bad ? "docker talks to Docker Desktop, whose virtual machine has no GPU"
                 : "docker talks to Docker Desktop")
      .saw(chosen ? "~/.docker/config.json: currentContext " + *docker.current_context
                  : "DOCKER_HOST=" + docker.host)
      .saw(kfd ? "/dev/kfd exists on this host" : "")
      .sees("docker-talks-to-desktop")
      .fix({"docker context use default"})
      .undo(Step("docker context use {}", docker.current_context.value_or("desktop-linux")));
}

}  // namespace

extern const Check kDockerDesktopContext;
constinit const Check kDockerDesktopContext{
    .code = "RV702",
    .id = "docker-desktop-context",
    .topic = "container",
    .title = "docker talks to Docker Desktop's virtual machine",
    .doc = kDockerDesktopContextDoc,
    .run = run_docker_desktop_context};

}  // namespace rocvet
