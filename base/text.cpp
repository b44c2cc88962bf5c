#include "base/text.h"

#include <string.h>  // memmem

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <numeric>

namespace rocvet {

std::string_view trim(std::string_view text) {
  // One comparison for each character: a log may hold megabytes of blanks.
  const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0'; };
  std::size_t first = 0, end = text.size();
  while (first < end && blank(text[first])) ++first;
  while (end > first && blank(text[end - 1])) --end;
  return text.substr(first, end - first);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> parts;
  constexpr std::string_view kBlank = " \t";
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
    if (text.empty()) return parts;
    const std::size_t end = std::min(text.find_first_of(kBlank), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (&part != parts.data()) out += separator;
    out += part;
  }
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool contains_one(std::string_view text, std::span<const std::string_view> parts) {
  // find() stops wherever the first letter is: at each of a million blanks for " part".
  return std::ranges::any_of(parts, [&](std::string_view part) {
    return part.size() <= text.size() &&
           memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
  });
}

bool has_word(std::string_view lower_text, std::string_view begins) {
  for (std::size_t at = lower_text.find(begins); at != lower_text.npos;
       at = lower_text.find(begins, at + 1)) {
    const auto letter = [&](std::size_t where) {
      return where < lower_text.size() &&
             std::isalnum(static_cast<unsigned char>(lower_text[where])) != 0;
    };
    const bool starts = begins.starts_with("n't") || at == 0 || !letter(at - 1);
    const bool ends = begins.size() > 2 || !letter(at + begins.size());
    if (starts && ends) return true;
  }
  return false;
}

std::optional<unsigned long long> parse_number(std::string_view text, int base) {
  if (base == 16 && (text.starts_with("0x") || text.starts_with("0X"))) text.remove_prefix(2);
  unsigned long long value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<long long> parse_signed_number(std::string_view text, int base) {
  const bool negative = text.starts_with('-');
  const auto number = parse_number(text.substr(negative ? 1 : 0), base);
  if (!number || *number > (1ull << 62)) return std::nullopt;
  const auto value = static_cast<long long>(*number);
  return negative ? -value : value;
}

bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool matches_any(std::string_view text, std::span<const std::string_view> patterns) {
  return std::ranges::any_of(patterns,
                             [&](std::string_view pattern) { return glob_match(pattern, text); });
}

namespace {

/// Or anything of at least `enough`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t enough) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, diagonal + 1});
    }
    if (*std::min_element(row.begin(), row.end()) >= enough) return enough;
  }
  return row.back();
}

}  // namespace

std::string closest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  const std::string small = lower(word);
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    // As many letters as one is longer must go; a text of any length is no mistyped word.
    const auto [shorter, longer] = std::minmax({word.size(), candidate.size()});
    if (longer - shorter >= best_distance) continue;
    const std::size_t distance = edit_distance(small, lower(candidate), best_distance);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string near = closest(word, candidates);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

std::string fixed(double value, int digits) {
  char buffer[64];
  const int length = std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
  return std::string(buffer, static_cast<std::size_t>(std::clamp(length, 0, 63)));
}

std::optional<unsigned long long> leading_number(std::string_view text) {
  return parse_number(text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size())));
}

std::string short_number(double value) {
  const double size = value < 0 ? -value : value;
  int digits = 0;
  double bound = 100;
  while (digits < 8 && size < bound) {
    bound /= 10;
    ++digits;
  }
  return fixed(value, size == 0 ? 0 : digits);
}

}  // namespace rocvet
