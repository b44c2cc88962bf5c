// The registry: one line a self-test, in the order that reports print them.
#include "selftests/selftest.h"

namespace rocvet {

std::span<const SelfTest* const> all_selftests() { return {}; }

}  // namespace rocvet
