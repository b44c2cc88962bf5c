#include "base/text.h"

#include <doctest/doctest.h>

using namespace rocvet;

TEST_CASE("trim drops NUL padding and line ends") {
  CHECK(trim(std::string_view("amdgpu\n\0\0", 9)) == "amdgpu");
  CHECK(trim(" \n") == "");
  CHECK(trim("a b") == "a b");
}

TEST_CASE("split keeps empty parts, words does not") {
  CHECK(split("a::b", ':').size() == 3);
  CHECK(split("", ':').size() == 1);
  CHECK(words("  a \t b ").size() == 2);
  CHECK(words("").empty());
}

TEST_CASE("parse_number takes whole numbers only") {
  CHECK(parse_number("18446744073709551615") == 18446744073709551615ULL);
  CHECK(parse_number("0x1f", 16) == 31ULL);
  CHECK_FALSE(parse_number("12a").has_value());
  CHECK_FALSE(parse_number("").has_value());
  CHECK_FALSE(parse_number("-1").has_value());
  CHECK_FALSE(parse_number("18446744073709551616").has_value());
}

TEST_CASE("glob_match") {
  CHECK(glob_match("gemm.*", "gemm.fp32"));
  CHECK(glob_match("*", ""));
  CHECK(glob_match("a*b*c", "axxbyyc"));
  CHECK(glob_match("RV1?2", "RV102"));
  CHECK_FALSE(glob_match("gemm", "gemm.fp32"));
  CHECK_FALSE(glob_match("a*b", "ac"));
}

TEST_CASE("did_you_mean suggests only what is near") {
  const std::string verbs[] = {"check", "scan", "snapshot"};
  CHECK(did_you_mean("chekc", verbs) == "; did you mean 'check'?");
  CHECK(did_you_mean("zebra-crossing", verbs) == "");
}

TEST_CASE("short_number keeps three digits") {
  CHECK(short_number(4256.4) == "4256");
  CHECK(short_number(30.54) == "30.5");
  CHECK(short_number(1.254) == "1.25");
  CHECK(short_number(0.02744) == "0.0274");
  CHECK(short_number(0.0000874) == "0.0000874");
  CHECK(short_number(0) == "0");
}
