#include "base/whole_number.h"

#include <doctest/doctest.h>

#include <cstdint>

using rocvet::whole_number;

TEST_CASE("a double is a whole number only where the type holds it") {
  CHECK(whole_number<int>(64) == 64);
  CHECK(whole_number<int>(-1) == -1);
  CHECK(whole_number<int>(2147483647.0) == 2147483647);
  CHECK(whole_number<int>(-2147483648.0) == INT32_MIN);
  CHECK_FALSE(whole_number<int>(2147483648.0));
  CHECK_FALSE(whole_number<int>(-2147483649.0));
  CHECK_FALSE(whole_number<int>(1.5));
  CHECK(whole_number<std::uint64_t>(0) == 0u);
  CHECK_FALSE(whole_number<std::uint64_t>(-1));
  CHECK_FALSE(whole_number<std::uint64_t>(18446744073709551616.0));
  CHECK(whole_number<std::uint64_t>(18446744073709549568.0) == 18446744073709549568u);
  CHECK_FALSE(whole_number<std::int64_t>(9223372036854775808.0));
  for (const double value : {1e300, -1e300, double{NAN}, double{INFINITY}, -double{INFINITY}}) {
    CHECK_FALSE(whole_number<int>(value));
    CHECK_FALSE(whole_number<unsigned>(value));
    CHECK_FALSE(whole_number<std::int64_t>(value));
  }
}
