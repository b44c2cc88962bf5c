// The part that the machine shows, for the judge.
#pragma once

#include "db/database.h"
#include "machine/gpu.h"
#include "selftests/judge/part.h"

namespace rocvet {

Part part_of(const Gpu& gpu, const Database& database);

}  // namespace rocvet
