#include <set>
#include <utility>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/xgmi/hives.h"

namespace rocvet {
namespace {

constexpr std::string_view kHiveLinkMissingDoc = R"(
## What it looks for
For each two cards of a hive an XGMI link from one to the other in KFD's topology.

## Why it matters
KFD makes one for each pair it could join. Where it is missing the two cards cannot reach each
other's memory over XGMI, and collectives over all cards fail or fall back to PCIe.

## How to mend it
Power the machine off and on, then look at the kernel log of the driver's XGMI messages.

## Not this
Cards in different hives, and cards that a container was not given.

## References
- https://docs.kernel.org/gpu/amdgpu/xgmi.html
)";

std::vector<Finding> run_hive_link_missing(const Context& context) {
  if (auto none = skip_without_hive(context)) return {*none};
  constexpr std::size_t kMostNamed = 24;
  std::size_t missing_links = 0;
  std::vector<std::string> gone;
  for (const auto& hive : hives(context.machine)) {
    std::set<std::pair<const Gpu*, const Gpu*>> linked;
    for (const HiveLink& one : links_of(hive)) linked.emplace(one.from, one.to);
    for (const Gpu* from : hive) {
      if (from->links.empty()) continue;  // not read
      for (const Gpu* to : hive) {
        if (to == from) continue;
        if (linked.contains({from, to})) continue;
        ++missing_links;
        if (gone.size() < kMostNamed) gone.push_back(name_of({from, to, nullptr}));
      }
    }
  }
  if (gone.empty()) return {pass("each card of a hive has a link to each other card")};
  const std::string more = missing_links > gone.size()
                               ? " and " + std::to_string(missing_links - gone.size()) + " more"
                               : "";
  return failing("XGMI links are missing in a hive")
      .saw("missing: " + join(gone, ", ") + more)
      .fix({"sudo poweroff   # and on again: a warm reboot does not retrain XGMI",
            "sudo dmesg | grep -i xgmi"})
      .verify("rocm-smi --showtopo")
      .root()
      .reboot();
}

}  // namespace

extern const Check kHiveLinkMissing;
constinit const Check kHiveLinkMissing{.code = "RV1402",
                                       .id = "hive-link-missing",
                                       .topic = "xgmi",
                                       .title = "A link of the hive is missing",
                                       .doc = kHiveLinkMissingDoc,
                                       .run = run_hive_link_missing};

}  // namespace rocvet
