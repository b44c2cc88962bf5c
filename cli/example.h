// The example that is built in: a node of 8 MI300X, so that the whole job can be seen without one.
#pragma once

#include <memory>

#include "source/source.h"

namespace rocvet::cli {

Result<std::unique_ptr<Source>> example_source();

}  // namespace rocvet::cli
