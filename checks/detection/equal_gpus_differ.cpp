#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
Compute units and memory size of cards with the same device id, revision and board.

## Why it matters
They leave the factory equal. A card that shows less lost memory or units to a fault, or to an
option of the driver that names it.

## How to mend it
Compare `rocminfo` of the two; move the card to the other slot: a fault goes with it.

## Not this
Different products that share a device id: their revision or board differs.

## References
- https://docs.kernel.org/gpu/amdgpu/driver-misc.html
)";

std::vector<Finding> run(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  if (equal_cards(context.machine).empty()) return {skip("there are no two cards of one part")};
  std::vector<std::string> evidence;
  const auto compare = [&](const char* what, auto value) {
    for (const OddCard& odd : odd_cards(context.machine, value))
      evidence.push_back(gpu_label(*odd.gpu) + ": " + odd.value + " " + what + ", the others " +
                         odd.usual);
  };
  compare("compute units", [](const Gpu& gpu) {
    // A partition has a part of them.
    return gpu.compute_units && gpu.partition.compute.value_or("SPX") == "SPX"
               ? std::to_string(*gpu.compute_units)
               : std::string();
  });
  compare("GiB of memory", [](const Gpu& gpu) {
    return gpu.vram_bytes && gpu.partition.memory.value_or("NPS1") == "NPS1"
               ? std::to_string((*gpu.vram_bytes + (1u << 29)) >> 30)
               : std::string();
  });
  if (evidence.empty()) return {pass("cards of one part have the same units and memory")};
  return warning("cards of one part differ in what they have").saw(evidence);
}

}  // namespace

extern const Check kEqualGpusDiffer;
constinit const Check kEqualGpusDiffer{.code = "RV307",
                                       .id = "equal-gpus-differ",
                                       .topic = "detection",
                                       .title = "Cards of one part differ in what they have",
                                       .doc = kDoc,
                                       .run = run};

}  // namespace rocvet
