#pragma once

#include <string>

namespace rocvet {

/// With blanks behind it, up to `width` bytes; a longer text as it is.
inline std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

}  // namespace rocvet
