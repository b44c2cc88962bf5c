// Equal cards that are partitioned in different ways.
#pragma once

#include <string>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// `mode`: &Partition::compute or &Partition::memory; `what` is its name in sentences and in
/// amd-smi's option --WHAT-partition.
std::vector<Finding> partition_modes_differ(const Context& context,
                                            Result<std::string> Partition::*mode,
                                            const std::string& what);

}  // namespace rocvet
