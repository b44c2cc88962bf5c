#include <algorithm>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/equal_cards.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kClockLimitsDifferDoc = R"(
## What it looks for
The highest step of pp_dpm_sclk of cards of one part and board.

## Why it matters
A limit that was set on one card, or a video BIOS that differs, makes it the slow one of its node.

## How to mend it
`sudo amd-smi reset --gpu all --clocks`; then compare the video BIOS (RV1502).

## Not this
Radeon cards of different makers: their boards differ.

## References
- https://docs.kernel.org/gpu/amdgpu/thermal.html
)";

/// The largest of "0: 132Mhz\n1: 2100Mhz *"; "" when there is none.
Result<std::uint64_t> highest_step(const Gpu& gpu) {
  return gpu.clocks.engine.and_then(
      [](const std::vector<ClockStep>& steps) -> Result<std::uint64_t> {
        std::uint64_t most = 0;
        for (const ClockStep& step : steps) most = std::max(most, step.mhz);
        if (most == 0) return missing("pp_dpm_sclk", "all steps are 0 MHz");
        return most;
      });
}

std::string highest_step_text(const Gpu& gpu) {
  const Result<std::uint64_t> most = highest_step(gpu);
  return most ? std::to_string(*most) : "";
}

std::vector<Finding> run_clock_limits_differ(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  if (equal_cards(context.machine).empty())
    return {none_here("there are no two cards of one part", Absence::gpu)};
  std::vector<std::string> evidence;
  bool server = false;
  for (const OddCard& odd : odd_cards(context.machine, highest_step_text)) {
    server |= is_instinct(context, *odd.gpu);
    evidence.push_back(odd_line(odd, " MHz"));
  }
  if (evidence.empty()) {
    const Judged judged = judge_equal_cards(context.machine, highest_step);
    return judged.rest(
        {}, counted(judged.number(), "card", "cards") + " of one part have the same highest clock",
        "equal cards here list no clocks");
  }
  return (server ? warning("equal cards have different highest clocks")
                 : passing("equal cards have different highest clocks"))
      .saw(evidence)
      .sees("highest-clocks-of-equal-cards-differ")
      .fix({"sudo amd-smi reset --gpu all --clocks"})
      .root();
}

}  // namespace

extern const Check kClockLimitsDiffer;
constinit const Check kClockLimitsDiffer{.code = "RV1211",
                                         .id = "clock-limits-differ",
                                         .topic = "power",
                                         .title = "Equal cards have different highest clocks",
                                         .doc = kClockLimitsDifferDoc,
                                         .run = run_clock_limits_differ};

}  // namespace rocvet
