// How this kind of container is given the GPU: the commands of its own engine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// Passing /dev/kfd and /dev/dri, for the engine that made this container; generic words where it
/// is not known.
std::vector<Step> pass_devices(const Machine& machine);
/// Giving the process the group with this number.
std::vector<Step> join_group(const Machine& machine, std::uint32_t gid);
/// Making a user namespace map the group that owns the nodes.
std::vector<Step> map_group(const Machine& machine);
/// "docker", "rootless podman", "Kubernetes", "distrobox" …
std::string engine_name(const Machine& machine);

}  // namespace rocvet
