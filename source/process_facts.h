// What the process rocvet runs in may do and sees of its environment.
#pragma once

#include <string>
#include <string_view>

#include "source/source.h"

namespace rocvet {

/// From /proc/self, getrlimit and the environment (allow-listed names only).
ProcessFacts live_process_facts();

/// The identity and capability lines of /proc/PID/status (effective ids).
void parse_process_status(std::string_view text, ProcessFacts& facts);
/// "         0          0 4294967295\n" -> "0 0 4294967295"; several ranges keep their lines.
std::string normalised_id_map(std::string_view text);

}  // namespace rocvet
