#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr std::string_view kPowerCapLoweredDoc = R"(
## What it looks for
power1_cap against power1_cap_default of each GPU.

## Why it matters
Clocks and speed follow the cap. It is often a choice; a performance figure has to be read with
it.

## How to mend it
`sudo amd-smi reset --gpu all --power-cap`, unless it is wanted.

## Not this
Heat: RV1202.

## References
- https://docs.kernel.org/gpu/amdgpu/thermal.html
)";

std::vector<Finding> run_power_cap_lowered(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* card : cards(context.machine)) {
    const Gpu& gpu = *card;
    const Result<std::uint64_t>&cap = gpu.sensors.power_cap_uw,
          &normal = gpu.sensors.normal_power_cap_uw;
    if (!judged.has(cap, normal) || *normal == 0 || *cap * 100 >= *normal * 90) continue;
    const bool complaint = people_say(context, {"slow", "performance", "throttl"}) ||
                           said(context, "thermal-or-power-throttling") >= 0.2;
    findings.push_back((complaint ? warning("the power cap is below its default")
                                  : passing("the power cap is below its default"))
                           .about(gpu_label(gpu))
                           .saw("power cap " + std::to_string(*cap / 1000000) + " W, default " +
                                std::to_string(*normal / 1000000) + " W")
                           .sees("power-cap-below-default")
                           .fix({"sudo amd-smi reset --gpu all --power-cap"})
                           .root());
    // Nobody saves that much by choice, and keeps the clocks.
    if (*cap * 2 < *normal) findings.back().seen.push_back("power-cap-below-half");
  }
  return judged.rest(
      std::move(findings),
      "of " + counted(judged.number(), "power cap", "power caps") + " none is below its default",
      "no GPU here has a power cap");
}

}  // namespace

extern const Check kPowerCapLowered;
constinit const Check kPowerCapLowered{.code = "RV1201",
                                       .id = "power-cap-lowered",
                                       .topic = "power",
                                       .title = "The power cap is below its default",
                                       .doc = kPowerCapLoweredDoc,
                                       .run = run_power_cap_lowered};

}  // namespace rocvet
