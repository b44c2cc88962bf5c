// Groups of the kernel log whose weight depends on the rest of the machine.
#pragma once

#include <vector>

#include "checks/check.h"

namespace rocvet {

std::vector<Finding> init_findings(const Context& context);
std::vector<Finding> firmware_findings(const Context& context);
std::vector<Finding> pcie_findings(const Context& context);
std::vector<Finding> module_findings(const Context& context);
std::vector<Finding> execution_findings(const Context& context);
std::vector<Finding> power_findings(const Context& context);
std::vector<Finding> host_findings(const Context& context);

}  // namespace rocvet
