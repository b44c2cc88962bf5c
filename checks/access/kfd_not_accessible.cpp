#include <algorithm>

#include "checks/access/closed_node.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/node_access.h"

namespace rocvet {
namespace {

constexpr std::string_view kKfdNotAccessibleDoc = R"(
## What it looks for
Owner, group number and mode of /dev/kfd against the process's uid, gids and uid map, and what
opening it gives.

## Why it matters
Every HIP program opens /dev/kfd for reading and writing. ROCr reports the refusal as
HSA_STATUS_ERROR_OUT_OF_RESOURCES or "no device".

## How to mend it
Join the group that owns the node, by its number, and log in again: `sudo usermod -aG render,video
$USER`. In a container: `--group-add $(stat -c %g /dev/kfd)`; rootless: `--group-add keep-groups`.

## Not this
A node that does not exist: RV101. An errno other than EACCES: RV105. A machine on which nothing
computes and nobody speaks of it: the closed node is told, and is no fault.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/prerequisites.html
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/how-to/docker.html
- https://docs.podman.io/en/latest/markdown/podman-run.1.html
)";

/// The process may open /dev/kfd and a render node, and not because it is root's.
bool open_to_user(const Machine& machine) {
  const auto open = [&](const DeviceNode& node) {
    return node_access(machine, node).answer == NodeAccess::Answer::open;
  };
  return machine.process.uid && *machine.process.uid != 0 && open(machine.kfd) &&
         std::ranges::any_of(machine.render_nodes, open);
}

std::vector<Finding> run_kfd_not_accessible(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (machine.surroundings.wsl) return {skip("WSL has no /dev/kfd")};
  std::vector<Finding> findings = judge_node(context, machine.kfd);
  if (open_to_user(machine)) findings.front().seen.push_back("gpu-node-open-to-user");
  return findings;
}

}  // namespace

extern const Check kKfdNotAccessible;
constinit const Check kKfdNotAccessible{.code = "RV102",
                                        .id = "kfd-not-accessible",
                                        .topic = "access",
                                        .title = "/dev/kfd may not be opened by this process",
                                        .doc = kKfdNotAccessibleDoc,
                                        .run = run_kfd_not_accessible};

}  // namespace rocvet
