#include "checks/logs/told_version.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "base/text.h"

namespace rocvet {
namespace {

using Of = ToldVersion::Of;
using Words = std::span<const std::string_view>;

constexpr std::size_t kLongestSentence = 600;
constexpr std::size_t kMostSentences = 200;
constexpr std::size_t kShortLine = 50;

bool says_one(std::string_view lower_text, Words of) {
  return std::ranges::any_of(of,
                             [&](std::string_view begins) { return has_word(lower_text, begins); });
}

/// What names the same thing.
struct VersionNames {
  Of of;
  Words words;
};

/// The words of db/word_lists.toml by which all this is told.
struct Lists {
  explicit Lists(const Knowledge& knowledge)
      : change(knowledge.words("told-change")),
        well(knowledge.words("told-well")),
        badly(knowledge.words("told-badly")),
        no_fault(knowledge.words("told-no-fault")),
        denials(knowledge.words("told-denials")),
        between(knowledge.words("told-between")),
        on(knowledge.words("told-moves-on")),
        back(knowledge.words("told-moves-back")),
        before_update(knowledge.words("told-before-update")),
        turns(knowledge.words("told-turns")),
        names{{{Of::kernel, knowledge.words("names-of-the-kernel")},
               {Of::rocm, knowledge.words("names-of-rocm")},
               {Of::firmware, knowledge.words("names-of-firmware")},
               {Of::driver_package, knowledge.words("names-of-the-driver-package")}}} {}

