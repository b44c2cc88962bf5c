#include "base/terminal_text.h"

#include <locale.h>
#include <wchar.h>

#include <algorithm>
#include <utility>

#include "base/terminal_codes.h"
#include "base/text.h"
#include "base/utf8.h"

namespace rocvet {
namespace {

/// Its character classes are those of UTF-8; null where none is installed.
locale_t utf8_locale() {
  static const locale_t kLocale = [] {
    for (const char* name : {"C.UTF-8", "C.utf8", "en_US.UTF-8"}) {
      if (const locale_t found = ::newlocale(LC_CTYPE_MASK, name, nullptr); found != nullptr)
        return found;
    }
    return locale_t{};
  }();
  return kLocale;
}

/// The locale of this thread for as long as it lives.
class InLocale {
 public:
  explicit InLocale(locale_t locale) : before_(locale == nullptr ? nullptr : ::uselocale(locale)) {}
  InLocale(const InLocale&) = delete;
  InLocale& operator=(const InLocale&) = delete;
  ~InLocale() {
    if (before_ != nullptr) ::uselocale(before_);
  }
  bool holds() const { return before_ != nullptr; }

 private:
  locale_t before_;
};

/// A byte that begins no character is one by itself.
Character character_at(std::string_view text) {
  const Character character = first_character(text);
  return character.bytes > 0 ? character : Character{0xfffd, 1};
}

int columns_of(const Character& character, bool by_locale) {
  if (character.code < 0x80 || !by_locale) return 1;
  const int width = ::wcwidth(static_cast<wchar_t>(character.code));
  return width < 0 ? 1 : width;
}

/// Bytes of `line` up to where a continuation belongs, all of them narrow: behind a label
/// ("      saw: "), else below the last column of a table, else two behind the indent.
std::size_t hang_of(std::string_view line, std::size_t columns) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  constexpr std::size_t kLongestLabel = 14;
  std::size_t hang = indent + 2;
  const std::size_t colon = line.find(": ", indent);
  const std::size_t gap = line.substr(0, 60).rfind("  ");
  if (colon != line.npos && colon - indent <= kLongestLabel && indent > 0)
    hang = colon + 2;
  else if (gap != line.npos && gap > indent)
    hang = gap + 2;
  return hang > columns / 2 ? indent + 2 : hang;
}

bool is_command(std::string_view line) {
  const std::string_view text = trim(line);
  return text.starts_with("fix: ") || text.starts_with("verify: ") ||
         text.starts_with("to be sure: ");
}

void add_wrapped(std::string& out, std::string_view line, std::size_t columns) {
  if (display_width(line) <= columns) {
    out += line;
    return;
  }
  const std::string plain = strip_terminal_codes(line);
  if (is_command(plain)) {
    out += line;
    return;
  }
  const std::size_t hang = hang_of(plain, columns);
  std::size_t used = 0;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t word = line.find_first_not_of(' ', at);
    if (word == line.npos) break;
    const std::size_t end = std::min(line.find(' ', word), line.size());
    const std::string_view text = line.substr(word, end - word);
    const std::size_t width = display_width(text), blanks = word - at;
    if (used > hang && used + blanks + width > columns) {
      out += "\n" + std::string(hang, ' ');
      used = hang;
    } else {
      out.append(blanks, ' ');
      used += blanks;
    }
    out += text;
    used += width;
    at = end;
  }
}

struct Sign {
  char32_t code;
  const char* ascii;
};
constexpr Sign kSigns[] = {
    {0xb0, " deg "}, {0xb1, "+-"},   {0xb2, "^2"},  {0xb5, "u"},     {0xb7, "-"},
    {0xd7, "x"},     {0x2013, "-"},  {0x2014, "-"}, {0x2018, "'"},   {0x2019, "'"},
    {0x201c, "\""},  {0x201d, "\""}, {0x2022, "*"}, {0x2026, "..."}, {0x2190, "<-"},
    {0x2192, "->"},  {0x2212, "-"},  {0x2248, "~"}, {0x2264, "<="},  {0x2265, ">="},
    {0x2500, "-"},   {0x2502, "|"},  {0x2581, "1"}, {0x2582, "2"},   {0x2583, "3"},
    {0x2584, "4"},   {0x2585, "5"},  {0x2586, "6"}, {0x2587, "7"},   {0x2588, "8"},
    {0x2591, "."},   {0x2592, ":"},  {0x2593, "#"}, {0x25a0, "#"},   {0x2713, "+"},
    {0x2717, "x"},
};

void add_ascii(std::string& out, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text.substr(at));
    if (character.code < 0x80) {
      out += text[at];
    } else if (const auto sign = std::ranges::find(kSigns, character.code, &Sign::code);
               sign != std::end(kSigns)) {
      out += sign->ascii;
    } else {
      out += character_escape(character.code);
    }
    at += character.bytes;
  }
}

/// What `add` makes of each line, with the line ends as they were.
template <typename Add>
std::string line_by_line(std::string_view text, const Add& add) {
  std::string out;
  out.reserve(text.size());
  bool first = true;
  each_line(text, [&](std::string_view line) {
    if (!std::exchange(first, false)) out += '\n';
    add(out, line);
  });
  return out;
}

}  // namespace

std::size_t display_width(std::string_view line) {
  const InLocale locale(utf8_locale());
  std::size_t width = 0;
  for (std::size_t at = 0; at < line.size();) {
    if (const std::size_t colour = color_code(line.substr(at)); colour > 0) {
      at += colour;
      continue;
    }
    const Character character = character_at(line.substr(at));
    width += static_cast<std::size_t>(columns_of(character, locale.holds()));
    at += character.bytes;
  }
  return width;
}

std::string wrapped(std::string_view text, std::size_t columns) {
  if (columns == 0) return std::string(text);
  return line_by_line(
      text, [&](std::string& out, std::string_view line) { add_wrapped(out, line, columns); });
}

std::string in_ascii(std::string_view text) {
  return line_by_line(text, [](std::string& out, std::string_view line) {
    if (is_command(strip_terminal_codes(line)))
      out += line;
    else
      add_ascii(out, line);
  });
}

}  // namespace rocvet
