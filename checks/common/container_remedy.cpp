#include "checks/common/container_remedy.h"

namespace rocvet {
namespace {

Word gid_of_kfd(const Machine& machine) {
  const bool known = machine.kfd.stat && machine.kfd.stat->gid && *machine.kfd.stat->gid != 65534;
  return known ? Word(*machine.kfd.stat->gid) : Word::code("\"$(stat -c %g /dev/kfd)\"");
}

bool rootless(const Machine& machine) {
  return machine.surroundings.rootless.value_or(false) || machine.surroundings.user_namespace;
}

Step override_devices(const std::string& application) {
  if (application.empty()) return "flatpak override --user --device=all APPLICATION";
  return Step("flatpak override --user --device=all {}", application);
}

}  // namespace

std::string engine_name(const Machine& machine) {
  const Surroundings& around = machine.surroundings;
  if (!around.helper.empty()) return around.helper;
  switch (around.environment) {
    case Environment::docker:
      return "docker";
    case Environment::podman:
      return rootless(machine) ? "rootless podman" : "podman";
    case Environment::lxc:
      return "LXC";
    case Environment::flatpak:
      return "flatpak";
    case Environment::snap:
      return "snap";
    case Environment::sandbox:
      return "firejail";
    case Environment::kubernetes:
      return "Kubernetes";
    case Environment::apptainer:
      return "Apptainer";
    default:
      return "a container";
  }
}

// docker, podman: https://rocm.docs.amd.com/projects/install-on-linux/en/latest/how-to/docker.html
// Kubernetes: https://github.com/ROCm/k8s-device-plugin
// Apptainer: https://apptainer.org/docs/user/latest/gpu.html#amd-gpus-rocm
// LXC: https://pve.proxmox.com/pve-docs/pct.conf.5.html (dev[n]),
//      https://linuxcontainers.org/incus/docs/main/reference/devices_gpu/
std::vector<Step> pass_devices(const Machine& machine) {
  const Surroundings& around = machine.surroundings;
  const Word gid = gid_of_kfd(machine);
  if (around.helper == "distrobox")
    return {
        "distrobox create --additional-flags \"--device=/dev/kfd --device=/dev/dri --group-add "
        "keep-groups\" --image IMAGE --name NAME"};
  if (around.helper == "toolbox")
    return {"ls -l /dev/kfd /dev/dri   # on the host: toolbox shows the host's /dev as it is",
            "toolbox create NAME   # again, once the host has the nodes"};
  switch (around.environment) {
    case Environment::docker:
      return {Step("docker run --device=/dev/kfd --device=/dev/dri --group-add {} IMAGE", gid),
              "compose: devices: [\"/dev/kfd:/dev/kfd\", \"/dev/dri:/dev/dri\"]"};
    case Environment::podman:
      return {Step("podman run --device=/dev/kfd --device=/dev/dri --group-add {} IMAGE",
                   rootless(machine) ? Word("keep-groups") : gid)};
    case Environment::kubernetes:
      return {
          "kubectl get nodes -o custom-columns=NAME:.metadata.name,GPU:.status.allocatable."
          "amd\\\\.com/gpu   # does the node offer any?",
          "in the pod's container: resources: { limits: { amd.com/gpu: 1 } }",
          "kubectl create -f https://raw.githubusercontent.com/ROCm/k8s-device-plugin/master/"
          "k8s-ds-amdgpu-dp.yaml   # when the node offers none"};
    case Environment::apptainer:
      return {"apptainer exec --rocm IMAGE COMMAND"};
    case Environment::lxc:
      return {
          "Proxmox: pct set ID --dev0 /dev/kfd,gid=GID --dev1 /dev/dri/renderD128,gid=GID   # "
          "GID: getent group render, in the container",
          "incus: incus config device add NAME gpu gpu gid=GID; incus config device add NAME "
          "kfd unix-char path=/dev/kfd gid=GID"};
    case Environment::flatpak:
      return {override_devices(around.application)};
    case Environment::snap:
      return {"install the application outside the snap"};
    case Environment::sandbox:
      return {"firejail --ignore=private-dev --ignore=private-lib COMMAND"};
    default:
      return {
          "pass /dev/kfd and /dev/dri when the container is started (docker, podman: "
          "--device=/dev/kfd --device=/dev/dri; apptainer: --rocm)"};
  }
}

std::vector<Step> join_group(const Machine& machine, std::uint32_t gid) {
  const Surroundings& around = machine.surroundings;
  if (around.helper == "distrobox")
    return {
        "distrobox create --additional-flags \"--group-add keep-groups\" --image IMAGE --name "
        "NAME"};
  switch (around.environment) {
    case Environment::docker:
      return {Step("docker run --group-add {} …   # compose: group_add: [{}]", gid, gid)};
    case Environment::podman:
      return {rootless(machine) ? Step("podman run --group-add keep-groups …")
                                : Step("podman run --group-add {} …", gid)};
    case Environment::kubernetes:
      return {Step("in the pod: securityContext: { supplementalGroups: [{}] }", gid)};
    case Environment::apptainer:
      return {
          "sudo usermod -aG \"$(stat -c %G /dev/kfd)\" \"$USER\"   # on the host; then log in "
          "again"};
    case Environment::lxc:
      return {
          "Proxmox: pct set ID --dev0 /dev/kfd,gid=GID   # GID: getent group render, in the "
          "container",
          "incus: incus config device set NAME gpu gid=GID"};
    default:
      return {Step("start the container with --group-add {}", gid)};
  }
}

// https://docs.docker.com/engine/security/userns-remap/#disable-namespace-remapping-for-a-container
std::vector<Step> map_group(const Machine& machine) {
  switch (machine.surroundings.environment) {
    case Environment::docker:
      return {
          "docker run --userns=host --device=/dev/kfd --device=/dev/dri --group-add \"$(stat -c "
          "%g /dev/kfd)\" IMAGE   # the daemon remaps users"};
    case Environment::lxc:
      return pass_devices(machine);
    case Environment::kubernetes:
      return {"in the pod: hostUsers: true"};
    case Environment::apptainer:
      return {
          "sudo usermod -aG \"$(stat -c %G /dev/kfd)\" \"$USER\"   # on the host; then log in "
          "again"};
    default:
      break;
  }
  if (machine.surroundings.helper == "distrobox") return pass_devices(machine);
  return {"podman run --group-add keep-groups --device=/dev/kfd --device=/dev/dri IMAGE"};
}

}  // namespace rocvet
