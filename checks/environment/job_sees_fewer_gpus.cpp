#include <optional>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/visibility.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kJobSeesFewerGpusDoc = R"(
## What it looks for
SLURM_GPUS_ON_NODE against the GPUs that the visibility variables leave; and where a device ordinal
is invalid, the local rank (LOCAL_RANK and its like) against them.

## Why it matters
Slurm set one list and a script another: the second indexes what the first left, and GPUs of the job
stay idle.

## How to mend it
Unset HIP_VISIBLE_DEVICES in the script; Slurm sets ROCR_VISIBLE_DEVICES.

## Not this
One task of several, which gets its share (SLURM_LOCALID with --gpus-per-task).

## References
- https://slurm.schedmd.com/gres.html
)";

/// The process's number among those of its node, as launchers tell it.
std::optional<std::size_t> local_rank(const Machine& machine) {
  for (const char* name : {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK",
                           "SLURM_LOCALID", "PALS_LOCAL_RANKID"}) {
    if (const auto rank = parse_number(variable_or_empty(machine, name)); rank) return *rank;
  }
  return std::nullopt;
}

std::vector<Finding> run_job_sees_fewer_gpus(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  const Visibility seen = visibility(machine);
  if (const auto rank = local_rank(machine); rank && !seen.masks.empty() && *rank >= seen.left &&
                                             seen.left > 0 &&
                                             has_app_error(context, "invalid-device-ordinal"))
    return warning("the process of local rank " + std::to_string(*rank) + " sees " +
                   std::to_string(seen.left) + " GPUs, and asks for the one of its rank")
        .saw(seen.masks)
        .sees("rank-beyond-the-mask")
        .fix({"unset ROCR_VISIBLE_DEVICES HIP_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES"});
  const auto given = parse_number(variable_or_empty(machine, "SLURM_GPUS_ON_NODE"));
  if (!given || *given == 0) return {skip("this is no Slurm job with GPUs")};
  // With one list only it is Slurm's own choice: a task's share.
  if (seen.masks.size() < 2 || seen.left >= *given)
    return {pass("the process sees the GPUs that its job was given")};
  return warning("the process sees " + std::to_string(seen.left) + " GPUs of the " +
                 std::to_string(*given) + " that its job was given")
      .saw(seen.masks)
      .saw("SLURM_GPUS_ON_NODE=" + std::to_string(*given))
      .fix({"unset HIP_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES GPU_DEVICE_ORDINAL"});
}

}  // namespace

extern const Check kJobSeesFewerGpus;
constinit const Check kJobSeesFewerGpus{
    .code = "RV622",
    .id = "job-sees-fewer-gpus",
    .topic = "environment",
    .title = "The process sees fewer GPUs than its job was given",
    .doc = kJobSeesFewerGpusDoc,
    .run = run_job_sees_fewer_gpus};

}  // namespace rocvet
