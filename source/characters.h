// Classes of bytes that are told apart in foreign text, whatever the locale.
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>

#include "base/text.h"

namespace rocvet {

constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_alpha(char c) {
  return is_lower(c) || is_upper(c);
}
/// Of a character of another alphabet than the Latin one, as UTF-8 has it.
constexpr bool is_wide(char c) {
  return static_cast<unsigned char>(c) >= 0x80;
}
constexpr bool is_quote(char c) {
  return c == '"' || c == '\'' || c == '`';
}
/// A capital in lower case, all else as it is.
constexpr char small_letter(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool is_alnum(char c) {
  return is_alpha(c) || is_digit(c);
}
constexpr bool is_word(char c) {
  return is_alnum(c) || c == '_';
}
constexpr bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// How many characters at the beginning pass the test.
template <std::predicate<char> Test>
constexpr std::size_t run_of(std::string_view text, Test test) {
  std::size_t at = 0;
  while (at < text.size() && test(text[at])) ++at;
  return at;
}

/// How many characters at the beginning are of `set`.
constexpr std::size_t run_of(std::string_view text, std::string_view set) {
  const std::size_t end = text.find_first_not_of(set);
  return end == text.npos ? text.size() : end;
}

}  // namespace rocvet
