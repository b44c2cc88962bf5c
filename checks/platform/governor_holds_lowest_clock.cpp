#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/options.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
The frequency governor "powersave" with a driver for which it means the lowest frequency
(acpi-cpufreq), on a machine that is no laptop.

## Why it matters
Launches, tokenisers and data loaders run on one or two cores; at a third of their clock the GPU
waits for them.

## How to mend it
`sudo cpupower frequency-set -g performance` (or schedutil).

## Not this
"powersave" of amd-pstate-epp and intel_pstate, which is dynamic and the default there.

## References
- https://docs.kernel.org/admin-guide/pm/cpufreq.html
- https://docs.kernel.org/admin-guide/pm/amd-pstate.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  const std::string governor = setting(machine, "cpufreq governor"),
                    driver = setting(machine, "cpufreq driver");
  if (governor.empty() || driver.empty()) return {skip("the frequency governor is not known")};
  // In their active modes these two have a meaning of their own for the word.
  const bool dynamic = driver == "amd-pstate-epp" || driver == "intel_pstate";
  if (governor != "powersave" || dynamic)
    return {pass("the governor is " + governor + " of " + driver)};
  const auto chassis = parse_number(machine.dmi.chassis_type.value_or(""));
  const bool laptop = chassis && ((*chassis >= 8 && *chassis <= 11) || *chassis == 14 ||
                                  (*chassis >= 30 && *chassis <= 32));
  if (laptop) return passing("the governor holds the laptop's processor at its lowest clock");
  return warning("the governor holds the processor at its lowest clock")
      .saw("scaling_governor: powersave, scaling_driver: " + driver)
      .fix({"sudo cpupower frequency-set -g performance"})
      .verify("cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
      .undo("sudo cpupower frequency-set -g powersave")
      .root();
}

}  // namespace

extern const Check kGovernorHoldsLowestClock;
constinit const Check kGovernorHoldsLowestClock{
    .code = "RV1313",
    .id = "governor-holds-lowest-clock",
    .topic = "platform",
    .title = "The processor is held at its lowest clock",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
