// Foreign text made fit to be shown. Names of devices, folders, users and packages, logs and saved
// reports come from outside; none of it may steer a terminal, break a format or reorder a line.
#pragma once

#include <string>
#include <string_view>

namespace rocvet {

/// One line of well-formed UTF-8 that shows what it holds. A line end or tab becomes a blank. What
/// cannot be seen becomes an escape: \x1b a control character or a byte that is no UTF-8, \u202e a
/// character that is invisible, reorders what stands around it or is none (C1 controls, bidi
/// controls, line separators, zero-width characters, the joiners of scripts and emoji too, tags,
/// noncharacters). A backslash stays as it is, so that to do it twice changes nothing; a text
/// that holds such an escape in letters reads the same as the character.
std::string printable(std::string_view text);
/// The same for text of several lines: line ends and tabs stay.
std::string printable_lines(std::string_view text);
/// The same, and the colours that we gave it stay too ("\x1b[1;31m"): for text whose every foreign
/// part went through printable().
std::string printable_colored(std::string_view text);
/// One line for a message: of a longer text (an argument, a field of a file) the beginning and the
/// end, some 200 characters each, which tell what is wrong and where.
std::string printable_excerpt(std::string_view text);

}  // namespace rocvet
