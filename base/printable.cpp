#include "base/printable.h"

#include <cstdio>

#include "base/utf8.h"

namespace rocvet {
namespace {

struct Range {
  char32_t first, last;
};

/// Among them all that Unicode calls default ignorable but U+FE0E and U+FE0F, which choose how an
/// emoji looks and stand in many a log.
constexpr Range kUnseen[] = {
    {0x0080, 0x009f},    // C1 controls
    {0x00ad, 0x00ad},    // soft hyphen
    {0x034f, 0x034f},    // combining grapheme joiner
    {0x061c, 0x061c},    // Arabic letter mark
    {0x115f, 0x1160},    // Hangul fillers
    {0x17b4, 0x17b5},    // Khmer inherent vowels
    {0x180b, 0x180f},    // Mongolian variation selectors and vowel separator
    {0x200b, 0x200f},    // zero width space and joiners, left-to-right and right-to-left mark
    {0x2028, 0x202e},    // line and paragraph separator, bidi embeddings and overrides
    {0x2060, 0x206f},    // word joiner, invisible operators, bidi isolates, deprecated controls
    {0x3164, 0x3164},    // Hangul filler
    {0xfdd0, 0xfdef},    // noncharacters
    {0xfe00, 0xfe0d},    // variation selectors
    {0xfeff, 0xfeff},    // byte order mark
    {0xffa0, 0xffa0},    // halfwidth Hangul filler
    {0xfff0, 0xfffb},    // not assigned, interlinear annotation
    {0x1bca0, 0x1bca3},  // shorthand format controls
    {0x1d173, 0x1d17a},  // musical format controls
    {0xe0000, 0xe0fff},  // tags, more variation selectors
};

bool unseen(char32_t code) {
  if ((code & 0xfffe) == 0xfffe) return true;  // the last two of each plane
  for (const Range& range : kUnseen) {
    if (code >= range.first && code <= range.last) return true;
  }
  return false;
}

std::string byte_escape(unsigned char byte) {
  char buffer[8];
  std::snprintf(buffer, sizeof buffer, "\\x%02x", byte);
  return buffer;
}

std::string made_printable(std::string_view text, bool lines, bool colors) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    std::size_t bytes = 1;
    if (byte >= 0x20 && byte < 0x7f) {
      out += text.front();
    } else if (byte == '\n' || byte == '\t') {
      out += lines ? text.front() : ' ';
    } else if (const std::size_t color = colors ? color_code(text) : 0; color > 0) {
      bytes = color;
      out += text.substr(0, bytes);
    } else if (byte < 0x80) {
      out += byte_escape(byte);
    } else if (const Character character = first_character(text); character.bytes == 0) {
      out += byte_escape(byte);
    } else {
      bytes = character.bytes;
      if (!unseen(character.code)) {
        out += text.substr(0, bytes);
      } else {
        out += character_escape(character.code);
      }
    }
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  return made_printable(text, false, false);
}

std::string printable_excerpt(std::string_view text) {
  constexpr std::size_t kShown = 200;
  constexpr std::size_t kWhole = 3 * kShown;  // what is cut, is cut for more than a few words
  const auto inside = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  std::string line = printable(text);
  if (line.size() <= kWhole) return line;
  std::size_t head = kShown, tail = line.size() - kShown;
  while (inside(line[head])) --head;
  while (tail < line.size() && inside(line[tail])) ++tail;
  return line.substr(0, head) + " … " + line.substr(tail);
}

std::string printable_lines(std::string_view text) {
  return made_printable(text, true, false);
}

std::string printable_colored(std::string_view text) {
  return made_printable(text, true, true);
}

}  // namespace rocvet
