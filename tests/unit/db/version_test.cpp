#include "db/version.h"

#include <doctest/doctest.h>

using rocvet::Version;
using rocvet::VersionRange;

namespace {
Version v(const char* text) {
  return *Version::parse(text);
}
}  // namespace

TEST_CASE("Version compares by number, not by letter") {
  CHECK(v("6.2") < v("6.10"));
  CHECK(v("6.2") == v("6.2.0"));
  CHECK(v("6.2.0-39-generic") == v("6.2"));
  CHECK(v("7") > v("6.4.3"));
  CHECK_FALSE(Version::parse("").has_value());
  CHECK_FALSE(Version::parse("jammy").has_value());
  CHECK_FALSE(Version::parse("99999999999").has_value());
}

TEST_CASE("VersionRange") {
  struct Row {
    const char *range, *version;
    bool inside;
  };
  const Row rows[] = {
      {">=6.2, <6.4", "6.3.1", true}, {">=6.2, <6.4", "6.4", false}, {">=6.2, <6.4", "6.2.0", true},
      {"6.2", "6.2.4", true},         {"6.2", "6.20", false},        {"6.2.x", "6.2.4", true},
      {"=6.2.0", "6.2", true},        {"=6.2.0", "6.2.1", false},    {"*", "1", true},
      {">6.2", "6.2.0", false},       {"<=6.2", "6.2.0", true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.range);
    CAPTURE(row.version);
    const auto range = VersionRange::parse(row.range);
    REQUIRE(range.has_value());
    CHECK(range->contains(v(row.version)) == row.inside);
  }
  for (const char* bad : {">=", "6.2 <7", "abc", ">=6..2", "6.2,,7"}) {
    CAPTURE(bad);
    CHECK_FALSE(VersionRange::parse(bad).has_value());
  }
}
