#include "formats/line_time.h"

#include <doctest/doctest.h>

using rocvet::line_time;

TEST_CASE("the stamps that writers of logs put before their lines") {
  SUBCASE("RFC 3339, behind a key, in two zones") {
    // date -u -d 2026-03-01T08:12:33Z +%s
    CHECK(line_time("time=2026-03-01T09:12:33.500+01:00 level=INFO msg=x").utc ==
          doctest::Approx(1772352753.5));
    CHECK(line_time("2026-03-01T08:12:33Z starting").utc == doctest::Approx(1772352753));
    CHECK(line_time("2026-03-01T08:12:33+0000 host ollama[1]: x").utc ==
          doctest::Approx(1772352753));
  }
  SUBCASE("a leap day and the end of a year") {
    CHECK(line_time("2024-02-29T00:00:00Z x").utc == doctest::Approx(1709164800));
    CHECK(line_time("2024-12-31T23:59:59Z x").utc == doctest::Approx(1735689599));
  }
  SUBCASE("without a zone nobody knows the instant") {
    CHECK(line_time("2026-03-01T09:12:33 x").utc == -1);
    CHECK(line_time("2026/03/01 09:12:33 x").utc == -1);
  }
  SUBCASE("the journal's, with one digit or two") {
    const double first = line_time("Mar  1 08:12:33 host systemd[1]: x").local;
    CHECK(line_time("Mar  1 08:12:39 host kernel: x").local - first == doctest::Approx(6));
    CHECK(line_time("Mar 11 08:12:33 host kernel: x").local - first == doctest::Approx(864000));
    CHECK(line_time("Mare 1 08:12:33 x").local == -1);
    CHECK(line_time("May the force be with you").local == -1);
  }
  SUBCASE("the kernel's") {
    CHECK(line_time("[   12.500000] [drm] Initialized amdgpu").boot == doctest::Approx(12.5));
    CHECK(line_time("[drm] Initialized amdgpu").boot == -1);
  }
  SUBCASE("hostile lines") {
    for (const char* line : {"", "2", "20", "2026-", "2026-99-99T99", "Jan", "Jan ", "Jan  1 ",
                             "Jan 00000000000", "[", "2026-03-01T08:12:33+"})
      CHECK(line_time(line).utc == -1);
  }
}
