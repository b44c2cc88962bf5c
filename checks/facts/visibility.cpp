#include "checks/facts/visibility.h"

#include <algorithm>

#include "base/text.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"

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

Visibility visibility(const Machine& machine) {
  Visibility seen;
  seen.present = kfd_gpus(machine).empty() ? machine.gpus.size() : kfd_gpus(machine).size();
  seen.left = seen.present;
  const auto take = [&](const char* name) {
    const auto value = variable(machine, name);
    if (!value || !*value) return false;
    seen.left = apply(machine, name, **value, seen.left, seen);
    return true;
  };
  // An empty HIP list means "all" to some schedulers; only ROCr takes it literally.
  take("ROCR_VISIBLE_DEVICES");
  seen.left_by_rocr = seen.left;
  seen.rocr_masks = seen.masks;
  const auto set = [&](const char* name) { return !variable_or_empty(machine, name).empty(); };
  if (set("HIP_VISIBLE_DEVICES")) {
    take("HIP_VISIBLE_DEVICES");
  } else if (set("CUDA_VISIBLE_DEVICES")) {
    take("CUDA_VISIBLE_DEVICES");
  }
  if (set("GPU_DEVICE_ORDINAL")) take("GPU_DEVICE_ORDINAL");
  return seen;
}

}  // namespace rocvet
