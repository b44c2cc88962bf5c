#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kFanHeldByHandDoc = R"(
## What it looks for
pwm1_enable is 1 (by hand) and a temperature is within 15 degrees of its limit.

## Why it matters
A fan curve of a tool that has ended leaves the fan where it was. The GPU heats up and slows itself
down.

## How to mend it
Give the fan back to the driver: `echo 2 | sudo tee
/sys/class/drm/card*/device/hwmon/hwmon*/pwm1_enable`.

## Not this
A fan held by hand on a GPU that stays cool: somebody's choice.

## References
- https://docs.kernel.org/gpu/amdgpu/thermal.html
)";

std::vector<Finding> run_fan_held_by_hand(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* gpu : cards(context.machine)) {
    const Result<std::uint64_t>& mode = gpu->sensors.fan_mode;
    // The temperatures matter for a fan that is held only.
    if (!mode || *mode != 1) {
      judged.has(mode);
      continue;
    }
    if (!judged.has(gpu->sensors.temperatures)) continue;
    for (const Temperature& heat : *gpu->sensors.temperatures) {
      const Result<std::int64_t>&now = heat.now, &limit = heat.critical;
      judged.lacks(now);
      judged.lacks(limit);
      if (!now || !limit || *limit <= 0 || *now + 15000 < *limit) continue;
      findings.push_back(
          warning("the fan is held at a fixed speed while the GPU is hot")
              .about(gpu_label(*gpu))
              .saw("pwm1_enable: 1, " + heat.sensor + " " + std::to_string(*now / 1000) + " of " +
                   std::to_string(*limit / 1000) + " degrees")
              .fix({Step("echo 2 | sudo tee /sys/class/drm/card{}/device/hwmon/hwmon*/pwm1_enable",
                         gpu->card_minor.value_or(0))})
              .root());
      break;
    }
  }
  return judged.rest(std::move(findings),
                     "of " + counted(judged.number(), "fan", "fans") +
                         " none is held at a fixed speed on a hot GPU",
                     "no GPU here has a fan that can be driven");
}

}  // namespace

extern const Check kFanHeldByHand;
constinit const Check kFanHeldByHand{
    .code = "RV1206",
    .id = "fan-held-by-hand",
    .topic = "power",
    .title = "The fan is held at a fixed speed while the GPU is hot",
    .doc = kFanHeldByHandDoc,
    .run = run_fan_held_by_hand};

}  // namespace rocvet
