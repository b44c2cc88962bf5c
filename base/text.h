// The few string helpers that every folder needs.
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocvet {

/// Without white space and NULs at both ends (sysfs files may be padded with NULs to a page).
std::string_view trim(std::string_view text);
/// At every `separator`; empty parts are kept.
std::vector<std::string_view> split(std::string_view text, char separator);
/// f(line) for the parts that split() would give at the ends of lines, without a list of them.
template <typename F>
void each_line(std::string_view text, F&& f) {
  while (true) {
    const std::size_t end = text.find('\n');
    f(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}
/// Lines without their line ends; a last empty line is left out. Views into `text`.
std::vector<std::string_view> lines_of(std::string_view text);
/// At runs of spaces and tabs; no empty parts.
std::vector<std::string_view> words(std::string_view text);
/// The parts point into the text: a temporary would be gone before they are read.
template <std::same_as<std::string> T>
std::vector<std::string_view> split(T&& text, char separator) = delete;
template <std::same_as<std::string> T>
std::vector<std::string_view> words(T&& text) = delete;
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string lower(std::string_view text);
/// Whether the text has one of the parts in it, anywhere in a word.
bool contains_one(std::string_view text, std::span<const std::string_view> parts);
/// Whether a word of the text, which is in lower case, begins so; two letters or fewer are a whole
/// word. "n't…" stands behind any letter.
bool has_word(std::string_view lower_text, std::string_view begins);
/// 0 to 9, whatever the locale.
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
/// A whole number in base 10 or 16 (with or without 0x); nothing else in the text.
std::optional<unsigned long long> parse_number(std::string_view text, int base = 10);
/// The same with "-" before it or not; at most 2^62 either way.
std::optional<long long> parse_signed_number(std::string_view text, int base = 10);
/// The whole number that a text begins with: 29580 of "29580(0x738c)".
std::optional<unsigned long long> leading_number(std::string_view text);
/// Shell-style * and ?.
bool glob_match(std::string_view pattern, std::string_view text);
bool matches_any(std::string_view text, std::span<const std::string_view> patterns);
/// The candidate nearest to a mistyped word, or "" when none is near.
std::string closest(std::string_view word, std::span<const std::string> candidates);
/// "did you mean 'x'?" with a leading "; ", or "" when nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);
/// `digits` after the point, no locale.
std::string fixed(double value, int digits);
/// Three significant digits, never an exponent above 1e-6: 4256, 30.5, 0.0274.
std::string short_number(double value);

}  // namespace rocvet
