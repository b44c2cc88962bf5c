#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/xgmi/hives.h"

namespace rocvet {
namespace {

constexpr std::string_view kHiveLinkWithoutPeerAccessDoc = R"(
## What it looks for
The flags of XGMI links in KFD's topology: no peer-to-peer DMA, no 32-bit or 64-bit atomics.

## Why it matters
HIP refuses hipDeviceEnablePeerAccess over such a link, and RCCL copies through host memory.

## How to mend it
Update the driver and the firmware of the GPUs; both set these flags.

## Not this
PCIe links between cards: ask `rocvet check --only RV1105`.

## References
- https://github.com/torvalds/linux/blob/master/drivers/gpu/drm/amd/amdkfd/kfd_crat.h
)";

// CRAT_IOLINK_FLAGS_*: bit 2 no 32-bit atomics, bit 3 no 64-bit atomics, bit 4 no peer-to-peer DMA.
constexpr std::uint64_t kNoAtomics = 0x0c, kNoPeerToPeer = 0x10;

std::vector<Finding> run_hive_link_without_peer_access(const Context& context) {
  if (auto none = skip_without_hive(context)) return {*none};
  std::vector<std::string> lacks;
  bool no_peer = false;
  for (const auto& hive : hives(context.machine)) {
    for (const HiveLink& one : links_of(hive)) {
      if ((one.link->flags & (kNoAtomics | kNoPeerToPeer)) == 0) continue;
      no_peer |= (one.link->flags & kNoPeerToPeer) != 0;
      lacks.push_back(name_of(one) + ": flags " + std::to_string(one.link->flags));
    }
  }
  if (lacks.empty()) return {pass("the XGMI links offer peer access and atomics")};
  return warning(no_peer ? "XGMI links do not offer peer-to-peer access"
                         : "XGMI links do not offer atomics")
      .saw(lacks)
      .verify("rocm-smi --showtopoaccess");
}

}  // namespace

extern const Check kHiveLinkWithoutPeerAccess;
constinit const Check kHiveLinkWithoutPeerAccess{
    .code = "RV1405",
    .id = "hive-link-without-peer-access",
    .topic = "xgmi",
    .title = "A link of the hive does not offer peer access",
    .doc = kHiveLinkWithoutPeerAccessDoc,
    .run = run_hive_link_without_peer_access};

}  // namespace rocvet
