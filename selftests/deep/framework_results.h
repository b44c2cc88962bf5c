// What frameworks gave, as results of self-tests.
#pragma once

#include <vector>

#include "machine/deep.h"
#include "selftests/selftest.h"

namespace rocvet {

/// "framework.torch" on "torch:0" … for every device that a framework named, or on "torch" where it
/// named none.
std::vector<TestResult> framework_results(const Deep& deep);

}  // namespace rocvet
