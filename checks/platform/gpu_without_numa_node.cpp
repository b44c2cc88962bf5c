#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kGpuWithoutNumaNodeDoc = R"(
## What it looks for
numa_node -1 of a card on bare metal with several sockets and several NUMA nodes.

## Why it matters
Neither the kernel nor a job launcher can then place memory and threads near the GPU; half of the
copies cross the link between the sockets.

## How to mend it
Update the BIOS; until then bind by hand (`numactl`), as the board's manual shows the slots.

## Not this
One socket: there is nothing to choose.

## References
- https://docs.kernel.org/admin-guide/abi-testing.html
- https://rocm.docs.amd.com/en/latest/how-to/system-optimization/index.html
)";

std::vector<Finding> run_gpu_without_numa_node(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const Result<std::string> nodes = setting(machine, "numa nodes");
  if (!nodes) return {unread(nodes.error(), "this kernel has no NUMA nodes")};
  if (!machine.cpu.sockets) return {unknown(machine.cpu.sockets.error())};
  if (*machine.cpu.sockets < 2 || nodes->find_first_of(",-") == std::string::npos)
    return {pass("the machine has one socket or one NUMA node")};
  if (machine.surroundings.virtual_machine.value_or(false))
    return {skip("a virtual machine shows what it was given")};
  std::vector<std::string> without;
  Judged judged;
  for (const Gpu* gpu : cards(machine)) {
    if (gpu->kind == GpuKind::apu) continue;
    // A file that says -1 is an answer too.
    const bool none =
        gpu->numa_node.is_missing() && gpu->numa_node.error().what == "belongs to no NUMA node";
    if (none) without.push_back(gpu_label(*gpu));
    judged.has(gpu->numa_node);
  }
  if (without.empty())
    return judged.rest({},
                       counted(judged.number(), "GPU has its", "GPUs have their") + " NUMA node",
                       "the kernel shows no NUMA nodes of GPUs here");
  return warning("the firmware does not say which socket a GPU belongs to")
      .saw(without)
      .saw("sockets: " + std::to_string(*machine.cpu.sockets) + ", NUMA nodes: " + *nodes)
      .fix({"update the BIOS", "numactl --cpunodebind=N --membind=N COMMAND   # until then"});
}

}  // namespace

extern const Check kGpuWithoutNumaNode;
constinit const Check kGpuWithoutNumaNode{
    .code = "RV1307",
    .id = "gpu-without-numa-node",
    .topic = "platform",
    .title = "The firmware does not say which socket a GPU belongs to",
    .doc = kGpuWithoutNumaNodeDoc,
    .run = run_gpu_without_numa_node};

}  // namespace rocvet
