#include "formats/localised.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "formats/literal_filter.h"

extern "C" const unsigned char rocvet_glibc_messages[], rocvet_glibc_messages_end[];

namespace rocvet {
namespace {

struct Translation {
  std::string_view english, words;
};

/// The longest first: one may stand in another.
std::vector<Translation> read_translations() {
  const std::string_view table(
      reinterpret_cast<const char*>(rocvet_glibc_messages),
      static_cast<std::size_t>(rocvet_glibc_messages_end - rocvet_glibc_messages));
  std::vector<Translation> all;
  for (const std::string_view line : split(table, '\n')) {
    const auto columns = split(line, '\t');
    if (columns.size() == 3) all.push_back({columns[0], columns[2]});
  }
  std::ranges::stable_sort(all, std::ranges::greater(),
                           [](const Translation& one) { return one.words.size(); });
  return all;
}

LiteralFilter filter_of(const std::vector<Translation>& all) {
  std::vector<std::vector<std::string>> literals;
  literals.reserve(all.size());
  for (const Translation& one : all) literals.push_back({std::string(one.words)});
  return {literals, LiteralFilter::Case::as_is};
}

/// Messages come in lines; in a longer one, hundreds of texts would be looked for in megabytes.
constexpr std::size_t kLongestLine = 1u << 14;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Not in the middle of a longer word: "for kort fil" in "for kort filnavn".
bool stands_alone(std::string_view text, std::size_t at, std::string_view words) {
  const std::size_t end = at + words.size();
  return !(at > 0 && is_letter(text[at - 1]) && is_letter(words.front())) &&
         !(end < text.size() && is_letter(text[end]) && is_letter(words.back()));
}

std::string with(std::string_view text, const Translation& by) {
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = text.find(by.words); at != text.npos;
       at = text.find(by.words, at + by.words.size())) {
    if (!stands_alone(text, at, by.words)) continue;
    out += text.substr(from, at - from);
    out += by.english;
    from = at + by.words.size();
  }
  out += text.substr(from);
  return out;
}

}  // namespace

std::string in_english(std::string_view log) {
  if (log.empty()) return "";  // most runs have none: nothing is made ready for it
  static const std::vector<Translation> kAll = read_translations();
  static const LiteralFilter kFilter = filter_of(kAll);
  std::string out;
  out.reserve(log.size());
  LiteralFilter::Marks marks;
  for (std::size_t begin = 0; begin < log.size();) {
    const std::size_t newline = std::min(log.find('\n', begin), log.size());
    const std::string_view line = log.substr(begin, newline - begin);
    if (line.size() <= kLongestLine && kFilter.mark(line, marks)) {
      std::string text(line);
      each_marked(marks, [&](std::size_t index) { text = with(text, kAll[index]); });
      out += text;
    } else {
      out += line;
    }
    if (newline < log.size()) out += '\n';
    begin = newline + 1;
  }
  return out;
}

}  // namespace rocvet
