// When a line of a log was written, by the stamp that its writer put before it.
#pragma once

#include <string_view>

namespace rocvet {

/// Each in seconds, -1 where the line does not tell it.
struct LineTime {
  double utc = -1;    ///< since 1970: of RFC 3339 with a zone, "time=2025-01-05T08:12:33.1+01:00"
  double local = -1;  ///< of the journal's "Jan  5 08:12:33 host", which has no year and no zone
  double boot = -1;   ///< since the boot: "[   12.345678] "
};

LineTime line_time(std::string_view line);

}  // namespace rocvet
