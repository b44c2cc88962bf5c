// A step of a remedy: a command that a person may paste, or advice in words.
#pragma once

#include <array>
#include <concepts>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/shell_word.h"

namespace rocvet {

/// Text of this program: it can be made from a literal alone, and be cut.
class Literal {
 public:
  constexpr Literal() = default;
  consteval Literal(const char* text) : text_(text) {}           // NOLINT
  constexpr operator std::string_view() const { return text_; }  // NOLINT
  constexpr bool empty() const { return text_.empty(); }
  constexpr Literal from(std::size_t at) const { return Literal(text_.substr(at)); }
  std::vector<Literal> lines() const;

 private:
  constexpr explicit Literal(std::string_view text) : text_(text) {}
  std::string_view text_ = {};
};

/// The text of a step with a {} for each of `kGaps` words. A gap inside quotes, where quotes of the
/// word would be read as text, does not compile.
template <std::size_t kGaps>
class StepFormat {
 public:
  consteval StepFormat(const char* text) : text_(text) {  // NOLINT
    std::size_t gaps = 0;
    char open = 0;
    for (std::size_t at = 0; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '\\' && open != '\'') {
        ++at;
      } else if (c == '\'' || c == '"') {
        open = open == 0 ? c : open == c ? char(0) : open;
      } else if (c == '{' && text_.substr(at, 2) == "{}") {
        if (open != 0) gap_inside_quotes();
        ++gaps;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        more_than_one_line();
      }
    }
    if (gaps != kGaps) gaps_and_words_differ();
  }
  constexpr std::string_view text() const { return text_; }

 private:
  // No constant expression calls these.
  static void gap_inside_quotes() {}
  static void gaps_and_words_differ() {}
  static void more_than_one_line() {}
  std::string_view text_;
};

/// A word for a gap of a database's step: "{value}".
struct NamedWord {
  std::string_view name;
  Word word;
};
/// Whether a {…} stands inside quotes, where quotes of the word would be read as text.
bool gap_in_quotes(std::string_view text);

/// Made of literals and words, never of a text put together: a value of the machine reaches a shell
/// as one word, whatever it holds. A step with a word that cannot be quoted is a comment, to be
/// done by hand. Always one line.
class Step {
 public:
  Step() = default;
  template <std::size_t N>
  Step(const char (&text)[N]) : Step(StepFormatted{std::string_view(text, N - 1)}, {}) {}  // NOLINT
  template <std::size_t N>
  Step(char (&text)[N]) = delete;  // a buffer
  explicit Step(Literal text) : Step(StepFormatted{text}, {}) {}
  /// `Step("sudo usermod -aG {} {}", group, user)`.
  template <typename... Words>
  requires(sizeof...(Words) > 0 && (std::convertible_to<const Words&, Word> && ...))
      Step(StepFormat<sizeof...(Words)> format, const Words&... words)
      : Step(StepFormatted{format.text()}, std::array<Word, sizeof...(Words)>{Word(words)...}) {}

  /// A row of the database: text of this program, or of the site that lays its own over it.
  static Step of_database(std::string_view text);
  /// The same with a {name} for each word; a name that has no word stays as it is. No gap may stand
  /// inside quotes (gap_in_quotes).
  static Step of_database(std::string_view text, std::span<const NamedWord> words);
  /// Of somebody's report: shown, never a command.
  static Step of_report(std::string_view text);

  /// Puts a value where the text has a named gap ("gfxN"). Only plain values are: the gap may be
  /// inside quotes.
  void fill(std::string_view gap, std::string_view value);
  /// The same with text of this program.
  void fill_with_code(std::string_view gap, Literal code);

  /// Puts code where the text has the name ("SERVICE") as a word by itself, not inside quotes;
  /// whether it had.
  bool ask(std::string_view name, Literal code);

  /// With other values (names of people, say), quoted anew; a step of a report as a whole.
  void change(const std::function<std::string(std::string_view)>& change);

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  /// Can be run as it stands: a command with nothing left to be filled in. Advice in words,
  /// alternatives ("or …") and commands with a place to fill in cannot.
  bool is_command() const;
  /// A command that changes something, once what is left open in it ("IMAGE") is filled in.
  bool mends() const;
  /// A command that prints what is the case.
  bool only_looks() const;

  friend bool operator==(const Step& one, std::string_view text) { return one.text_ == text; }

 private:
  struct StepFormatted {
    std::string_view text;
  };
  Step(StepFormatted format, std::span<const Word> words);
  static Step of_text(std::string_view text, bool foreign);
  void put(std::string_view gap, std::string_view text);
  void compose();

  std::vector<std::string> literals_;  ///< one more than words, or none
  std::vector<Word> words_;
  bool foreign_ = false;
  // Made of these by compose().
  std::string text_;
  std::string shape_;  ///< the text with a _ for each word: what the program wrote
  bool by_hand_ = false;
};

/// Their texts, for a report.
std::vector<std::string> texts(std::span<const Step> steps);

}  // namespace rocvet
