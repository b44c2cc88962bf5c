#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/links.h"

namespace rocvet {
namespace {

constexpr std::string_view kPeerToPeerForcedDoc = R"(
## What it looks for
GGML_CUDA_P2P, NCCL_P2P_LEVEL and NCCL_P2P_DISABLE=0 on a machine whose GPUs are connected by PCIe
alone.

## Why it matters
Peer access over PCIe depends on the platform: root ports, ACS, IOMMU. Where it is flawed, jobs on
several GPUs hang the machine; only a trial tells.

## How to mend it
export NCCL_P2P_DISABLE=1; unset GGML_CUDA_P2P. If the job then runs through, peer access is
broken here.

## Not this
GPUs connected by XGMI.

## References
- https://rocm.docs.amd.com/projects/rccl/en/latest/how-to/troubleshooting-rccl.html
- https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html
)";

std::vector<Finding> run_peer_to_peer_forced(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!several_on_pcie(machine))
    return {none_here("there are no two GPUs connected by PCIe alone", Absence::gpu)};
  std::vector<std::string> evidence;
  for (const char* name : {"GGML_CUDA_P2P", "NCCL_P2P_LEVEL"}) {
    const std::string value = variable_or_empty(machine, name);
    if (!value.empty() && value != "0") evidence.push_back(std::string(name) + "=" + value);
  }
  if (variable_or_empty(machine, "NCCL_P2P_DISABLE") == "0")
    evidence.push_back("NCCL_P2P_DISABLE=0");
  if (variable_or_empty(machine, "NCCL_P2P_DISABLE") == "1")
    return {pass("NCCL_P2P_DISABLE=1: peer-to-peer is off")};
  const bool unset = evidence.empty();
  return passing(unset ? "peer-to-peer over PCIe is left to the libraries"
                       : "peer-to-peer over PCIe is switched on explicitly")
      .saw(evidence)
      .sees(unset ? ObservationName("peers-over-pcie-by-default")
                  : ObservationName("peers-over-pcie-switched-on"))
      .fix({"export NCCL_P2P_DISABLE=1", "unset GGML_CUDA_P2P"});
}

}  // namespace

extern const Check kPeerToPeerForced;
constinit const Check kPeerToPeerForced{.code = "RV610",
                                        .id = "peer-to-peer-forced",
                                        .topic = "environment",
                                        .title = "Peer-to-peer over PCIe is switched on explicitly",
                                        .doc = kPeerToPeerForcedDoc,
                                        .run = run_peer_to_peer_forced};

}  // namespace rocvet
