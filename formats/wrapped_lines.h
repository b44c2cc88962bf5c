// Messages that a program breaks over several lines, put together again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rocvet {

struct WrappedMessage {
  std::string text;        ///< its lines, joined by single blanks
  std::string_view first;  ///< the first of them, as it stands in the log
};

/// CMake fills paragraphs of 77 columns, indented by two, below "CMake Error at …"; apt breaks a
/// list of alternatives behind " or". Messages of one line are not among them.
std::vector<WrappedMessage> wrapped_messages(std::string_view log);

}  // namespace rocvet
