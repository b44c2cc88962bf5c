#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr std::string_view kPartitionedDoc = R"(
## What it looks for
Compute and memory partition modes other than SPX and NPS1.

## Why it matters
Software sees several small devices; each has a part of the memory. It is a choice on clusters,
and a surprise elsewhere.

## How to mend it
`sudo amd-smi set --gpu all --compute-partition SPX`, or adapt the job.

## Not this
Several cards.

## References
- https://rocm.docs.amd.com/projects/amdsmi/en/latest/
- https://instinct.docs.amd.com/projects/amdgpu-docs/en/latest/gpu-partitioning/index.html
)";

std::vector<Finding> run_partitioned(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::string compute, memory;
  for (const Gpu& gpu : context.machine.gpus) {
    if (gpu.partition.compute && *gpu.partition.compute != "SPX" && !gpu.partition.compute->empty())
      compute = *gpu.partition.compute;
    if (gpu.partition.memory && *gpu.partition.memory != "NPS1" && !gpu.partition.memory->empty())
      memory = *gpu.partition.memory;
  }
  if (compute.empty() && memory.empty()) return {pass("no GPU is partitioned")};
  const bool complaint = people_say(context, {"partition", "more GPUs"}) ||
                         app_log_has(context, "out of memory") ||
                         people_say(context, {"devices", "slow"}) ||
                         said(context, "partition-mode-unexpected") >= 0.15;
  return (complaint ? warning("the GPU is partitioned") : passing("the GPU is partitioned"))
      .saw("compute " + (compute.empty() ? "SPX" : compute) + ", memory " +
           (memory.empty() ? "NPS1" : memory))
      .sees("gpu-partitioned")
      .fix({"sudo amd-smi set --gpu all --compute-partition SPX",
            "sudo amd-smi set --gpu all --memory-partition NPS1"})
      .root();
}

}  // namespace

extern const Check kPartitioned;
constinit const Check kPartitioned{.code = "RV1301",
                                   .id = "partitioned",
                                   .topic = "platform",
                                   .title = "An Instinct GPU is partitioned",
                                   .doc = kPartitionedDoc,
                                   .run = run_partitioned};

}  // namespace rocvet
