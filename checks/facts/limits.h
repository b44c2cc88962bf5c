// Resource limits of the process (ulimit).
#pragma once

#include <cstdint>
#include <string>

#include "checks/check.h"

namespace rocvet {

/// The soft limit of a name of ProcessFacts ("nofile", "as" …), UINT64_MAX for none; bytes or a
/// count, as the kernel has it. Not captured: the source has no such limit; `what` names it.
Result<std::uint64_t> soft_limit(const Machine& machine, const std::string& name,
                                 const std::string& what);

}  // namespace rocvet
