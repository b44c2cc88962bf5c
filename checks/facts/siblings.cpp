#include "checks/facts/siblings.h"

#include <algorithm>
#include <map>
#include <set>

#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"

namespace rocvet {

bool is_instinct(const Context& context, const Gpu& gpu) {
  const auto candidates = context.db.identify(gpu);
  return !candidates.empty() &&
         std::all_of(candidates.begin(), candidates.end(),
                     [](const GpuInfo* one) { return one->kind == "instinct"; });
}

bool any_instinct(const Context& context) {
  const auto& gpus = context.machine.gpus;
  return std::any_of(gpus.begin(), gpus.end(),
                     [&](const Gpu& gpu) { return is_instinct(context, gpu); });
}

std::vector<const Gpu*> cards(const Machine& machine) {
  std::vector<const Gpu*> found;
  std::set<std::string> seen;
  for (const Gpu& gpu : machine.gpus) {
    const std::string address = gpu.card_bdf ? *gpu.card_bdf : gpu.bdf.value_or("");
    if (address.empty() || seen.insert(address).second) found.push_back(&gpu);
  }
  return found;
}

std::vector<std::vector<const Gpu*>> equal_cards(const Machine& machine) {
  std::map<std::string, std::vector<const Gpu*>> groups;
  for (const Gpu* gpu : cards(machine)) {
    if (!gpu->device_id || !gpu->card_bdf) continue;
    groups[*gpu->device_id + ' ' + gpu->revision.value_or("") + ' ' +
           gpu->subsystem_vendor_id.value_or("") + ' ' + gpu->subsystem_id.value_or("")]
        .push_back(gpu);
  }
  std::vector<std::vector<const Gpu*>> found;
  for (auto& [part, group] : groups) {
    if (group.size() > 1) found.push_back(std::move(group));
  }
  return found;
}

std::vector<OddCard> odd_cards(const Machine& machine,
                               const std::function<std::string(const Gpu&)>& value) {
  std::vector<OddCard> odd;
  for (const auto& group : equal_cards(machine)) {
    std::map<std::string, std::size_t> counts;
    for (const Gpu* gpu : group) {
      if (const std::string one = value(*gpu); !one.empty()) ++counts[one];
    }
    if (counts.size() < 2) continue;
    const auto usual =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    for (const Gpu* gpu : group) {
      std::string one = value(*gpu);
      if (!one.empty() && one != usual->first) odd.push_back({gpu, std::move(one), usual->first});
    }
  }
  return odd;
}

std::string odd_line(const OddCard& odd, std::string_view unit) {
  return gpu_label(*odd.gpu) + ": " + odd.value + std::string(unit) + ", the others " + odd.usual +
         std::string(unit);
}

}  // namespace rocvet
