// What shell_quoted() gives is one word, and a POSIX shell reads the value back from it; a step
// made of such words is one line. The words are read by a parser of our own, of no other code.
#include <optional>
#include <string>
#include <vector>

#include "base/command_words.h"
#include "base/shell_word.h"
#include "base/step.h"
#include "fuzz/target.h"

using namespace rocvet;

namespace {

/// POSIX 2.2: outside quotes a backslash keeps the next character, between single quotes all stays
/// as it is. Nothing for what a shell would not leave alone: an expansion, a blank, an operator.
std::optional<std::string> unquoted(std::string_view word) {
  std::string out;
  for (std::size_t at = 0; at < word.size(); ++at) {
    if (word[at] == '\'') {
      const std::size_t close = word.find('\'', at + 1);
      if (close == word.npos) return std::nullopt;
      out += word.substr(at + 1, close - at - 1);
      at = close;
    } else if (word[at] == '\\') {
      if (at + 1 == word.size()) return std::nullopt;
      out += word[++at];
    } else if (std::string_view(" \t\n\"$`;&|<>()*?[]#~!{}").find(word[at]) != word.npos) {
      return std::nullopt;
    } else {
      out += word[at];
    }
  }
  return out;
}

/// The same as fish reads it: \\ and \' are escapes between single quotes too.
std::optional<std::string> unquoted_by_fish(std::string_view word) {
  std::string out;
  bool inside = false;
  for (std::size_t at = 0; at < word.size(); ++at) {
    const char next = at + 1 < word.size() ? word[at + 1] : '\0';
    if (word[at] == '\'') {
      inside = !inside;
    } else if (word[at] == '\\' && (!inside || next == '\\' || next == '\'')) {
      if (next == '\0') return std::nullopt;
      out += word[++at];
    } else {
      out += word[at];
    }
  }
  if (inside) return std::nullopt;
  return out;
}

}  // namespace

FUZZ_TARGET(shell_word) {
  if (const auto quoted = shell_quoted(bytes)) {
    fuzz::must_equal(unquoted(*quoted).value_or("no word"), bytes, "sh reads the value back");
    fuzz::must_equal(unquoted_by_fish(*quoted).value_or("no word"), bytes, "fish does too");
    fuzz::must(!is_plain(bytes) || *quoted == bytes, "a plain value is not quoted");
  } else {
    fuzz::must(!is_plain(bytes), "a plain value can be quoted");
  }

  const std::size_t half = bytes.size() / 2;
  const Word one(bytes.substr(0, half)), other(bytes.substr(half));
  const Word around = Word::around("s/", bytes, "/x/");
  const std::vector<std::string> values = {std::string(bytes.substr(0, half)),
                                           std::string(bytes.substr(half))};
  Step step("sudo usermod -aG {} {} {} {}", one, other, around, Word::list(values));
  step.change([](std::string_view value) { return std::string(value) + "x"; });
  step.fill("gfxN", bytes);
  const NamedWord named[] = {{"value", one}, {"group", other}};
  // A row with a gap inside quotes is refused where the database is loaded.
  const Step of_row =
      gap_in_quotes(bytes) ? Step::of_report(bytes) : Step::of_database(bytes, named);
  for (const Step& each : {step, of_row, Step::of_report(bytes), Step::of_database(bytes)}) {
    fuzz::must(each.text().find_first_of(std::string_view("\n\r\0\x1b", 4)) == std::string::npos,
               "a step is one line");
    fuzz::use(each.is_command());
    fuzz::use(each.mends());
    fuzz::use(each.only_looks());
  }
  fuzz::must(!Step::of_report(bytes).is_command(), "a step of a report is no command");
  fuzz::use(runs_a_program(bytes));
  fuzz::use(has_open_name(bytes));
  fuzz::use(only_shows(bytes));
}
