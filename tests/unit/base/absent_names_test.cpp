#include "base/absent_names.h"

#include <doctest/doctest.h>

namespace rocvet {
namespace {

TEST_CASE("what a library lacks is one line, however much it is") {
  AbsentNames names;
  CHECK(names.empty());
  names.add("hipInit");
  CHECK(names.text() == "hipInit");
  names.add("hipMalloc");
  names.add("hipFree");
  CHECK(names.text() == "hipInit, hipMalloc, hipFree");
  names.add("hipMemcpy");
  names.add("hipMemset");
  CHECK(names.text() == "hipInit, hipMalloc, hipFree and 2 more");
  CHECK_FALSE(names.empty());
}

}  // namespace
}  // namespace rocvet
