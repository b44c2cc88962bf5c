// The registry, in the order that reports print. Explicit on purpose: a self-registering object in
// a static library is dropped by the linker when nobody refers to it. One list per topic folder, so
// that people adding checks do not meet in one file; a name in a list without its file is a link
// error, a file that is in no list fails tests/unit/checks/registry_test.cpp.
#include "checks/check.h"

namespace rocvet {

#define ROCVET_CHECK(name) extern const Check name;
#include "checks/all_lists.inc"
#undef ROCVET_CHECK

namespace {
constexpr const Check* kAll[] = {
#define ROCVET_CHECK(name) &name,
#include "checks/all_lists.inc"
#undef ROCVET_CHECK
};
}  // namespace

std::span<const Check* const> all_checks() {
  return kAll;
}

}  // namespace rocvet
