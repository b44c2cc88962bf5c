#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/options.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
The clock source of the kernel: hpet or acpi_pm instead of tsc on bare metal.

## Why it matters
Every question for the time then goes to a slow device, under a lock. HIP and PyTorch ask it for
each launch and event: small kernels become several times slower on all cores.

## How to mend it
Read why the kernel marked tsc as unstable (`dmesg`), update the BIOS; with a sound BIOS
`tsc=reliable` keeps it.

## Not this
A virtual machine's own clock (kvm-clock, hyperv).

## References
- https://docs.kernel.org/timers/timekeeping.html
- https://docs.kernel.org/admin-guide/kernel-parameters.html
)";

std::vector<Finding> run(const Context& context) {
  const std::string source = setting(context.machine, "clock source");
  if (source.empty()) return {skip("the clock source is not known")};
  if (source != "hpet" && source != "acpi_pm" && source != "jiffies")
    return {pass("the clock source is " + source)};
  return warning("the kernel reads the time from " + source + ", which is slow")
      .saw("clocksource0/current_clocksource: " + source)
      .fix({"sudo dmesg | grep -i -e clocksource -e tsc", "update the BIOS",
            "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource"})
      .verify("cat /sys/devices/system/clocksource/clocksource0/current_clocksource")
      .undo(Step(
          "echo {} | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource",
          source))
      .root();
}

}  // namespace

extern const Check kSlowClockSource;
constinit const Check kSlowClockSource{.code = "RV1306",
                                       .id = "slow-clock-source",
                                       .topic = "platform",
                                       .title = "The kernel gave up the processor's clock counter",
                                       .doc = kDoc,
                                       .run = run};

}  // namespace rocvet
