// What stands before a line of the kernel's log: dmesg's and the journal's stamps and heads.
#pragma once

#include <optional>
#include <string_view>

namespace rocvet {

/// "kern  :info  : " of dmesg -x, or "<6>" of raw output.
void drop_level(std::string_view& line);
/// "[   12.345678] text" -> 12.345678, the rest left in `line`. A date, and the "[  +0.000012]"
/// of dmesg -d, tell no seconds since the boot: -1. nullopt: there is no stamp.
std::optional<double> take_stamp(std::string_view& line);
/// "2026-11-20T10:00:00,123456+01:00 text" of dmesg --time-format iso.
void drop_iso_stamp(std::string_view& line);
/// "Nov 20 10:00:00 host kernel: text", "2024-11-20T10:00:00.1+01:00 host kernel: text" and, of
/// the journal, "host kernel: text" after a stamp, or "kernel: text" where its host was taken out.
/// False: the line is another program's.
bool take_syslog_head(std::string_view& line);

}  // namespace rocvet
