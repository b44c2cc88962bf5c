// Whom command lines name and which passwords they are given, by what each program's options mean:
// "usermod -aG render NAME", "echo PASSWORD | sudo -S", "mongosh -u NAME -p PASSWORD".
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace rocvet {

struct CommandWord {
  enum class Kind { user, password };
  Kind kind;
  std::size_t at, length;  ///< in the text, without quotation marks
};

/// Of every command in a text of one or more lines, in the order of their places. Time is linear in
/// the length.
std::vector<CommandWord> find_command_words(std::string_view text);

}  // namespace rocvet
