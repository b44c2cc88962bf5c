#include "checks/logs/app_errors.h"

#include <string.h>  // memmem

#include <algorithm>
#include <optional>
#include <utility>

#include "base/add_once.h"
#include "base/text.h"
#include "checks/common/memo.h"
#include "checks/facts/deep.h"
#include "checks/logs/kernel_events.h"
#include "checks/logs/tool_output.h"
#include "formats/literal_filter.h"
#include "formats/localised.h"
#include "formats/wrapped_lines.h"

namespace rocvet {
namespace {

/// What people say, made ready: groups of alternatives, of each of which a line must have one. A
/// text without
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
constexpr int kMostLinesOfAPerson = 40;

bool is_of_a_person(std::string_view text) {
  int lines = 0;
  for (std::size_t at = 0; at < text.size() && lines <= kMostLinesOfAPerson;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines += !trim(text.substr(at, end - at)).empty();
    at = end + 1;
  }
  return lines <= kMostLinesOfAPerson;
}

/// A few lines of a program that ran well are no complaint of anybody's.
bool is_content(const Knowledge& knowledge, std::string_view text) {
  const std::string words = lower(text);
  const auto says_one = [&](std::span<const std::string_view> of) {
    return std::ranges::any_of(of, [&](std::string_view word) { return has_word(words, word); });
  };
  return says_one(knowledge.words("content")) && !says_one(knowledge.words("complaining"));
}

/// Every line is a program's log at a level that tells of nothing wrong.
bool only_informs(std::string_view text) {
  constexpr std::string_view kLevels[] = {" INFO ",     "[INFO]",  "level=INFO",
                                          "level=info", " DEBUG ", "[DEBUG]"};
  bool informs = true;
  each_line(text, [&](std::string_view line) {
    informs = informs && (trim(line).empty() || contains_one(line, kLevels));
  });
  return informs;
}

/// The part of each text by which a line that may say it is told: of one of its groups, the one
/// whose shortest part is the longest.
std::vector<std::vector<std::string>> telling_parts(const std::vector<Phrase>& phrases) {
  std::vector<std::vector<std::string>> literals;
  for (const Phrase& phrase : phrases) {
    std::vector<std::string> best;
    std::size_t best_size = 0;
    for (const auto& group : phrase) {
      std::vector<std::string> parts;
      for (const std::string& one : group) parts.push_back(longest_part(one));
      const auto shortest = std::min_element(
          parts.begin(), parts.end(),
          [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
      if (shortest == parts.end() || shortest->size() <= best_size) continue;
      best_size = shortest->size();
      best = std::move(parts);
    }
    literals.push_back(std::move(best));
  }
  return literals;
}

/// All lines of `text` in lower case, each as long as it is looked at.
std::string lower_lines(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  each_line(text, [&](std::string_view line) {
    if (line.data() != text.data()) out += '\n';
    out += lower(line.substr(0, kLongestLine));
  });
  return out;
}

/// Who says how it ended may quote why, behind a colon: "Failed to launch kernel: invalid device
/// ordinal".
const ErrorText* quoted_reason(const ErrorText* text, std::string_view line,
                               const Knowledge& knowledge) {
  if (text == nullptr || !text->outcome) return nullptr;
  const std::size_t colon = line.rfind(": ");
  if (colon == line.npos) return nullptr;
  const ErrorText* reason = knowledge.program_text("", line.substr(colon + 2));
  return reason == text ? nullptr : reason;
}

}  // namespace

std::vector<AppError> decode_app_log(std::string_view log, const Knowledge& knowledge) {
  std::vector<AppError> errors;
  if (log.empty()) return errors;  // most runs: nothing need be made ready
  std::vector<const ErrorText*> prose;
  std::vector<Phrase> phrases;
  for (const ErrorText& text : knowledge.texts()) {
    if (!text.prose) continue;
    prose.push_back(&text);
    phrases.push_back(phrase_of(text.text.front()));
  }
  const auto take = [&](const ErrorText* text, std::string_view line) {
    const auto same = std::find_if(errors.begin(), errors.end(),
                                   [&](const AppError& error) { return error.text == text; });
    if (same != errors.end()) {
      ++same->count;
    } else {
      errors.push_back({text, std::string(trim(line.substr(0, 300))), 1});
    }
  };
  const LiteralFilter filter(telling_parts(phrases), LiteralFilter::Case::folded);
  // Blanks at both ends, so that " word " fits a whole word anywhere.
  const auto ready = [](std::string_view raw) {
    return " " + lower(raw.substr(0, kLongestLine)) + " ";
  };
  LiteralFilter::Marks here, above;
  bool any_above = false;
  std::optional<std::string_view> raw_above;
  each_line(log, [&](std::string_view raw) {
    // Of two empty lines the second ends nothing that the first had not ended.
    if (raw.empty() && !any_above && raw_above && raw_above->empty()) return;
    const std::string_view before = raw_above ? raw_above->substr(0, kLongestLine) : "";
    const std::string_view line_here = raw.substr(0, kLongestLine);
    const ErrorText* text = knowledge.program_text(before, line_here);
    if (text != nullptr) take(text, raw);
    if (const ErrorText* reason = quoted_reason(text, line_here, knowledge)) take(reason, raw);
    if (text != nullptr && !text->anywhere) {
      // All of the line is a program's, and nobody's sentence.
      raw_above = raw;
      any_above = false;
      return;
    }
    const bool any_here = filter.mark(raw.substr(0, kLongestLine), here);
    const LiteralFilter::Marks own = here;
    const std::optional<std::string_view> raw_before = std::exchange(raw_above, raw);
    if (any_above) {
      for (std::size_t i = 0; i < here.size(); ++i) here[i] |= above[i];
    }
    above = own;
    if (!std::exchange(any_above, any_here) && !any_here) return;
    const std::string line = ready(raw);
    // People break their lines where they like.
    const std::string both = (raw_before ? ready(*raw_before) : "") + " " + line;
    each_marked(here, [&](std::size_t i) {
      if (says(phrases[i], line) || (may_be_broken(phrases[i]) && says(phrases[i], both)))
        take(prose[i], raw);
    });
  });
  for (const WrappedMessage& message : wrapped_messages(log)) {
    if (const ErrorText* text = knowledge.program_text("", message.text)) take(text, message.first);
  }
  return errors;
}

const std::string& spoken(const Context& context) {
  Memo& memo = memo_of(context);
  if (!memo.spoken) {
    memo.spoken = in_english(given_log(context).rest);
    for (const std::string& more : {deep_words(context.machine), context.tests_said}) {
      if (!more.empty()) *memo.spoken += (memo.spoken->empty() ? "" : "\n") + more;
    }
  }
  return *memo.spoken;
}

namespace {

/// Asked for each known defect, of logs of megabytes. What rocvet's own probes and tests were told
/// is no person's.
bool said_by_a_person(const Context& context) {
  Memo& memo = memo_of(context);
  if (!memo.of_a_person) {
    const std::string_view given = trim(given_log(context).rest);
    memo.of_a_person = !given.empty() && is_of_a_person(given);
  }
  return *memo.of_a_person;
}

}  // namespace

const std::vector<AppError>& app_errors(const Context& context) {
  Memo& memo = memo_of(context);
  if (memo.app_errors) return *memo.app_errors;
  memo.app_errors = decode_app_log(spoken(context), context.db.knowledge());
  // What ROCm's own tools printed when they were asked is no less said. Of a node of eight GPUs it
  // is a twentieth of this; one that prints without end is not read to the end of what was kept.
  constexpr std::size_t kMostPrinted = 1u << 20;
  for (const char* tool : {"clinfo", "rocminfo"}) {
    const std::string_view printed = tool_output(context.machine, tool).substr(0, kMostPrinted);
    if (printed.empty()) continue;
    for (AppError& error : decode_app_log(printed, context.db.knowledge())) {
      if (!error.text->prose) memo.app_errors->push_back(std::move(error));
    }
  }
  if (!said_by_a_person(context))
    std::erase_if(*memo.app_errors, [](const AppError& error) { return error.text->prose; });
  return *memo.app_errors;
}

bool has_app_error(const Context& context, std::string_view id) {
  const std::vector<AppError>& errors = app_errors(context);
  return std::any_of(errors.begin(), errors.end(),
                     [&](const AppError& error) { return error.text->id == id; });
}

std::string_view spoken_lower(const Context& context) {
  Memo& memo = memo_of(context);
  if (!memo.spoken_lower) memo.spoken_lower = lower_lines(spoken(context));
  return *memo.spoken_lower;
}

bool speaks_of(const Context& context, std::string_view words_of_it) {
  const std::vector<std::string_view> wanted = words(words_of_it);
  const std::string_view log = spoken_lower(context);
  const auto all_in = [&](std::string_view text) {
    return std::ranges::all_of(wanted, [&](std::string_view word) { return has_word(text, word); });
  };
  // Thousands of such questions are asked of a log; most ask for a word that it has nowhere.
  if (!all_in(log)) return false;
  if (wanted.size() < 2) return true;
  // The settings that a server prints in one line have all words somewhere.
  constexpr std::size_t kLongestSentence = 400;
  const auto near_one_another = [&](std::string_view text) {
    for (std::size_t at = 0;; at += kLongestSentence / 2) {
      if (all_in(text.substr(at, kLongestSentence))) return true;
      if (at + kLongestSentence >= text.size()) return false;
    }
  };
  // One line and the next: a sentence that is broken, or a command and what it says.
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    const std::size_t next = std::min(log.find('\n', std::min(end + 1, log.size())), log.size());
    if (near_one_another(log.substr(at, next - at))) return true;
    at = end + 1;
  }
  return false;
}

bool app_log_has(const Context& context, std::string_view text) {
  const std::string_view log = spoken_lower(context);
  const std::string wanted = lower(text), part = longest_part(wanted);
  // One search through all lines for the part that says most; its line then decides.
  for (std::size_t from = 0; from <= log.size();) {
    const void* hit = memmem(log.data() + from, log.size() - from, part.data(), part.size());
    if (hit == nullptr) return false;
    const auto at = static_cast<std::size_t>(static_cast<const char*>(hit) - log.data());
    const std::size_t end = std::min(log.find('\n', at), log.size());
    const std::size_t before = at == 0 ? log.npos : log.rfind('\n', at - 1);
    const std::size_t begin = before == log.npos ? 0 : before + 1;
    if (fits(wanted, log.substr(begin, end - begin))) return true;
    from = end + 1;
  }
  return false;
}

bool app_log_has_one(const Context& context, std::span<const std::string_view> texts) {
  return std::ranges::any_of(texts,
                             [&](std::string_view text) { return app_log_has(context, text); });
}

bool app_log_has_one(const Context& context, WordListName texts) {
  return app_log_has_one(context, context.db.knowledge().words(texts));
}

bool program_complains(const Context& context) {
  return std::ranges::any_of(app_errors(context), [](const AppError& error) {
    return !error.text->prose && !error.text->asks.empty();
  });
}

bool person_speaks(const Context& context) {
  const std::string& text = spoken(context);
  return said_by_a_person(context) && !is_content(context.db.knowledge(), text) &&
         !only_informs(text);
}

bool python_raised(const Context& context) {
  return app_log_has(context, "Traceback (most recent call last)");
}

bool someone_complains(const Context& context) {
  Memo& memo = memo_of(context);
  if (!memo.complained) {
    // A library that fails where rocvet ran it complains, whether its words are known or not.
    const bool fails_here = !deep_words(context.machine).empty() || !context.tests_said.empty();
    memo.complained = fails_here || person_speaks(context) || python_raised(context) ||
                      std::ranges::any_of(app_errors(context), [](const AppError& error) {
                        return !error.text->asks.empty();
                      });
  }
  return *memo.complained;
}

bool someone_complains_of(const Context& context, std::span<const std::string_view> things) {
  return someone_complains(context) && std::ranges::any_of(things, [&](std::string_view thing) {
           return speaks_of(context, thing);
         });
}

bool people_say(const Context& context, std::initializer_list<std::string_view> words) {
  return people_say(context, std::span(words.begin(), words.size()));
}

bool people_say(const Context& context, std::span<const std::string_view> words) {
  // What --deep ran is no person, though it says "killed" of what it ended itself.
  return !trim(given_log(context).rest).empty() && said_by_a_person(context) &&
         app_log_has_one(context, words);
}

}  // namespace rocvet