  Words change, well, badly, no_fault, denials, between, on, back, before_update, turns;
  std::array<VersionNames, 4> names;
};

bool contains(Words of, std::string_view word) {
  return std::ranges::find(of, word) != of.end();
}

/// A word without the marks around it.
std::string_view bare(std::string_view word) {
  constexpr std::string_view kMarks = ".,;:!?()[]{}\"'`*<>";
  while (!word.empty() && kMarks.find(word.front()) != kMarks.npos) word.remove_prefix(1);
  while (!word.empty() && kMarks.find(word.back()) != kMarks.npos) word.remove_suffix(1);
  return word;
}

Of named_by(const Lists& lists, std::string_view word) {
  for (const VersionNames& names : lists.names) {
    if (contains(names.words, word)) return names.of;
  }
  return Of::unknown;
}

/// "6.8", "v6.8.0-45", "20250808"; with `named`, a number of one or two digits too ("ROCm 7").
std::string_view version_in(std::string_view word, bool named) {
  if (word.size() > 1 && word.front() == 'v' && is_digit(word[1])) word.remove_prefix(1);
  if (word.empty() || !is_digit(word.front()) || word.size() > 60) return "";
  const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  const bool dotted = digits < word.size() - 1 && word[digits] == '.' && is_digit(word[digits + 1]);
  if (dotted) return word.ends_with(".x") ? word.substr(0, word.size() - 2) : word;
  if (digits != word.size()) return "";
  return digits == 8 || (named && digits <= 2) ? word : "";
}

/// What the number is of, by the nearest name before it, else right behind it.
Of owner_of(const Lists& lists, Words words, std::size_t at) {
  for (std::size_t i = at; i-- > 0;) {
    const std::string_view word = bare(words[i]);
    if (const Of of = named_by(lists, word); of != Of::unknown) return of;
    if (!contains(lists.between, word) && version_in(word, true).empty()) break;
  }
  const std::size_t behind = at + 1 < words.size() && words[at + 1] == "of" ? at + 2 : at + 1;
  return behind < words.size() ? named_by(lists, bare(words[behind])) : Of::unknown;
}

enum class Judgement { none, well, badly };

/// What a clause says of all that stands in it.
Judgement verdict_of_clause(const Lists& lists, std::string_view clause) {
  std::string_view end = clause;
  while (!end.empty() && (end.back() == '.' || end.back() == '!' || end.back() == ' '))
    end.remove_suffix(1);
  const bool denies = std::ranges::any_of(
      lists.denials, [&](std::string_view denial) { return end.ends_with(denial); });
  if (denies) return Judgement::badly;
  if (says_one(clause, lists.no_fault)) return Judgement::well;
  if (says_one(clause, lists.badly)) return Judgement::badly;
  return says_one(clause, lists.well) ? Judgement::well : Judgement::none;
}

/// What the words before the number say of it: "downgraded to 6.8", "upgraded from 6.8".
Judgement moved(const Lists& lists, std::string_view clause, Words words, std::size_t at) {
  constexpr std::size_t kReach = 3;
  for (std::size_t end = at; end > 0 && end + kReach > at; --end) {
    const std::size_t i = end - 1;
    const std::string_view word = bare(words[i]);
    if (word == "from") {
      if (i > 0 && bare(words[i - 1]) == "regression") return Judgement::well;
      const bool left = !says_one(clause, lists.back) && says_one(clause, lists.on);
      return left ? Judgement::well : Judgement::badly;
    }
    if (word == "to") {
      if (says_one(clause, lists.back)) return Judgement::well;
      if (says_one(clause, lists.on)) return Judgement::badly;
    }
    if (word == "since" || word == "after") return Judgement::badly;
  }
  return Judgement::none;
}

bool has_version(std::string_view clause) {
  return std::ranges::any_of(
      words(clause), [](std::string_view word) { return !version_in(bare(word), false).empty(); });
}

/// Whether all is or was well with the number: by what stands before it, else by its clause, else
/// by the next one that says anything and has no number of its own ("6.2 (of June), which works").
bool is_well(const Lists& lists, const std::vector<std::string_view>& clauses, std::size_t clause,
             Words words, std::size_t at) {
  Judgement verdict = moved(lists, clauses[clause], words, at);
  if (verdict == Judgement::none) verdict = verdict_of_clause(lists, clauses[clause]);
  for (std::size_t next = clause + 1; verdict == Judgement::none && next < clauses.size(); ++next) {
    if (has_version(clauses[next])) break;
    verdict = verdict_of_clause(lists, clauses[next]);
  }
  return verdict == Judgement::well;
}

/// At marks and words that set one statement against another.
std::vector<std::string_view> clauses_of(std::string_view sentence) {
  constexpr std::string_view kParts[] = {", ", "; ",        " but ",    " while ",    " whereas ",
                                         " (", " however ", " though ", " although ", " then "};
  std::vector<std::string_view> clauses;
  while (!sentence.empty()) {
    std::size_t end = sentence.size(), next = sentence.size();
    for (const std::string_view part : kParts) {
      const std::size_t at = sentence.find(part);
      if (at < end) {
        end = at;
        next = at + part.size();
      }
    }
    clauses.push_back(sentence.substr(0, end));
    sentence.remove_prefix(next);
  }
  return clauses;
}

/// "kernel-7.2.0-202", "rocm6.2", "2.4.1+rocm6.1": a name and its number in one word.
Of glued(const Lists& lists, std::string_view word, std::string_view& version) {
  for (const VersionNames& names : lists.names) {
    for (const std::string_view name : names.words) {
      std::size_t at = word.find(name);
      if (at == word.npos || (at > 0 && word[at - 1] != '+')) continue;
      at += name.size();
      if (at < word.size() && (word[at] == '-' || word[at] == '=' || word[at] == '_')) ++at;
      version = at < word.size() ? version_in(word.substr(at), false) : "";
      if (!version.empty()) return names.of;
    }
  }
  return Of::unknown;
}

/// "6.10-rc2", "6.9rc7": candidates of Linux have no third number.
bool is_candidate_of_linux(std::string_view version) {
  const std::size_t candidate = version.find("rc");
  if (candidate == version.npos || candidate == 0) return false;
  std::string_view number = version.substr(0, candidate);
  if (number.ends_with('-')) number.remove_suffix(1);
  return std::ranges::count(number, '.') == 1 && is_digit(number.back());
}

/// The only thing that a sentence names; unknown when it names none or several.
Of only_name(const Lists& lists, std::string_view sentence) {
  Of only = Of::unknown;
  for (const std::string_view word : words(sentence)) {
    const Of of = named_by(lists, bare(word));
    if (of == Of::unknown || of == only) continue;
    if (only != Of::unknown) return Of::unknown;
    only = of;
  }
  return only;
}

/// `low`: the sentence in lower case.
void add_versions(const Lists& lists, const std::string& sentence, const std::string& low,
                  std::vector<ToldVersion>& told) {
  if (!says_one(low, lists.change)) return;
  const std::vector<std::string_view> clauses = clauses_of(low);
  const Of only = only_name(lists, low);
  Of last = Of::unknown;
  for (std::size_t clause = 0; clause < clauses.size(); ++clause) {
    const std::vector<std::string_view> list = words(clauses[clause]);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string_view word = bare(list[i]);
      std::string_view version;
      Of of = glued(lists, word, version);
      if (version.empty()) {
        of = owner_of(lists, list, i);
        version = version_in(word, of != Of::unknown);
      }
      if (version.empty()) continue;
      // "after updating my ROCm setup to v2.0"
      const std::string_view before = i > 0 ? bare(list[i - 1]) : "";
      if (of == Of::unknown && (i == 0 || before == "to" || before == "from")) of = only;
      if (of == Of::unknown && is_candidate_of_linux(version)) of = Of::kernel;
      if (of != Of::unknown) last = of;
      told.push_back({of != Of::unknown ? of : last, std::string(version),
                      is_well(lists, clauses, clause, list, i), sentence});
    }
  }
}

/// What a sentence that names no number speaks of: what is named first of these, whatever else it
/// names ("linux-firmware: a regression in amdgpu").
Of blamed_of(const Lists& lists, std::string_view sentence) {
  for (const Of of : {Of::firmware, Of::rocm, Of::kernel, Of::driver_package}) {
    for (const std::string_view word : words(sentence)) {
      std::string_view name = bare(word);
      if (name.ends_with("'s")) name.remove_suffix(2);
      if (named_by(lists, name) == of) return of;
    }
  }
  return Of::unknown;
}

/// "since the last system update", "after an upgrade": of all that is here, or of what the sentence
/// names; not "after updating ollama to 0.12", whose fault would be ollama's.
bool since_an_update(const Lists& lists, std::string_view low) {
  const std::vector<std::string_view> list = words(low);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] != "since" && list[i] != "after") continue;
    std::size_t at = i + 1;
    while (at < list.size() && (contains(lists.before_update, bare(list[at])) ||
                                named_by(lists, bare(list[at])) != Of::unknown))
      ++at;
    if (at == list.size()) continue;
    const std::string_view word = bare(list[at]);
    if (!word.starts_with("updat") && !word.starts_with("upgrad")) continue;
    const bool ends = at + 1 == list.size() || word.size() < list[at].size();
    const std::string_view next = ends ? "" : bare(list[at + 1]);
    const bool of_what = next == "to" || next == "from" || word.ends_with("ing") ||
                         (word.ends_with("ed") && next != "the" && next != "my");
    if (!of_what || blamed_of(lists, low) != Of::unknown) return true;
  }
  return false;
}

