#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr unsigned long long kHottest = 108000;  // millidegrees

constexpr std::string_view kDoc = R"(
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

std::vector<Finding> run(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  for (const Gpu& gpu : context.machine.gpus) {
    for (const char* sensor : {"temp1", "temp2", "temp3"}) {
      const auto value = [&](const std::string& suffix) -> std::optional<unsigned long long> {
        const auto found = gpu.attributes.find("hwmon/" + std::string(sensor) + suffix);
        return found == gpu.attributes.end() ? std::nullopt : parse_number(found->second);
      };
      const auto now = value("_input");
      auto limit = value("_crit");
      // A sensor without a limit: no AMD GPU is meant to run above this (junction limits are
      // 95 to 110 degrees).
      if (!limit || *limit < 50000) limit = kHottest;
      // What somebody complains of may begin some degrees below.
      const unsigned long long margin =
          said(context, "thermal-or-power-throttling") >= 0.3 ? 12000 : 3000;
      if (!now || *now > 200000 || *now + margin < *limit) continue;
      const auto label = gpu.attributes.find("hwmon/" + std::string(sensor) + "_label");
      findings.push_back(
          warning("the GPU is at its temperature limit")
              .about(gpu_label(gpu))
              .saw((label == gpu.attributes.end() ? std::string(sensor) : label->second) + ": " +
                   std::to_string(*now / 1000) + " °C, limit " + std::to_string(*limit / 1000) +
                   " °C"));
    }
  }
  return or_pass(std::move(findings), "the temperatures are below their limits, or not known");
}

}  // namespace

extern const Check kTemperatureNearLimit;
constinit const Check kTemperatureNearLimit{.code = "RV1202",
                                            .id = "temperature-near-limit",
                                            .topic = "power",
                                            .title = "The GPU is near its temperature limit",
                                            .doc = kDoc,
                                            .run = run};

}  // namespace rocvet
