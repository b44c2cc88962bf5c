// Which GPUs the visibility variables leave, by the rules of ROCr and HIP.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

struct Visibility {
  std::size_t present = 0, left = 0;    ///< present: whose render node this process can open
  std::size_t closed = 0;               ///< GPUs that KFD lists and whose node it cannot
  std::size_t left_by_rocr = 0;         ///< what ROCR_VISIBLE_DEVICES alone leaves
  std::vector<std::string> rocr_masks;  ///< of them what ROCr itself obeys
  std::vector<std::string> masks;       ///< "ROCR_VISIBLE_DEVICES=0,3"
  std::vector<std::string> problems;    ///< "HIP_VISIBLE_DEVICES names 4, of 2 that are left"
};

/// ROCR_VISIBLE_DEVICES chooses of all GPUs, by index or UUID; the HIP list
/// (HIP_VISIBLE_DEVICES, else CUDA_VISIBLE_DEVICES) counts what is left; GPU_DEVICE_ORDINAL what
/// that left. A list ends at the first entry that is not valid.
Visibility visibility(const Machine& machine);
/// The same by other variables than those of this process.
using VariableOf = std::function<std::optional<std::string>(std::string_view name)>;
Visibility visibility(const Machine& machine, const VariableOf& value_of);
/// Of each service whose unit sets such a variable, as if it could open what this process can.
struct ServiceVisibility {
  std::string service, file;
  Visibility seen;
};
std::vector<ServiceVisibility> visibility_of_services(const Machine& machine);

}  // namespace rocvet
