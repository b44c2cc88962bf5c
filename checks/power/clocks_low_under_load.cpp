#include <algorithm>

#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kClocksLowUnderLoadDoc = R"(
## What it looks for
The level that pp_dpm_sclk marks, against gpu_busy_percent.

## Why it matters
A GPU that works at its lowest clock is many times slower than it should be.

## How to mend it
`echo high` (then auto) into power_dpm_force_performance_level; newer firmware.

## Not this
An idle GPU, whose clocks are low by design.

## References
- https://docs.kernel.org/gpu/amdgpu/thermal.html
)";

std::vector<Finding> run_clocks_low_under_load(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* card : cards(context.machine)) {
    const Gpu& gpu = *card;
    const Result<std::uint64_t>& busy = gpu.sensors.busy_percent;
    if (!judged.has(gpu.clocks.engine, busy)) continue;
    const std::vector<ClockStep>& steps = *gpu.clocks.engine;
    // Where power is gated, several steps of 0 MHz may be marked; the last of them is meant.
    const auto others = std::count_if(steps.begin() + 1, steps.end(),
                                      [](const ClockStep& step) { return step.current; });
    if (*busy < 80 || steps.size() < 2 || !steps.front().current || others > 0) continue;
    findings.push_back(warning("the GPU is busy at its lowest clock")
                           .about(gpu_label(gpu))
                           .saw("busy " + std::to_string(*busy) +
                                " %, pp_dpm_sclk: " + steps.front().name + ": " +
                                std::to_string(steps.front().mhz) + "Mhz *")
                           .fix({"echo high | sudo tee "
                                 "/sys/class/drm/card*/device/power_dpm_force_performance_level"})
                           .root());
  }
  return judged.rest(
      std::move(findings),
      "of " + counted(judged.number(), "GPU", "GPUs") + " none is busy at its lowest clock",
      "no GPU here shows its clocks and its load");
}

}  // namespace

extern const Check kClocksLowUnderLoad;
constinit const Check kClocksLowUnderLoad{.code = "RV1204",
                                          .id = "clocks-low-under-load",
                                          .topic = "power",
                                          .title = "The clocks stay low although the GPU is busy",
                                          .doc = kClocksLowUnderLoadDoc,
                                          .run = run_clocks_low_under_load};

}  // namespace rocvet