/// Whether a sentence says that it became worse: "since the update", "a regression in", "stopped
/// working".
bool tells_of_a_turn(const Lists& lists, std::string_view low) {
  return says_one(low, lists.turns) || since_an_update(lists, low);
}

/// A statement that names no number: without a version, of what is here.
void add_unnumbered(const Lists& lists, const std::string& sentence, const std::string& low,
                    std::vector<ToldVersion>& told) {
  if (!tells_of_a_turn(lists, low)) return;
  told.push_back({blamed_of(lists, low), "", false, sentence});
}

/// "Kernel: 6.8.0": a line of a list of facts, in which nobody says anything.
bool is_fact(std::string_view line) {
  const std::size_t colon = line.find(": ");
  return colon != line.npos && colon < 24 && line.substr(0, colon).find(". ") == line.npos;
}

/// A line that opens a new statement: a list, a heading, a shell's prompt, a quotation.
bool opens_anew(std::string_view line) {
  return is_fact(line) || line.starts_with("- ") || line.starts_with("* ") ||
         line.starts_with('#') || line.starts_with('>') || line.starts_with("$ ") ||
         line.starts_with('[');
}

}  // namespace

std::vector<ToldVersion> told_versions(std::string_view text, const Knowledge& knowledge) {
  const Lists lists(knowledge);
  std::vector<ToldVersion> told;
  std::string sentence;
  std::size_t sentences = 0;
  bool short_above = false;  // nobody breaks a sentence so early: a statement of its own
  const auto finish = [&] {
    if (!sentence.empty() && sentence.size() <= kLongestSentence && ++sentences <= kMostSentences) {
      const std::string low = lower(sentence);
      const std::size_t before = told.size();
      add_versions(lists, sentence, low, told);
      if (told.size() == before) add_unnumbered(lists, sentence, low, told);
    }
    sentence.clear();
  };
  each_line(text, [&](std::string_view raw) {
    const std::string_view line = trim(raw);
    if (line.empty() || opens_anew(line)) finish();
    if (line.size() > kLongestSentence) return;
    // The kernel says which it is, and blames nobody.
    if (line.find(" Linux version ") != line.npos) return finish();
    if (short_above && !sentence.empty()) sentence += ';';
    short_above = line.size() < kShortLine;
    for (const std::string_view word : words(line)) {
      if (!sentence.empty()) sentence += ' ';
      sentence += word;
      if (word.ends_with('.') || word.ends_with('!') || word.ends_with('?')) finish();
    }
    if (is_fact(line)) finish();
  });
  finish();
  return told;
}

bool is_of_version(std::string_view here, std::string_view told) {
  if (told.empty() || !here.starts_with(told)) return false;
  return here.size() == told.size() || !is_digit(here[told.size()]);
}

}  // namespace rocvet
