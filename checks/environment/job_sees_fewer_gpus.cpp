#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/visibility.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
SLURM_GPUS_ON_NODE against the GPUs that the visibility variables leave.

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

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  const auto given = parse_number(variable_or_empty(machine, "SLURM_GPUS_ON_NODE"));
  if (!given || *given == 0) return {skip("this is no Slurm job with GPUs")};
  const Visibility seen = visibility(machine);
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
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
