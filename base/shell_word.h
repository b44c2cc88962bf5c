// A value of the machine as a word of a shell command.
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocvet {

/// Of letters, digits and _ @ % + = : , . / - only, beginning with a letter, a digit, _ / or .: no
/// shell, and no sed, reads anything into it, inside quotes or outside. "" is not.
bool is_plain(std::string_view value);

/// The value as sh, bash, zsh and fish read it back, quoted where it has to be. Nothing for what no
/// command line should carry: control characters, ends of lines, bytes that are no UTF-8, and
/// characters that are not seen or turn the text around.
std::optional<std::string> shell_quoted(std::string_view value);

/// One argument of a command (or part of one, where the command's text touches it).
class Word {
 public:
  Word(std::string_view value);                                      // NOLINT
  Word(const std::string& value) : Word(std::string_view(value)) {}  // NOLINT
  Word(const char* value) : Word(std::string_view(value)) {}         // NOLINT
  Word(std::integral auto number) : Word(std::to_string(number)) {}  // NOLINT

  /// A program for sed, or another text with a value in it, that is right for plain values without
  /// a / alone: no other can be quoted.
  static Word around(std::string_view before, std::string_view plain_value, std::string_view after);
  /// Each a word of its own.
  static Word list(std::span<const std::string> values);
  /// Text of this program that the shell is to read: a variable, a substitution.
  template <std::size_t N>
  static Word code(const char (&text)[N]) {
    Word word{std::string_view(text, N - 1)};
    word.text_ = std::string(text, N - 1);
    word.kind_ = Kind::code;
    return word;
  }
  /// With other values, quoted anew.
  Word changed(const std::function<std::string(std::string_view)>& change) const;

  /// As the shell reads it; for a word that has no such form, the value with ? for all that is not
  /// plain.
  const std::string& text() const { return text_; }
  bool quotable() const { return quotable_; }
  bool empty() const { return empty_; }
  /// A program would take it for an option; quotes do not help.
  bool is_option() const { return option_; }
  /// A name that a shell variable can have. `unset 'a[$(…)]'` runs what is in the brackets.
  bool names_variable() const { return name_; }
  bool has_backslash() const { return backslash_; }

 private:
  enum class Kind { value, around, list, code };
  std::string text_;
  Kind kind_ = Kind::value;
  std::vector<std::string> values_;  ///< as they are, unquoted
  std::string before_, after_;       ///< of around()
  bool quotable_ = true, empty_ = false, option_ = false, name_ = false, backslash_ = false;
};

}  // namespace rocvet
