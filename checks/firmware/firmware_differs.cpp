#include <set>

#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/equal_cards.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
The firmware versions of cards of the same part and board (fw_version of each block).

## Why it matters
The driver loads one file for all of them, so a difference means that a card kept an older one from
its own flash or a reload failed for it. Hangs that follow one card are often that.

## How to mend it
Power the machine off and on; then bring the boards' own firmware (IFWI) to one level with the
maker's tool.

## Not this
Cards of different parts, such as an integrated GPU beside a card.

## References
- https://docs.kernel.org/gpu/amdgpu/driver-misc.html
)";

std::vector<Finding> run(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  if (equal_cards(context.machine).empty()) return {skip("there are no two cards of one part")};
  std::set<std::string> blocks;
  for (const Gpu& gpu : context.machine.gpus) {
    if (!gpu.firmware) continue;
    for (const auto& [block, version] : *gpu.firmware) blocks.insert(block);
  }
  const Judged judged =
      judge_equal_cards(context.machine, [](const Gpu& gpu) { return gpu.firmware; });
  std::vector<std::string> evidence;
  for (const std::string& block : blocks) {
    const auto version = [&](const Gpu& gpu) {
      if (!gpu.firmware) return std::string();
      const auto found = gpu.firmware->find(block);
      return found == gpu.firmware->end() ? std::string() : found->second;
    };
    for (const OddCard& odd : odd_cards(context.machine, version)) {
      // A block that a sleeping card does not answer for reads as zero.
      if (odd.value.find_first_not_of("0x") == std::string::npos) continue;
      evidence.push_back(gpu_label(*odd.gpu) + ": " + block + " " + odd.value + ", the others " +
                         odd.usual);
    }
  }
  if (evidence.empty())
    return judged.rest(
        {}, counted(judged.number(), "card", "cards") + " of one part run the same firmware",
        "the driver shows no firmware versions");
  return warning("equal cards run different firmware")
      .saw(evidence)
      .fix({"sudo poweroff   # and on again, so that every card loads the driver's files"})
      .verify("amd-smi firmware")
      .root();
}

}  // namespace

extern const Check kFirmwareDiffers;
constinit const Check kFirmwareDiffers{.code = "RV1501",
                                       .id = "firmware-differs",
                                       .topic = "firmware",
                                       .title = "Equal cards run different firmware",
                                       .doc = kDoc,
                                       .run = run};

}  // namespace rocvet
