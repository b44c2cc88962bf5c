// A line of a program's log: where in it the program's own words may begin.
#pragma once

#include <string_view>
#include <vector>

namespace rocvet {

/// What a line may say, widest first: the line, and what is left of it behind each of the headers
/// that stand before a message, one after the other; then the same of what it holds between
/// quotation marks. A message is one of these as a whole. Views into `line`.
///
/// A header is one of these forms (db/README.md has the list with examples): colours, marks of a
/// quotation, a time stamp, what stands in brackets, a level, glog's and TensorFlow's letter with
/// the place in the source, a word with a colon (a program, a file, an exception), a few words
/// with a colon that speak of an error, RCCL's and WSL's process, an exception's name in the middle
/// of a line, a kernel's device.
std::vector<std::string_view> messages_of(std::string_view line);

}  // namespace rocvet
