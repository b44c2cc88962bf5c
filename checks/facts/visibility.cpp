#include "checks/facts/visibility.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/node_access.h"

namespace rocvet {
namespace {

/// "GPU-" and the identity that KFD gives a card, or its beginning. A card without one (identity 0)
/// has a name that no list can hold.
bool may_be_here(const Machine& machine, std::string_view uuid) {
  const std::string wanted = lower(uuid.substr(4));
  return machine.gpus.empty() || std::ranges::any_of(machine.gpus, [&](const Gpu& gpu) {
           if (!gpu.unique_id) return !gpu.unique_id.is_missing();
           return !wanted.empty() && lower(*gpu.unique_id).starts_with(wanted);
         });
}

/// Whether the process can open the GPU's render node, as far as that is known.
bool can_be_opened(const Machine& machine, const Gpu& gpu) {
  if (!gpu.render_minor) return true;
  const DeviceNode* node = render_node(machine, *gpu.render_minor);
  if (node == nullptr) return false;
  const NodeAccess::Answer answer = node_access(machine, *node).answer;
  return answer == NodeAccess::Answer::open || answer == NodeAccess::Answer::unknown;
}

/// ROCr leaves out a GPU whose render node does not open, and numbers those that are left from 0: a
/// container that was given one node of eight has GPU 0 alone. Where none opens, that is the fault.
std::size_t closed_gpus(const Machine& machine, const std::vector<const Gpu*>& gpus) {
  if (machine.render_nodes.empty()) return 0;
  const auto closed = static_cast<std::size_t>(
      std::ranges::count_if(gpus, [&](const Gpu* gpu) { return !can_be_opened(machine, *gpu); }));
  return closed == gpus.size() ? 0 : closed;
}

/// How many of `available` a list leaves; what is wrong with it goes to `problems`.
std::size_t apply(const Machine& machine, const std::string& name, const std::string& value,
                  std::size_t available, Visibility& seen) {
  seen.masks.push_back(name + "=" + value);
  if (trim(value).empty()) {
    seen.problems.push_back(name + " is empty: it leaves no GPU");
    return 0;
  }
  std::size_t left = 0;
  for (const std::string_view part : split(value, ',')) {
    const std::string_view entry = trim(part);
    if (entry.starts_with("GPU-")) {
      if (!may_be_here(machine, entry)) {
        seen.problems.push_back(name + " names " + std::string(entry) + ", which no GPU here is");
        break;
      }
      ++left;
      continue;
    }
    const auto index = parse_number(entry);
    if (!index || *index >= available) {
      seen.problems.push_back(name + " names " + std::string(entry) + ", of " +
                              std::to_string(available) + " GPU" + (available == 1 ? "" : "s") +
                              (available == seen.present ? "" : " that are left"));
      break;
    }
    ++left;
  }
  return std::min(left, available);
}

}  // namespace

Visibility visibility(const Machine& machine, const VariableOf& value_of) {
  Visibility seen;
  seen.present = kfd_gpus(machine).empty() ? machine.gpus.size() : kfd_gpus(machine).size();
  seen.closed = closed_gpus(machine, kfd_gpus(machine));
  seen.present -= seen.closed;
  seen.left = seen.present;
  const auto take = [&](const char* name) {
    if (const auto value = value_of(name))
      seen.left = apply(machine, name, *value, seen.left, seen);
  };
  // An empty HIP list means "all" to some schedulers; only ROCr takes it literally.
  take("ROCR_VISIBLE_DEVICES");
  seen.left_by_rocr = seen.left;
  seen.rocr_masks = seen.masks;
  const auto set = [&](const char* name) { return !value_of(name).value_or("").empty(); };
  if (set("HIP_VISIBLE_DEVICES")) {
    take("HIP_VISIBLE_DEVICES");
  } else if (set("CUDA_VISIBLE_DEVICES")) {
    take("CUDA_VISIBLE_DEVICES");
  }
  if (set("GPU_DEVICE_ORDINAL")) take("GPU_DEVICE_ORDINAL");
  return seen;
}

Visibility visibility(const Machine& machine) {
  return visibility(machine, [&](std::string_view name) {
    const auto value = variable(machine, name);
    return value ? *value : std::nullopt;
  });
}

std::vector<ServiceVisibility> visibility_of_services(const Machine& machine) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::string, std::less<>>>
      services;
  for (const VariableSetting& setting : machine.settings.variables) {
    if (setting.kind == "service" && !setting.where.empty())
      services[{setting.where, setting.file}][setting.name] = setting.value;
  }
  std::vector<ServiceVisibility> all;
  for (const auto& entry : services) {
    const auto& [service, file] = entry.first;
    const auto& variables = entry.second;
    Visibility seen = visibility(machine, [&](std::string_view name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      if (found == variables.end()) return std::nullopt;
      return found->second;
    });
    if (!seen.masks.empty()) all.push_back({service, file, std::move(seen)});
  }
  return all;
}

}  // namespace rocvet
