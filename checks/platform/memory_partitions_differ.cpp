#include "checks/facts/partition_modes.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
current_memory_partition of cards of one part.

## Why it matters
The mode takes effect when the driver loads, on all cards of a hive at once. A card that kept the
old one has its memory interleaved differently, and its devices show another memory size.

## How to mend it
Set one mode on all cards; the driver has to be loaded anew.

## Not this
One mode on all cards that you did not expect: RV1301.

## References
- https://instinct.docs.amd.com/projects/amdgpu-docs/en/latest/gpu-partitioning/index.html
)";

std::vector<Finding> run(const Context& context) {
  return partition_modes_differ(context, &Partition::memory, "memory");
}

}  // namespace

extern const Check kMemoryPartitionsDiffer;
constinit const Check kMemoryPartitionsDiffer{
    .code = "RV1304",
    .id = "memory-partitions-differ",
    .topic = "platform",
    .title = "Equal GPUs are in different memory partition modes",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
