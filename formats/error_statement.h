// Whether a line of a program's log says that something failed, by its form alone: what it says may
// be known to nobody.
#pragma once

#include <string_view>

namespace rocvet {

/// A Python exception, a level of error or worse (`ERROR:`, `[error]`, `level=fatal`, glog's and
/// TensorFlow's E and F), a compiler's `: error:`, the end of a process (`Segmentation fault`,
/// `terminate called`). Warnings are none, nor is a line that merely holds the word.
bool is_error_statement(std::string_view line);

}  // namespace rocvet
