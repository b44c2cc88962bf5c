#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/xgmi/hives.h"

namespace rocvet {
namespace {

constexpr std::string_view kHiveLinkSlowerDoc = R"(
## What it looks for
The bandwidth that KFD lists for each XGMI link, against the links of the same hive and distance;
only where at least three quarters of them are equal.

## Why it matters
A link that trained with fewer lanes sets the pace of every ring and tree that crosses it.

## How to mend it
Power the machine off and on; if it stays, the bridge, the baseboard or a card is to be replaced.

## Not this
A hive whose links differ by design (MI250X joins its two dies with more links than two cards).

## References
- https://docs.kernel.org/gpu/amdgpu/xgmi.html
- https://rocm.docs.amd.com/projects/rccl/en/latest/
)";

std::vector<Finding> run_hive_link_slower(const Context& context) {
  if (auto none = skip_without_hive(context)) return {*none};
  std::vector<std::string> slow;
  for (const auto& hive : hives(context.machine)) {
    const auto links = links_of(hive);
    const std::uint64_t speed = usual(links, &IoLink::max_bandwidth_mbs);
    const std::uint64_t distance = usual(links, &IoLink::weight);
    for (const HiveLink& one : links) {
      // Another distance is another check's matter.
      if (one.link->max_bandwidth_mbs >= speed || one.link->weight != distance) continue;
      slow.push_back(name_of(one) + ": " + std::to_string(one.link->max_bandwidth_mbs) +
                     " MB/s, the others " + std::to_string(speed) + " MB/s");
    }
  }
  if (slow.empty()) return {pass("no XGMI link is slower than its siblings")};
  return warning("XGMI links of a hive are slower than the others")
      .saw(slow)
      .fix({"sudo poweroff   # and on again: a warm reboot does not retrain XGMI"})
      .verify("rocvet check --only RV1403")
      .root()
      .reboot();
}

}  // namespace

extern const Check kHiveLinkSlower;
constinit const Check kHiveLinkSlower{.code = "RV1403",
                                      .id = "hive-link-slower",
                                      .topic = "xgmi",
                                      .title = "A link of the hive is slower than its siblings",
                                      .doc = kHiveLinkSlowerDoc,
                                      .run = run_hive_link_slower};

}  // namespace rocvet
