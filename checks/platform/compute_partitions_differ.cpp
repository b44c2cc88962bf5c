#include "checks/facts/partition_modes.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
current_compute_partition of cards of one part.

## Why it matters
Software sees devices of unequal size: ranks get unequal work, and device numbers shift between
nodes. Often a mode change that failed on one card.

## How to mend it
Set one mode on all cards while no process uses them.

## Not this
One mode on all cards that you did not expect: RV1301.

## References
- https://instinct.docs.amd.com/projects/amdgpu-docs/en/latest/gpu-partitioning/index.html
)";

std::vector<Finding> run(const Context& context) {
  return partition_modes_differ(context, &Partition::compute, "compute");
}

}  // namespace

extern const Check kComputePartitionsDiffer;
constinit const Check kComputePartitionsDiffer{
    .code = "RV1303",
    .id = "compute-partitions-differ",
    .topic = "platform",
    .title = "Equal GPUs are in different compute partition modes",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
