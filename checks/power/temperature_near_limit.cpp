#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr std::int64_t kHottest = 108000;  // millidegrees

constexpr std::string_view kTemperatureNearLimitDoc = R"(
## What it looks for
Each temperature of the GPU against its critical value.

## Why it matters
Near the limit the GPU slows itself down; over it, it switches off.

## How to mend it
Fans, air flow, dust, the room's temperature.

## Not this
A low power cap: RV1201.

## References
- https://docs.kernel.org/gpu/amdgpu/thermal.html
)";

std::vector<Finding> run_temperature_near_limit(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* card : cards(context.machine)) {
    const Gpu& gpu = *card;
    judged.lacks(gpu.sensors.temperatures);
    if (!gpu.sensors.temperatures) continue;
    for (const Temperature& heat : *gpu.sensors.temperatures) {
      // A sensor without a limit: no AMD GPU is meant to run above this (junction limits are
      // 95 to 110 degrees).
      const std::int64_t told = heat.critical.value_or(0), limit = told < 50000 ? kHottest : told;
      // What somebody complains of may begin some degrees below.
      const std::int64_t margin =
          said(context, "thermal-or-power-throttling") >= 0.3 ? 12000 : 3000;
      if (!judged.has(heat.now) || *heat.now > 200000 || *heat.now + margin < limit) continue;
      findings.push_back(warning("the GPU is at its temperature limit")
                             .about(gpu_label(gpu))
                             .saw(heat.label.value_or(heat.sensor) + ": " +
                                  std::to_string(*heat.now / 1000) + " °C, limit " +
                                  std::to_string(limit / 1000) + " °C"));
    }
  }
  return judged.rest(
      std::move(findings),
      "of " + counted(judged.number(), "temperature", "temperatures") + " none is at its limit",
      "no GPU here has a temperature sensor");
}

}  // namespace

extern const Check kTemperatureNearLimit;
constinit const Check kTemperatureNearLimit{.code = "RV1202",
                                            .id = "temperature-near-limit",
                                            .topic = "power",
                                            .title = "The GPU is near its temperature limit",
                                            .doc = kTemperatureNearLimitDoc,
                                            .run = run_temperature_near_limit};

}  // namespace rocvet
