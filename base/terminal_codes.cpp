#include "base/terminal_codes.h"

namespace rocvet {

std::string strip_terminal_codes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      i += 2;
      while (i < text.size() && (text[i] < '@' || text[i] > '~')) ++i;
    } else if (text[i] != '\r' && text[i] != '\0') {
      out += text[i];
    }
  }
  return out;
}

}  // namespace rocvet
