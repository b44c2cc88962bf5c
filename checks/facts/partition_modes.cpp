#include "checks/facts/partition_modes.h"

#include <algorithm>

#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {

std::vector<Finding> partition_modes_differ(const Context& context,
                                            Result<std::string> Partition::*mode,
                                            const std::string& what) {
  if (auto none = skip_without_gpu(context)) return {*none};
  const bool known = std::ranges::any_of(
      context.machine.gpus, [&](const Gpu& gpu) { return (gpu.partition.*mode).has_value(); });
  if (!known) return {skip("no GPU here can be partitioned")};
  const auto odds = odd_cards(context.machine,
                              [&](const Gpu& gpu) { return (gpu.partition.*mode).value_or(""); });
  if (odds.empty()) return {pass("equal GPUs are in one " + what + " partition mode")};
  std::vector<std::string> evidence;
  for (const OddCard& odd : odds) evidence.push_back(odd_line(odd));
  return warning("equal GPUs are in different " + what + " partition modes")
      .saw(evidence)
      .fix({Step("sudo amd-smi set --gpu all --{}-partition {}", what, odds.back().usual)})
      .verify("amd-smi static --partition")
      .root();
}

}  // namespace rocvet
