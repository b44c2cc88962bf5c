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
/sys/firmware/acpi/platform_profile is low-power, quiet or cool.

## Why it matters
The firmware then keeps the package power low: an APU's GPU, or a laptop's discrete one, runs far
below its clocks.

## How to mend it
`powerprofilesctl set performance`, or the desktop's settings.

## Not this
"balanced", the default.

## References
- https://docs.kernel.org/userspace-api/sysfs-platform_profile.html
)";

std::vector<Finding> run(const Context& context) {
  const std::string profile = setting(context.machine, "platform profile");
  if (profile.empty()) return {skip("the platform has no power profiles")};
  if (profile != "low-power" && profile != "quiet" && profile != "cool")
    return {pass("the platform's power profile is " + profile)};
  const bool complaint = people_say(context, {"slow", "performance", "throttl"});
  return (complaint ? warning("the platform's power profile is " + profile)
                    : passing("the platform's power profile is " + profile))
      .saw("platform_profile: " + profile)
      .sees("platform-profile-quiet")
      .fix({"powerprofilesctl set performance"})
      .undo("powerprofilesctl set power-saver");
}

}  // namespace

extern const Check kQuietPowerProfile;
constinit const Check kQuietPowerProfile{.code = "RV1319",
                                         .id = "quiet-power-profile",
                                         .topic = "platform",
                                         .title = "The platform's power profile is the quiet one",
                                         .doc = kDoc,
                                         .run = run};

}  // namespace rocvet
