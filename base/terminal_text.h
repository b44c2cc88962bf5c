// Text made to fit a terminal: its width in columns, lines broken at blanks, signs of ASCII alone.
#pragma once

#include <string>
#include <string_view>

namespace rocvet {

/// Columns that one line of UTF-8 takes on a terminal: two for an East Asian wide character, none
/// for one that combines, nor for our colours. By libc's wcwidth; where no UTF-8 locale is
/// installed, one a character.
std::size_t display_width(std::string_view line);

/// Each line that is wider than `columns` broken at blanks; what follows stands below the text of
/// its first part ("      saw: " or a table's last column). Nothing is cut: a word that is wider
/// stays whole, and so does a line with a command ("fix: "), which somebody may copy. 0 columns:
/// as it is.
std::string wrapped(std::string_view text, std::size_t columns);

/// Our own signs ("·", "×", "…", the bars of a chart) as ASCII, all other characters as \u00e9; a
/// line with a command stays as it is, for a name in it is meant.
std::string in_ascii(std::string_view text);

}  // namespace rocvet
