#include "base/text.h"
#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/equal_cards.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kPowerCapsDifferDoc = R"(
## What it looks for
power1_cap of cards of one part and board.

## Why it matters
In a node of equal data-centre cards all wait for the one with the lowest cap.

## How to mend it
`sudo amd-smi reset --gpu all --power-cap`, unless it is wanted.

## Not this
A cap below the default on all of them: RV1201. Radeon cards: shown, not warned of.

## References
- https://docs.kernel.org/gpu/amdgpu/thermal.html
)";

std::vector<Finding> run_power_caps_differ(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  if (equal_cards(context.machine).empty())
    return {none_here("there are no two cards of one part", Absence::gpu)};
  std::vector<std::string> evidence;
  bool server = false;
  for (const OddCard& odd : odd_cards(context.machine, [](const Gpu& gpu) {
         const Result<std::uint64_t>& cap = gpu.sensors.power_cap_uw;
         return cap && *cap > 0 ? std::to_string(*cap / 1000000) : std::string();
       })) {
    server |= is_instinct(context, *odd.gpu);
    evidence.push_back(odd_line(odd, " W"));
  }
  if (evidence.empty()) {
    const Judged judged =
        judge_equal_cards(context.machine, [](const Gpu& gpu) { return gpu.sensors.power_cap_uw; });
    return judged.rest(
        {}, counted(judged.number(), "card", "cards") + " of one part have one power cap",
        "equal cards here have no power cap");
  }
  return (server ? warning("equal cards have different power caps")
                 : passing("equal cards have different power caps"))
      .saw(evidence)
      .sees(server ? ObservationName("power-caps-of-equal-instincts-differ")
                   : "power-caps-of-equal-cards-differ")
      .fix({"sudo amd-smi reset --gpu all --power-cap"})
      .root();
}

}  // namespace

extern const Check kPowerCapsDiffer;
constinit const Check kPowerCapsDiffer{.code = "RV1208",
                                       .id = "power-caps-differ",
                                       .topic = "power",
                                       .title = "Equal cards have different power caps",
                                       .doc = kPowerCapsDifferDoc,
                                       .run = run_power_caps_differ};

}  // namespace rocvet
