// How GPUs are connected to each other.
#pragma once

#include "checks/check.h"

namespace rocvet {

/// Two or more cards of which none has an XGMI link.
bool several_on_pcie(const Machine& machine);

}  // namespace rocvet
