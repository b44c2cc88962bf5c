// What a node that may not be opened says about its cause; shared by /dev/kfd and the render nodes.
#pragma once

#include <vector>

#include "checks/check.h"

namespace rocvet {

std::vector<Finding> judge_node(const Context& context, const DeviceNode& node);

}  // namespace rocvet
