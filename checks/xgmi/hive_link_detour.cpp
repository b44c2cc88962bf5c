#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/xgmi/hives.h"

namespace rocvet {
namespace {

constexpr std::string_view kHiveLinkDetourDoc = R"(
## What it looks for
The distance (weight) of each XGMI link against the links of the same hive, where at least three
quarters of them have one hop.

## Why it matters
Traffic between the two cards takes the links of a third one, which then has less for its own.

## How to mend it
Power the machine off and on; look for a bridge that is not seated.

## Not this
A ring or another hive in which two hops are usual.

## References
- https://docs.kernel.org/gpu/amdgpu/xgmi.html
)";

std::vector<Finding> run_hive_link_detour(const Context& context) {
  if (auto none = skip_without_hive(context)) return {*none};
  std::vector<std::string> far;
  for (const auto& hive : hives(context.machine)) {
    const auto links = links_of(hive);
    const std::uint64_t distance = usual(links, &IoLink::weight);
    for (const HiveLink& one : links) {
      if (distance == 0 || one.link->weight <= distance) continue;
      far.push_back(name_of(one) + ": weight " + std::to_string(one.link->weight) +
                    ", the others " + std::to_string(distance));
    }
  }
  if (far.empty()) return {pass("no XGMI link takes more hops than its siblings")};
  return warning("cards of a hive reach each other only through a third card")
      .saw(far)
      .fix({"sudo poweroff   # and on again: a warm reboot does not retrain XGMI"})
      .verify("rocm-smi --showtopohops")
      .root()
      .reboot();
}

}  // namespace

extern const Check kHiveLinkDetour;
constinit const Check kHiveLinkDetour{
    .code = "RV1404",
    .id = "hive-link-detour",
    .topic = "xgmi",
    .title = "Two cards of a hive reach each other only through a third",
    .doc = kHiveLinkDetourDoc,
    .run = run_hive_link_detour};

}  // namespace rocvet
