#include <map>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"
#include "checks/xgmi/hives.h"

namespace rocvet {
namespace {

constexpr std::string_view kHiveIncompleteDoc = R"(
## What it looks for
The hive id of cards of the same part: some cards without one, or hives of unequal size.

## Why it matters
A card outside the hive talks to the others over PCIe. Collectives run at the speed of the slowest
link, so one such card slows all of them down.

## How to mend it
Power the machine off and on (a warm reboot does not retrain XGMI), then look at the kernel log for
xgmi messages; a bridge or the baseboard may be at fault.

## Not this
Two hives of equal size, as bridges of two or four cards make them.

## References
- https://docs.kernel.org/gpu/amdgpu/xgmi.html
)";

std::vector<Finding> run_hive_incomplete(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  bool several = false;
  for (const auto& group : equal_cards(machine)) {
    std::map<std::string, std::size_t> sizes;
    std::vector<std::string> outside, counts;
    for (const Gpu* gpu : group) {
      if (gpu->hive) ++sizes[*gpu->hive];
      // Only a card that KFD drives says by its silence that it is in no hive.
      if (gpu->hive.is_missing() && gpu->kfd_node) outside.push_back(gpu_label(*gpu));
    }
    if (sizes.empty()) continue;
    several = true;
    bool unequal = false;
    for (const auto& [hive, count] : sizes) {
      unequal |= count != sizes.begin()->second;
      counts.push_back("hive " + hive + ": " + std::to_string(count) + " cards");
    }
    if (outside.empty() && !unequal) continue;
    return warning("cards of one part are not all in one XGMI hive")
        .saw(counts)
        .saw(outside.empty() ? "" : "in no hive: " + join(outside, ", "))
        .fix({"sudo poweroff   # and on again: a warm reboot does not retrain XGMI",
              "sudo dmesg | grep -i xgmi"})
        .root()
        .reboot();
  }
  if (!several) return {no_hive(machine)};
  return {pass("the hives are of equal size")};
}

}  // namespace

extern const Check kHiveIncomplete;
constinit const Check kHiveIncomplete{.code = "RV1401",
                                      .id = "hive-incomplete",
                                      .topic = "xgmi",
                                      .title = "Cards of one part are not all in one hive",
                                      .doc = kHiveIncompleteDoc,
                                      .run = run_hive_incomplete};

}  // namespace rocvet
