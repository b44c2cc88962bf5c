#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kCollectivesWithoutPeersDoc = R"(
## What it looks for
NCCL_P2P_DISABLE=1, NCCL_P2P_LEVEL=LOC and NCCL_SHM_DISABLE=1 on a machine with several GPUs.

## Why it matters
RCCL then copies through host memory or over the network. With XGMI that costs most of the
bandwidth; on a PCIe machine whose peer transfers hang it is a workaround.

## How to mend it
Unset it, unless transfers hang without it.

## Not this
One GPU.

## References
- https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html
- https://rocm.docs.amd.com/projects/rccl/en/latest/
)";

std::vector<Finding> run_collectives_without_peers(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  std::vector<std::string> seen;
  for (const char* name : {"NCCL_P2P_DISABLE", "NCCL_SHM_DISABLE"}) {
    if (variable_or_empty(machine, name) == "1") seen.push_back(std::string(name) + "=1");
  }
  const std::string level = variable_or_empty(machine, "NCCL_P2P_LEVEL");
  if (level == "LOC" || level == "0") seen.push_back("NCCL_P2P_LEVEL=" + level);
  if (seen.empty()) return {pass("RCCL may use direct transfers")};
  bool hive = false;
  for (const Gpu& gpu : machine.gpus) hive |= gpu.hive.has_value();
  if (cards(machine).size() < 2) return {pass("there is one GPU")};
  return (hive ? warning("RCCL was told not to use XGMI")
               : passing("RCCL was told not to use direct transfers between GPUs"))
      .saw(seen)
      .sees("peers-switched-off-for-rccl")
      .fix({"unset NCCL_P2P_DISABLE NCCL_SHM_DISABLE NCCL_P2P_LEVEL"});
}

}  // namespace

extern const Check kCollectivesWithoutPeers;
constinit const Check kCollectivesWithoutPeers{
    .code = "RV613",
    .id = "collectives-without-peers",
    .topic = "environment",
    .title = "RCCL was told not to use direct transfers between GPUs",
    .doc = kCollectivesWithoutPeersDoc,
    .run = run_collectives_without_peers};

}  // namespace rocvet
