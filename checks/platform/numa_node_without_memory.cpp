#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kNumaNodeWithoutMemoryDoc = R"(
## What it looks for
Nodes with memory (has_memory) against the numa_node of each card.

## Why it matters
Host memory for that GPU always comes from another node: every copy crosses a link, and pinned
allocations bound to the node fail.

## How to mend it
Populate the memory channels of that socket, or set fewer nodes per socket (NPS1) in the BIOS.

## Not this
A GPU whose node is not known: RV1307.

## References
- https://docs.kernel.org/mm/numa.html
)";

std::vector<Finding> run_numa_node_without_memory(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const Result<std::string> nodes = setting(machine, "numa nodes"),
                            filled = setting(machine, "numa nodes with memory");
  if (!nodes) return {unread(nodes.error(), "this kernel has no NUMA nodes")};
  if (!filled) return {unread(filled.error(), "this kernel has no NUMA nodes")};
  std::vector<std::string> empty;
  for (const Gpu* gpu : cards(machine)) {
    if (gpu->numa_node && range_has(*nodes, *gpu->numa_node) &&
        !range_has(*filled, *gpu->numa_node))
      empty.push_back(gpu_label(*gpu) + ": node " + std::to_string(*gpu->numa_node));
  }
  if (empty.empty()) return {pass("the nodes of the GPUs have memory")};
  return warning("the NUMA node of a GPU has no memory")
      .saw(empty)
      .saw("nodes with memory: " + *filled + " of " + *nodes)
      .fix({"populate the memory channels of that socket, or choose NPS1 in the BIOS"});
}

}  // namespace

extern const Check kNumaNodeWithoutMemory;
constinit const Check kNumaNodeWithoutMemory{.code = "RV1308",
                                             .id = "numa-node-without-memory",
                                             .topic = "platform",
                                             .title = "The NUMA node of a GPU has no memory",
                                             .doc = kNumaNodeWithoutMemoryDoc,
                                             .run = run_numa_node_without_memory};

}  // namespace rocvet
