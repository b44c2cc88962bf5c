#include "checks/xgmi/hives.h"

#include <map>

#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr int kXgmi = 11;  // HSA_IOLINKTYPE_XGMI

}  // namespace

std::vector<std::vector<const Gpu*>> hives(const Machine& machine) {
  std::map<std::string, std::vector<const Gpu*>> by_id;
  for (const Gpu* gpu : cards(machine)) {
    if (gpu->hive && gpu->kfd_node) by_id[*gpu->hive].push_back(gpu);
  }
  std::vector<std::vector<const Gpu*>> found;
  for (auto& [id, hive] : by_id) {
    if (hive.size() > 1) found.push_back(std::move(hive));
  }
  return found;
}

std::vector<HiveLink> links_of(const std::vector<const Gpu*>& hive) {
  std::multimap<int, const Gpu*> by_node;
  for (const Gpu* gpu : hive) by_node.emplace(*gpu->kfd_node, gpu);
  std::vector<HiveLink> found;
  for (const Gpu* from : hive) {
    for (const IoLink& link : from->links) {
      if (link.type != kXgmi) continue;
      const auto [first, last] = by_node.equal_range(link.to);
      for (auto to = first; to != last; ++to) {
        if (to->second != from) found.push_back({from, to->second, &link});
      }
    }
  }
  return found;
}

std::uint64_t usual(const std::vector<HiveLink>& links, std::uint64_t IoLink::*field) {
  std::map<std::uint64_t, std::size_t> counts;
  for (const HiveLink& one : links) ++counts[one.link->*field];
  for (const auto& [value, count] : counts) {
    if (count * 4 >= links.size() * 3) return value;
  }
  return 0;
}

std::string name_of(const HiveLink& link) {
  return "gpu " + std::to_string(link.from->index) + " → gpu " + std::to_string(link.to->index);
}

Finding no_hive(const Machine& machine) {
  if (!machine.kfd_nodes)
    return unread(machine.kfd_nodes.error(), "there is no KFD here to tell of hives");
  for (const Gpu* gpu : kfd_gpus(machine)) {
    if (!gpu->hive && !gpu->hive.is_missing())
      return unknown(not_captured("the hive of " + gpu_label(*gpu)));
  }
  return none_here("no GPUs are joined by XGMI here", Absence::gpu);
}

std::optional<Finding> skip_without_hive(const Context& context) {
  if (auto none = skip_without_gpu(context)) return none;
  const auto found = hives(context.machine);
  if (found.empty()) return no_hive(context.machine);
  for (const auto& hive : found) {
    if (!links_of(hive).empty()) return std::nullopt;
  }
  return unknown(not_captured("the links of the hive"));
}

}  // namespace rocvet
