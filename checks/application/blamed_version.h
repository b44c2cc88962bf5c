// What people's words say of versions, for the diagnosis.
#pragma once

#include "checks/check.h"

namespace rocvet {

/// Whether the version of the kernel or of amdgpu-dkms that somebody says works is the one that
/// runs here: the trouble that is told of is another machine's, or another day's.
bool runs_the_driver_said_to_work(const Context& context);

}  // namespace rocvet
