// Targets that were supported once and are no more.
#pragma once

#include <string>

#include "checks/check.h"
#include "checks/facts/conditions.h"

namespace rocvet {

/// Whether the release that the framework was built for no longer knew the target, or never did
/// and the GPU is older than all that the build is for.
bool dropped_by_framework(const Context& context, const std::string& gfx,
                          const Framework& framework);
/// Whether a ROCm here, a framework's and an application's included, is newer than the last
/// release that lists a GPU here, or a framework is for newer GPUs alone. What still stands in the
/// newest tables was never dropped.
Truth target_dropped(const Context& context);

}  // namespace rocvet
