#include "checks/check.h"
#include "checks/common/gpus.h"
#include "checks/common/say.h"
#include "checks/common/siblings.h"

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
  if (auto none = skip_without_gpu(context)) return {*none};
  bool known = false;
  std::vector<std::string> evidence;
  for (const Gpu& gpu : context.machine.gpus) known |= gpu.partition.compute.has_value();
  if (!known) return {skip("no GPU here can be partitioned")};
  std::string usual;
  for (const OddCard& odd : odd_cards(
           context.machine, [](const Gpu& gpu) { return gpu.partition.compute.value_or(""); })) {
    usual = odd.usual;
    evidence.push_back(gpu_label(*odd.gpu) + ": " + odd.value + ", the others " + odd.usual);
  }
  if (evidence.empty()) return {pass("equal GPUs are in one compute partition mode")};
  return warning("equal GPUs are in different compute partition modes")
      .saw(evidence)
      .vote("partition-mode-unexpected", 0.6)
      .fix({"sudo amd-smi set --gpu all --compute-partition " + usual})
      .verify("amd-smi static --partition")
      .root();
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
