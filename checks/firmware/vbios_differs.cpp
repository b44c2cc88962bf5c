#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/equal_cards.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kVbiosDiffersDoc = R"(
## What it looks for
vbios_version of cards of the same part and board.

## Why it matters
The video BIOS sets clocks, power and memory timing before the driver does. In a node of equal
data-centre cards it shows a board that an update missed; its speed and its limits differ.

## How to mend it
Bring all boards to one version with the maker's update (IFWI), then power the machine off and on.

## Not this
Two Radeon cards bought at different times: that is shown, never warned of.

## References
- https://docs.kernel.org/gpu/amdgpu/driver-misc.html
)";

std::vector<Finding> run_vbios_differs(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  if (equal_cards(context.machine).empty())
    return {none_here("there are no two cards of one part", Absence::gpu)};
  std::vector<std::string> evidence;
  bool server = false;
  const auto odds =
      odd_cards(context.machine, [](const Gpu& gpu) { return gpu.vbios.value_or(""); });
  for (const OddCard& odd : odds) {
    // Half of them is a design: the two dies of one module.
    server |= is_instinct(context, *odd.gpu) && odds.size() * 2 < cards(context.machine).size();
    evidence.push_back(odd_line(odd));
  }
  if (evidence.empty()) {
    const Judged judged =
        judge_equal_cards(context.machine, [](const Gpu& gpu) { return gpu.vbios; });
    return judged.rest(
        {}, counted(judged.number(), "card", "cards") + " of one part have one video BIOS",
        "the driver shows no video BIOS of equal cards");
  }
  return (server ? warning("equal cards have different video BIOS versions")
                 : passing("equal cards have different video BIOS versions"))
      .saw(evidence);
}

}  // namespace

extern const Check kVbiosDiffers;
constinit const Check kVbiosDiffers{.code = "RV1502",
                                    .id = "vbios-differs",
                                    .topic = "firmware",
                                    .title = "Equal cards have different video BIOS versions",
                                    .doc = kVbiosDiffersDoc,
                                    .run = run_vbios_differs};

}  // namespace rocvet
