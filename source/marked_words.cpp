#include "source/marked_words.h"

#include <algorithm>

#include "source/command_lines.h"
#include "source/phrases.h"

namespace rocvet {

std::vector<MarkedWord> find_marked_words(std::string_view text) {
  std::vector<MarkedWord> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    find_command_words(line, at, found);
    find_phrase_words(line, at, found);
    at = end + 1;
  }
  std::stable_sort(found.begin(), found.end(), [](const MarkedWord& one, const MarkedWord& other) {
    return one.at < other.at;
  });
  return found;
}

}  // namespace rocvet
