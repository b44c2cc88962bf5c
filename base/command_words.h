// What the text of a step is to a shell: a command, one that only shows something, or words.
#pragma once

#include <string_view>

namespace rocvet {

/// Where the text has the name as a word by itself, with no "$" or "{" before it, from `at` on;
/// npos where it has not.
std::size_t find_name(std::string_view text, std::string_view name, std::size_t at);
/// It begins with a program, and is no advice in words ("or …", a remark in parentheses).
bool runs_a_program(std::string_view text);
/// It holds a name that stands for something: "IMAGE", "gfxN", "<device>".
bool has_open_name(std::string_view text);
/// It prints what is the case and changes nothing: "lspci -nn | grep VGA".
bool only_shows(std::string_view text);

}  // namespace rocvet
