// Targets that were supported once and are no more.
#pragma once

#include <string>

#include "checks/check.h"
#include "checks/facts/conditions.h"

namespace rocvet {

/// A framework that is built for AMD GPUs, and it is known for which.
bool is_built_for_known_targets(const Framework& framework);
/// Whether somebody compiled this torch for a prefix of their own: the wheels of PyTorch and AMD
/// name ROCm in their version, and a distribution's lie in the system's folders.
bool is_own_build(const Framework& framework);
/// Whether the release that the framework was built for no longer knew the target, or never did
/// and the GPU is older than all that the build is for.
bool dropped_by_framework(const Context& context, const std::string& gfx,
                          const Framework& framework);
/// Whether the libraries of an installed ROCm have code for newer targets alone: three of them at
/// least, or rocBLAS.
bool dropped_by_libraries(const Context& context, const std::string& gfx);
/// Whether a ROCm here, a framework's and an application's included, is newer than the last
/// release that lists a GPU here, or a framework is for newer GPUs alone. What still stands in the
/// newest tables was never dropped.
Truth target_dropped(const Context& context);

}  // namespace rocvet
