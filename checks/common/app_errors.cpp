#include "checks/common/app_errors.h"

#include <algorithm>

#include "checks/common/deep.h"
#include "checks/common/kernel_events.h"
#include "checks/common/memo.h"
#include "machine/text.h"

namespace rocvet {
namespace {

constexpr AppErrorText kTexts[] = {
#include "checks/application/error_texts.inc"
};

/// A text made ready: groups of alternatives, of each of which a line must have one. A text without
/// "&" is one group of one.
using Phrase = std::vector<std::vector<std::string>>;

Phrase phrase_of(std::string_view text) {
  if (!text.starts_with('&')) return {{lower(text)}};
  Phrase phrase;
  for (const std::string_view group : split(text.substr(1), '&')) {
    phrase.emplace_back();
    for (const std::string_view one : split(group, '|')) phrase.back().push_back(lower(one));
  }
  return phrase;
}

/// The texts in lower case, once.
const std::vector<Phrase>& phrases() {
  static const std::vector<Phrase> kPhrases = [] {
    std::vector<Phrase> all;
    for (const AppErrorText& text : kTexts) all.push_back(phrase_of(text.text));
    return all;
  }();
  return kPhrases;
}

/// Whether a line in lower case has one alternative of each group. " word" fits at its beginning.
bool says(const Phrase& phrase, std::string_view line) {
  return std::all_of(phrase.begin(), phrase.end(), [&](const std::vector<std::string>& group) {
    return std::any_of(group.begin(), group.end(),
                       [&](const std::string& one) { return fits(one, line); });
  });
}

/// Whether what is said may be broken over two lines.
bool may_be_broken(const Phrase& phrase) {
  return phrase.size() > 1 || phrase.front().front().find('*') != std::string::npos;
}

constexpr std::size_t kLongestLine = 4096;

/// Who describes a fault needs no more lines; a program's log has more.
constexpr std::ptrdiff_t kMostLinesOfAPerson = 40;

bool is_of_a_person(std::string_view text) {
  const auto lines = split(text, '\n');
  return std::count_if(lines.begin(), lines.end(), [](std::string_view line) {
           return !trim(line).empty();
         }) <= kMostLinesOfAPerson;
}

}  // namespace

std::span<const AppErrorText> app_error_texts() {
  return kTexts;
}

std::vector<AppError> decode_app_log(std::string_view log) {
  std::vector<AppError> errors;
  std::string before;
  for (const std::string_view raw : split(log, '\n')) {
    // Blanks at both ends, so that " word " fits a whole word anywhere.
    const std::string line = " " + lower(raw.substr(0, kLongestLine)) + " ";
    // A message may be broken after its call: `>>> is_available()` and the answer below it.
    const std::string both = before + " " + line;
    before = line;
    for (std::size_t i = 0; i < std::size(kTexts); ++i) {
      if (!says(phrases()[i], line) && !(may_be_broken(phrases()[i]) && says(phrases()[i], both)))
        continue;
      const auto same = std::find_if(errors.begin(), errors.end(), [&](const AppError& error) {
        return error.text == &kTexts[i];
      });
      if (same != errors.end()) {
        ++same->count;
      } else {
        errors.push_back({&kTexts[i], std::string(trim(raw.substr(0, 300))), 1});
      }
    }
  }
  return errors;
}

const std::string& spoken(const Context& context) {
  Memo& memo = memo_of(context);
  if (!memo.spoken) {
    memo.spoken = given_log(context).rest;
    if (const std::string deep = deep_words(context.machine); !deep.empty())
      *memo.spoken += (memo.spoken->empty() ? "" : "\n") + deep;
  }
  return *memo.spoken;
}

const std::vector<AppError>& app_errors(const Context& context) {
  Memo& memo = memo_of(context);
  if (memo.app_errors) return *memo.app_errors;
  memo.app_errors = decode_app_log(spoken(context));
  if (!is_of_a_person(spoken(context)))
    std::erase_if(*memo.app_errors, [](const AppError& error) { return error.text->is_prose(); });
  return *memo.app_errors;
}

bool app_log_has(const Context& context, std::string_view text) {
  const std::string wanted = lower(text);
  for (const std::string_view line : split(spoken(context), '\n')) {
    if (fits(wanted, lower(line.substr(0, kLongestLine)))) return true;
  }
  return false;
}

bool people_say(const Context& context, std::initializer_list<std::string_view> words) {
  return is_of_a_person(spoken(context)) &&
         std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return app_log_has(context, word); });
}

std::vector<std::string> libraries_not_opened(const Context& context) {
  std::vector<std::string> names;
  for (const std::string_view line : split(spoken(context), '\n')) {
    const std::size_t mark = line.find(": cannot open shared object file");
    if (mark == line.npos) continue;
    std::size_t start = line.rfind("lib", mark);
    if (start == line.npos) continue;
    // "…/lib/libfoo.so.1": take the file's name.
    const std::size_t slash = line.rfind('/', mark);
    if (slash != line.npos && slash + 1 < mark && line.substr(slash + 1).starts_with("lib"))
      start = slash + 1;
    const std::string name(line.substr(start, mark - start));
    if (name.find(' ') == name.npos && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  return names;
}

}  // namespace rocvet
