#include <algorithm>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/container_remedy.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/node_access.h"

namespace rocvet {
namespace {

constexpr std::string_view kDeviceCgroupRefusesDoc = R"(
## What it looks for
Nodes of the GPU that are there and refused by the device cgroup: opening one gives EPERM although
owner and mode allow it, or the list of a version 1 cgroup (devices.list) does not have its
number.

## Why it matters
A node that was bind-mounted (`-v /dev/kfd:/dev/kfd`) or made by mknod is only a name: the cgroup
of the container or of the Slurm job decides. A job that asked for no GPU gets none.

## How to mend it
Pass it as a device: `--device=/dev/kfd --device=/dev/dri`, not as a volume. Kubernetes: ask for
amd.com/gpu. Slurm: `srun --gres=gpu:1`. LXC: lxc.cgroup2.devices.allow.

## Not this
EACCES, a matter of groups: RV102. Part of the GPUs refused while others open: what a scheduler
does on purpose.

## References
- https://docs.kernel.org/admin-guide/cgroup-v2.html#device-controller
- https://docs.kernel.org/admin-guide/cgroup-v1/devices.html
- https://slurm.schedmd.com/gres.html
)";

/// Whether a version 1 list allows a character device; "a *:* rwm" allows all.
bool listed(const std::string& list, const FileStat& node) {
  for (const std::string_view line : split(list, '\n')) {
    const auto parts = words(line);
    if (parts.size() < 2 || (parts[0] != "a" && parts[0] != "c")) continue;
    const auto numbers = split(parts[1], ':');
    if (numbers.size() != 2) continue;
    const auto fits = [](std::string_view pattern, std::uint32_t number) {
      return pattern == "*" || parse_number(pattern) == number;
    };
    const bool both_ways = parts.size() < 3 || (parts[2].find('r') != parts[2].npos &&
                                                parts[2].find('w') != parts[2].npos);
    if (both_ways && fits(numbers[0], node.major) && fits(numbers[1], node.minor)) return true;
  }
  return false;
}

/// Why the cgroup refuses it; "" when it does not.
std::string refusal(const Machine& machine, const DeviceNode& node) {
  if (!node.stat || node.stat->type != FileStat::Type::char_device) return "";
  const NodeAccess access = node_access(machine, node);
  if (access.errno_name == "EPERM") return "opening " + node.path + " gives EPERM";
  const auto& list = machine.access.cgroup_devices;
  if (access.answer != NodeAccess::Answer::open && list && node.stat->major != 0 &&
      !listed(*list, *node.stat))
    return "devices.list of the cgroup has no " + std::to_string(node.stat->major) + ":" +
           std::to_string(node.stat->minor) + " (" + node.path + ")";
  return "";
}

std::vector<Finding> run_device_cgroup_refuses(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!machine.kfd.stat && machine.render_nodes.empty()) return {none_here("there is no node")};
  std::vector<std::string> evidence;
  const std::string kfd = refusal(machine, machine.kfd);
  if (!kfd.empty()) evidence.push_back(kfd);
  std::size_t refused = 0;
  for (const DeviceNode& node : machine.render_nodes) {
    const std::string why = refusal(machine, node);
    if (why.empty()) continue;
    if (++refused <= 3) evidence.push_back(why);
  }
  if (evidence.empty()) return {pass("no cgroup refuses a node of the GPU")};
  const bool all = refused > 0 && refused == machine.render_nodes.size();
  if (kfd.empty() && !all)
    return passing("the cgroup gives this process " +
                   std::to_string(machine.render_nodes.size() - refused) + " of " +
                   std::to_string(machine.render_nodes.size()) + " render nodes")
        .saw(evidence);
  const std::string job = variable_or_empty(machine, "SLURM_JOB_ID");
  // Apptainer starts what it starts in the cgroup of the job.
  const bool inside = machine.surroundings.container;
  if (!job.empty() && (!inside || machine.surroundings.environment == Environment::apptainer)) {
    const std::string given = variable_or_empty(machine, "SLURM_JOB_GPUS");
    return failing("the Slurm job was given no GPU")
        .saw(evidence)
        .saw("SLURM_JOB_ID=" + job + ", " +
             (given.empty() ? "no SLURM_JOB_GPUS" : "SLURM_JOB_GPUS=" + given))
        .sees("slurm-job-without-gpu-nodes")
        .fix({"srun --gres=gpu:1 COMMAND   # or #SBATCH --gres=gpu:1"});
  }
  Finding said = failing("the device cgroup refuses the GPU's nodes")
                     .saw(evidence)
                     .saw(inside ? machine.surroundings.evidence + ": " + engine_name(machine) : "")
                     .sees(inside ? ObservationName("gpu-nodes-refused-by-cgroup-in-container")
                                  : ObservationName("gpu-nodes-refused-by-cgroup"));
  if (inside) said.remedy.steps = pass_devices(machine);
  return {said};
}

}  // namespace

extern const Check kDeviceCgroupRefuses;
constinit const Check kDeviceCgroupRefuses{.code = "RV720",
                                           .id = "device-cgroup-refuses",
                                           .topic = "container",
                                           .title = "The device cgroup refuses the GPU's nodes",
                                           .doc = kDeviceCgroupRefusesDoc,
                                           .run = run_device_cgroup_refuses};

}  // namespace rocvet
