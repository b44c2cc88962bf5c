#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {
namespace {

constexpr std::string_view kPowerCapRaisedDoc = R"(
## What it looks for
power1_cap above power1_cap_default.

## Why it matters
A card that is run beyond what its maker set hangs or computes wrongly under the loads that draw the
most, such as matrix products. A hang then says nothing about the software.

## How to mend it
Go back to the default before looking for other causes: `sudo amd-smi reset --gpu all --power-cap`.

## Not this
A cap below the default: RV1201.

## References
- https://docs.kernel.org/gpu/amdgpu/thermal.html
)";

std::vector<Finding> run_power_cap_raised(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* gpu : cards(context.machine)) {
    const Result<std::uint64_t>&cap = gpu->sensors.power_cap_uw,
          &normal = gpu->sensors.normal_power_cap_uw;
    if (!judged.has(cap, normal) || *normal == 0 || *cap <= *normal) continue;
    const bool hangs = has_event(context, "ring-timeout") || has_event(context, "gpu-reset") ||
                       has_event(context, "mes-no-response");
    findings.push_back((hangs ? warning("the GPU hangs, and its power cap is above the default")
                              : passing("the power cap is above its default"))
                           .about(gpu_label(*gpu))
                           .saw("power cap " + std::to_string(*cap / 1000000) + " W, default " +
                                std::to_string(*normal / 1000000) + " W")
                           .sees("power-cap-above-default")
                           .fix({"sudo amd-smi reset --gpu all --power-cap"})
                           .root());
  }
  return judged.rest(
      std::move(findings),
      "of " + counted(judged.number(), "power cap", "power caps") + " none is above its default",
      "no GPU here has a power cap");
}

}  // namespace

extern const Check kPowerCapRaised;
constinit const Check kPowerCapRaised{.code = "RV1207",
                                      .id = "power-cap-raised",
                                      .topic = "power",
                                      .title = "The power cap is above its default",
                                      .doc = kPowerCapRaisedDoc,
                                      .run = run_power_cap_raised};

}  // namespace rocvet
