#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
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

std::vector<Finding> run(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  for (const Gpu& gpu : context.machine.gpus) {
    const auto clocks = gpu.attributes.find("pp_dpm_sclk"),
               busy_text = gpu.attributes.find("gpu_busy_percent");
    if (clocks == gpu.attributes.end() || busy_text == gpu.attributes.end()) continue;
    const auto busy = parse_number(busy_text->second);
    std::size_t levels = 0, marked = 99;
    for (const std::string_view line : split(clocks->second, '\n')) {
      if (trim(line).empty()) continue;
      if (line.find('*') != line.npos) marked = levels;
      ++levels;
    }
    if (!busy || *busy < 80 || levels < 2 || marked != 0) continue;
    findings.push_back(
        warning("the GPU is busy at its lowest clock")
            .about(gpu_label(gpu))
            .saw("busy " + std::to_string(*busy) + " %, pp_dpm_sclk: " +
                 std::string(trim(clocks->second.substr(0, clocks->second.find('\n')))))
            .fix({"echo high | sudo tee "
                  "/sys/class/drm/card*/device/power_dpm_force_performance_level"})
            .root());
  }
  return or_pass(std::move(findings), "no busy GPU is at its lowest clock");
}

}  // namespace

extern const Check kClocksLowUnderLoad;
constinit const Check kClocksLowUnderLoad{.code = "RV1204",
                                          .id = "clocks-low-under-load",
                                          .topic = "power",
                                          .title = "The clocks stay low although the GPU is busy",
                                          .doc = kDoc,
                                          .run = run};

}  // namespace rocvet
