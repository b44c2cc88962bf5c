#include "checks/common/container_remedy.h"

namespace rocvet {
namespace {

std::string gid_of_kfd(const Machine& machine) {
  const bool known = machine.kfd.stat && machine.kfd.stat->gid && *machine.kfd.stat->gid != 65534;
  return known ? std::to_string(*machine.kfd.stat->gid) : "\"$(stat -c %g /dev/kfd)\"";
}

bool rootless(const Machine& machine) {
  return machine.surroundings.rootless.value_or(false) || machine.surroundings.user_namespace;
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
std::vector<std::string> pass_devices(const Machine& machine) {
  const Surroundings& around = machine.surroundings;
  const std::string gid = gid_of_kfd(machine);
  if (around.helper == "distrobox")
    return {
        "distrobox create --additional-flags \"--device=/dev/kfd --device=/dev/dri --group-add "
        "keep-groups\" --image IMAGE --name NAME"};
  if (around.helper == "toolbox")
    return {"ls -l /dev/kfd /dev/dri   # on the host: toolbox shows the host's /dev as it is",
            "toolbox create NAME   # again, once the host has the nodes"};
  switch (around.environment) {
    case Environment::docker:
      return {"docker run --device=/dev/kfd --device=/dev/dri --group-add " + gid + " IMAGE",
              "compose: devices: [\"/dev/kfd:/dev/kfd\", \"/dev/dri:/dev/dri\"]"};
    case Environment::podman:
      return {"podman run --device=/dev/kfd --device=/dev/dri --group-add " +
              (rootless(machine) ? std::string("keep-groups") : gid) + " IMAGE"};
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
      return {"flatpak override --user --device=all " +
              (around.application.empty() ? "APPLICATION" : around.application)};
    case Environment::snap:
      return {"install the application outside the snap"};
    default:
      return {
          "pass /dev/kfd and /dev/dri when the container is started (docker, podman: "
          "--device=/dev/kfd --device=/dev/dri; apptainer: --rocm)"};
  }
}

std::vector<std::string> join_group(const Machine& machine, std::uint32_t gid) {
  const Surroundings& around = machine.surroundings;
  const std::string number = std::to_string(gid);
  if (around.helper == "distrobox")
    return {
        "distrobox create --additional-flags \"--group-add keep-groups\" --image IMAGE --name "
        "NAME"};
  switch (around.environment) {
    case Environment::docker:
      return {"docker run --group-add " + number + " …   # compose: group_add: [\"" + number +
              "\"]"};
    case Environment::podman:
      return {rootless(machine) ? "podman run --group-add keep-groups …"
                                : "podman run --group-add " + number + " …"};
    case Environment::kubernetes:
      return {"in the pod: securityContext: { supplementalGroups: [" + number + "] }"};
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
      return {"start the container with --group-add " + number};
  }
}

// https://docs.docker.com/engine/security/userns-remap/#disable-namespace-remapping-for-a-container
std::vector<std::string> map_group(const Machine& machine) {
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
