// Words that a text marks as somebody's name, a machine's or a password by what stands around them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace rocvet {

struct MarkedWord {
  enum class Kind { user, host, password };  // user: also the whole name of a person
  Kind kind;
  std::size_t at, length;  ///< in the text, without quotation marks
};

/// Of the commands (source/command_lines.h) and the phrases (source/phrases.h) in a text of one or
/// more lines, in the order of their places. Time is linear in the length.
std::vector<MarkedWord> find_marked_words(std::string_view text);

}  // namespace rocvet
