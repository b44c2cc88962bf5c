// The kernel's memory manager that amdgpu uses, and what it hands out.
#pragma once

#include <optional>
#include <string>

#include "machine/machine.h"

namespace rocvet {

/// "ttm", or "amdttm" of AMD's DKMS driver; "" when that is not known.
std::string ttm_in_use(const Machine& machine);

/// Pages of 4 KiB that it hands out at most: the larger of what the modules say and what the
/// command line asks for, as a snapshot may have one of another boot.
std::optional<unsigned long long> ttm_pages_limit(const Machine& machine);

}  // namespace rocvet
