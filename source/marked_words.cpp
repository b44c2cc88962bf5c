#include "source/marked_words.h"

#include <algorithm>

#include "source/characters.h"
#include "source/command_lines.h"
#include "source/phrases.h"

namespace rocvet {
namespace {

/// One pass over a line: what phrases mark, and what of commands is worth a closer look. Every text
/// that is printed comes here.
CommandHints scan(std::string_view line, std::size_t begin, std::vector<MarkedWord>& found) {
  CommandHints hints;
  bool first = true, password = false, user = false;
  for (std::size_t at = 0; at < line.size();) {
    const char c = line[at];
    if (!is_word(c)) {
      first &= !is_blank(c);
      hints.first_colons += first && c == ':';
      if (c == '-' && line.size() - at > 2 && line[at + 2] == ' ' &&
          (at == 0 || is_blank(line[at - 1]))) {
        password |= line[at + 1] == 'p';
        user |= line[at + 1] == 'u';
      }
      ++at;
      continue;
    }
    const std::size_t length = run_of(line.substr(at), is_word);
    if (c != '_') find_phrases_at(line, at, length, begin, found);
    hints.program |= names_a_program(line, at, length);
    at += length;
  }
  hints.login = password && user;
  return hints;
}

}  // namespace

std::vector<MarkedWord> find_marked_words(std::string_view text) {
  std::vector<MarkedWord> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const CommandHints hints = scan(line, at, found);
    if (hints.any()) find_command_words(line, at, hints, found);
    at = end + 1;
  }
  std::stable_sort(found.begin(), found.end(), [](const MarkedWord& one, const MarkedWord& other) {
    return one.at < other.at;
  });
  return found;
}

}  // namespace rocvet
