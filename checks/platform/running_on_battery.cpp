#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/siblings.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
All mains supplies are offline.

## Why it matters
Firmware cuts the power limit of processor and GPU to what the battery can give: half of the speed
or less, whatever the power profile says.

## How to mend it
Plug it in, with a charger that is strong enough.

## Not this
A power cap that was set: RV1201.

## References
- https://docs.kernel.org/power/power_supply_class.html
)";

std::vector<Finding> run(const Context& context) {
  const std::string mains = setting(context.machine, "mains");
  if (mains.empty()) return {skip("there is no mains supply that tells (no laptop)")};
  if (mains == "online") return {pass("the machine runs on mains power")};
  const bool complaint = people_say(context, {"slow", "performance", "throttl"});
  return (complaint ? warning("the laptop runs on its battery")
                    : passing("the laptop runs on its battery"))
      .saw("every supply of type Mains is offline")
      .sees("mains-offline")
      .fix({"plug the charger in"});
}

}  // namespace

extern const Check kRunningOnBattery;
constinit const Check kRunningOnBattery{.code = "RV1318",
                                        .id = "running-on-battery",
                                        .topic = "platform",
                                        .title = "The laptop runs on its battery",
                                        .doc = kDoc,
                                        .run = run};

}  // namespace rocvet
