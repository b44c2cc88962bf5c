#include "formats/told_version.h"

#include <algorithm>
#include <optional>
#include <span>

#include "base/text.h"

namespace rocvet {
namespace {

using Of = ToldVersion::Of;
using Words = std::span<const std::string_view>;

constexpr std::size_t kLongestSentence = 600;
constexpr std::size_t kMostSentences = 200;

bool says_one(std::string_view lower_text, Words of) {
  return std::ranges::any_of(of,
                             [&](std::string_view begins) { return has_word(lower_text, begins); });
}

// What speaks of a change; what says that it was for the worse; what says that all was well.
constexpr std::string_view kChange[] = {
    "since ",        "after ",         "updat",     "upgrad",      "downgrad",  "regress",
    "worked",        "works",          "working",   "used to",     "no longer", "broke",
    "stopped",       "bisect",         "revert",    "rolled back", "roll back", "introduced",
    "starting with", "beginning with", "as of ",    "newer",       "older",     "previous",
    "earlier",       "going back",     "went back", "back to "};
constexpr std::string_view kWell[] = {
    "works",        "worked",     "working",    "fine",     "is ok",    "was ok",      "okay",
    "stable",       "no issue",   "no problem", "downgrad", "revert",   "rolled back", "roll back",
    "rolling back", "going back", "went back",  "go back",  "back to ", "no crash",    "solved",
    "fixed",        "fixes",      "helps",      "last good"};
constexpr std::string_view kBadly[] = {
    "not work",   "n't work", "stopped working", "no longer work", "never worked", "not fixed",
    "not stable", "unstable", "not fix",         "not help",       "not solve",    "n't help",
    "n't fix",    "not fine", "broke",           "fail",           "crash",        "hang",
    "regress",    "freez"};

struct Name {
  std::string_view word;
  Of of;
};
constexpr Name kNames[] = {{"kernel", Of::kernel},
                           {"kernels", Of::kernel},
                           {"linux", Of::kernel},
                           {"linux-lts", Of::kernel},
                           {"linux-zen", Of::kernel},
                           {"linux-image", Of::kernel},
                           {"rocm", Of::rocm},
                           {"hip", Of::rocm},
                           {"amdrocm", Of::rocm},
                           {"rocm-hip-sdk", Of::rocm},
                           {"linux-firmware", Of::firmware},
                           {"linux-firmware-amdgpu", Of::firmware},
                           {"amd-gpu-firmware", Of::firmware},
                           {"firmware-amd-graphics", Of::firmware},
                           {"firmware", Of::firmware},
                           {"amdgpu-dkms", Of::driver_package},
                           {"dkms", Of::driver_package},
                           {"amdgpu", Of::driver_package},
                           {"amdgpu-pro", Of::driver_package}};
// What may stand between a name and its number.
constexpr std::string_view kBetween[] = {"version", "versions", "release", "to", "from", "is",
                                         "was",     "a",        "the",     "of", "at",   "on",
                                         "in",      "v",        "=",       "->", "and",  "or",
                                         "driver",  "series",   "ver",     "up", "with", "package"};

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

Of name_of(std::string_view word) {
  const auto found = std::ranges::find(kNames, word, &Name::word);
  return found == std::end(kNames) ? Of::unknown : found->of;
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
Of owner_of(Words words, std::size_t at) {
  for (std::size_t i = at; i-- > 0;) {
    const std::string_view word = bare(words[i]);
    if (const Of of = name_of(word); of != Of::unknown) return of;
    if (!contains(kBetween, word) && version_in(word, true).empty()) break;
  }
  const std::size_t behind = at + 1 < words.size() && words[at + 1] == "of" ? at + 2 : at + 1;
  return behind < words.size() ? name_of(bare(words[behind])) : Of::unknown;
}

/// Whether the clause says of the number that all is or was well with it.
bool is_well(std::string_view clause, Words words, std::size_t at) {
  constexpr std::string_view kMoves[] = {"updat", "upgrad", "moved", "switch", "went from", "bump"};
  constexpr std::string_view kBack[] = {"downgrad", "revert", "rolled back", "rolling back",
                                        "roll back"};
  for (std::size_t i = at; i-- > 0 && i + 4 > at;) {
    const std::string_view word = bare(words[i]);
    if (word == "from") return !says_one(clause, kBack) && says_one(clause, kMoves);
    if (word == "to") {
      if (says_one(clause, kBack)) return true;
      if (says_one(clause, kMoves)) return false;
    }
    if (word == "since" || word == "after") return false;
  }
  return says_one(clause, kWell) && !says_one(clause, kBadly);
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

void add_versions(const std::string& sentence, std::vector<ToldVersion>& told) {
  const std::string low = lower(sentence);
  if (!says_one(low, kChange)) return;
  Of last = Of::unknown;
  for (const std::string_view clause : clauses_of(low)) {
    const std::vector<std::string_view> list = words(clause);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Of of = owner_of(list, i);
      const std::string_view version = version_in(bare(list[i]), of != Of::unknown);
      if (version.empty()) continue;
      if (of != Of::unknown) last = of;
      told.push_back({of != Of::unknown ? of : last, std::string(version), is_well(clause, list, i),
                      sentence});
    }
  }
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

std::vector<ToldVersion> told_versions(std::string_view text) {
  std::vector<ToldVersion> told;
  std::string sentence;
  std::size_t sentences = 0;
  const auto finish = [&] {
    if (!sentence.empty() && sentence.size() <= kLongestSentence && ++sentences <= kMostSentences)
      add_versions(sentence, told);
    sentence.clear();
  };
  each_line(text, [&](std::string_view raw) {
    const std::string_view line = trim(raw);
    if (line.empty() || opens_anew(line)) finish();
    if (line.size() > kLongestSentence) return;
    // The kernel says which it is, and blames nobody.
    if (line.find(" Linux version ") != line.npos) return finish();
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
