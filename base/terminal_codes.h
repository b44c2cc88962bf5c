// What programs write for a terminal, and what a reader of their output does not want.
#pragma once

#include <string>
#include <string_view>

namespace rocvet {

/// Without ANSI escape sequences ("\x1b[1;31m"), carriage returns and zero bytes.
std::string strip_terminal_codes(std::string_view text);

}  // namespace rocvet
