// Characters of UTF-8 and the colours between them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rocvet {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0: what stands there is no UTF-8
};

/// The first character, by table 3-7 of the Unicode standard: no overlong forms, no surrogates,
/// nothing above U+10FFFF.
Character first_character(std::string_view text);

/// "\u202e", "\U000e0001"
std::string character_escape(char32_t code);

/// Length of a colour code ("\x1b[1;31m") that `text` begins with, 0 for none.
std::size_t color_code(std::string_view text);

}  // namespace rocvet
