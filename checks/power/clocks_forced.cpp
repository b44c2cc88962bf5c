#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr std::string_view kClocksForcedDoc = R"(
## What it looks for
power_dpm_force_performance_level: anything but auto, and what it fixes.

## Why it matters
low and manual hold the clocks down whatever the load; high costs power. A forgotten setting
explains slow runs.

## How to mend it
`echo auto | sudo tee /sys/class/drm/card*/device/power_dpm_force_performance_level`

## Not this
Clocks that stay low by themselves: RV1204.

## References
- https://docs.kernel.org/gpu/amdgpu/thermal.html
)";

std::vector<Finding> run_clocks_forced(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* card : cards(context.machine)) {
    const Gpu& gpu = *card;
    const Result<std::string>& level = gpu.clocks.level;
    if (!judged.has(level) || *level == "auto") continue;
    const bool low = *level == "low" || *level == "profile_min_sclk";
    const bool complaint = people_say(context, {"slow", "clock", "performance"}) ||
                           said(context, "dpm-stuck-low") >= 0.2;
    findings.push_back(
        (low || (complaint && *level == "manual") ? warning("the clocks are forced: " + *level)
                                                  : passing("the clocks are forced: " + *level))
            .about(gpu_label(gpu))
            .saw("power_dpm_force_performance_level: " + *level)
            .sees(low ? ObservationName("clocks-forced-low") : "clocks-forced-otherwise")
            .fix({"echo auto | sudo tee "
                  "/sys/class/drm/card*/device/power_dpm_force_performance_level"})
            .root());
  }
  return judged.rest(
      std::move(findings),
      "the clocks of " + counted(judged.number(), "GPU", "GPUs") + " are left to the driver",
      "no GPU here has clocks that can be forced");
}

}  // namespace

extern const Check kClocksForced;
constinit const Check kClocksForced{.code = "RV1203",
                                    .id = "clocks-forced",
                                    .topic = "power",
                                    .title = "The clocks are forced",
                                    .doc = kClocksForcedDoc,
                                    .run = run_clocks_forced};

}  // namespace rocvet
