// How a root cause is mended in general, and the page that explains it.
#pragma once

#include <string>

#include "checks/finding.h"
#include "db/knowledge.h"

namespace rocvet {

struct Machine;

/// Its general remedy with the commands of this machine's package manager.
Remedy remedy_for(const Cause& cause, const Machine& machine);
/// A step with what this machine tells put into its gaps: the GPU's target for gfxN, its ROCm for
/// X.Y and /opt/rocm-X.Y.Z, 9/10 of its memory in pages for PAGES. What is not known, or is not
/// plain, stays.
Step fill_in(Step step, const Machine& machine);
/// The manual page that `explain` prints.
std::string cause_page(const Cause& cause);

}  // namespace rocvet
