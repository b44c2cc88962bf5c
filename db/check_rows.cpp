#include "db/check_rows.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/step.h"
#include "base/text.h"
#include "check_names.h"
#include "db/condition_names.h"
#include "db/fact_names.h"
#include "db/rows.h"
#include "formats/message_template.h"

namespace rocvet::db {
namespace {

using Names = std::vector<std::string>;
using Gaps = std::vector<std::string_view>;

constexpr std::string_view kOfNumbers[] = {"eq",       "ne",         "lt",       "gt",
                                           "bits_set", "bits_clear", "no_number"};
constexpr std::string_view kOfTexts[] = {"in", "not_in", "starts_with", "any_case"};

/// "db/checks/driver.toml:12:1" and "fix 15:7;…" to "db/checks/driver.toml:15:7".
std::string position(const std::string& where, std::string_view places, std::string_view key) {
  const std::string file = where.substr(0, where.rfind(':', where.rfind(':') - 1));
  for (const std::string_view place : split(places, ';')) {
    const std::size_t blank = place.find(' ');
    if (blank == place.npos || place.substr(0, blank) != key) continue;
    return file + ":" + std::string(place.substr(blank + 1));
  }
  return where;
}

bool has(const auto& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

Names copies(const auto& names) {
  return {std::begin(names), std::end(names)};
}

class RowChecker {
 public:
  explicit RowChecker(const Tables& tables)
      : tables_(tables), checks_(tables), bads_(tables), observations_(tables) {
    for (std::size_t i = 0; i < observations_.size(); ++i)
      observed_[observations_.get(i, "id")] = observations_.get(i, "check");
    for (std::size_t i = 0; i < bads_.size(); ++i) bad_of_[bads_.get(i, "of")].push_back(i);
  }

  std::vector<Problem> problems() {
    for (const CheckInCode& check : kChecksInCode) {
      codes_[std::string(check.code)] = check.file;
      ids_[std::string(check.id)] = check.file;
    }
    for (row_ = 0; row_ < checks_.size(); ++row_) {
      names();
      conditions();
      outcome();
      bad_values();
      sentences();
      manual();
    }
    return std::move(problems_);
  }

 private:
  const std::string& cell(ColumnOf<"check"> column) const { return checks_.get(row_, column); }

  void complain(std::string_view key, const std::string& what) {
    problems_.push_back({position(cell("where"), cell("places"), key), what});
  }
  void complain_of_bad(std::size_t bad, std::string_view key, const std::string& what) {
    problems_.push_back({position(bads_.get(bad, "where"), bads_.get(bad, "places"), key), what});
  }

  void names() {
    const std::string &code = cell("code"), &id = cell("id");
    if (!code.starts_with("RV") || !parse_number(std::string_view(code).substr(2)))
      complain("code", "'" + code + "' is no code such as RV233");
    if (id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos)
      complain("id", "'" + id + "' is no id of small letters, digits and dashes");
    const auto alone = [&](std::map<std::string, std::string>& seen, std::string_view key,
                           const std::string& name) {
      const auto [other, fresh] = seen.try_emplace(name, cell("where"));
      if (!fresh) complain(key, "'" + name + "' is also that of the check at " + other->second);
    };
    alone(codes_, "code", code);
    alone(ids_, "id", id);
  }

  void conditions() {
    const auto look = [&](std::string_view key, std::string_view list) {
      for (std::string_view word : list_items(list)) {
        word.remove_prefix(word.starts_with('!') ? 1 : 0);
        if (!has(kConditionNames, word))
          complain(key, "no condition '" + std::string(word) + "'" +
                            did_you_mean(word, copies(kConditionNames)));
      }
    };
    look("needs", cell("needs"));
    look("matters_if", cell("matters_if"));
  }

  void outcome() {
    constexpr std::string_view kAsks[] = {"root", "reboot", "login"};
    for (const std::string_view asked : list_items(cell("asks"))) {
      if (!has(kAsks, asked))
        complain("asks", "'asks' takes root, reboot and login, not '" + std::string(asked) + "'");
    }
    if (!cell("said").empty() && cell("verdict") != "pass")
      complain("said", "'said' makes a pass a warning, and this is none");
    const std::string& sees = cell("sees");
    if (sees.empty()) return;
    const auto found = observed_.find(sees);
    if (found == observed_.end()) {
      Names known;
      for (const auto& [name, check] : observed_) known.push_back(name);
      complain("sees", "no observation '" + sees + "'" + did_you_mean(sees, known));
    } else if (found->second != cell("id")) {
      complain("sees", "'" + sees + "' is an observation of '" + found->second + "'");
    }
  }

  void bad_values() {
    const auto found = bad_of_.find(cell("id"));
    if (found == bad_of_.end()) {
      complain("id", "[[check]] without 'bad'");
      return;
    }
    bool events = false;
    for (const std::size_t bad : found->second) {
      const auto fact = parse_fact_name(bads_.get(bad, "fact"));
      if (!fact) {
        unknown_fact(bad);
        continue;
      }
      events |= fact->type == FactType::events;
      comparisons(bad, *fact);
    }
    if (events) {
      // The messages bring their own.
      for (const char* key : {"verdict", "says", "sees", "fix", "remedy"}) {
        const std::size_t column = *tables()[kTableIndex<"check">].column(key);
        if (!tables_.rows[kTableIndex<"check">][row_][column].empty())
          complain(key, "'" + std::string(key) + "' is the messages' own");
      }
      if (found->second.size() > 1) complain("bad", "a topic of the kernel's log stands alone");
      return;
    }
    if (cell("verdict").empty()) complain("id", "[[check]] without 'verdict'");
    if (cell("says").empty()) complain("id", "[[check]] without 'says'");
    remedy(found->second);
  }

  void unknown_fact(std::size_t bad) {
    const std::string& name = bads_.get(bad, "fact");
    const Names like = fact_names_like(name);
    const std::string hint = did_you_mean(name, like);
    complain_of_bad(bad, "fact",
                    "no fact '" + name + "'" +
                        (hint.empty() && !like.empty() ? "; there is " + join(like, ", ") : hint));
  }

  void comparisons(std::size_t bad, const FactName& fact) {
    const auto given = [&](std::string_view key) {
      const std::size_t column = *tables()[kTableIndex<"bad">].column(key);
      return !tables_.rows[kTableIndex<"bad">][bad][column].empty();
    };
    const std::string& name = bads_.get(bad, "fact");
    std::size_t count = 0;
    const auto refuse = [&](std::string_view key, const std::string& why) {
      if (given(key)) complain_of_bad(bad, key, "'" + std::string(key) + "' " + why);
    };
    for (const std::string_view key : kOfNumbers) {
      count += given(key) ? 1 : 0;
      if (fact.type != FactType::number) refuse(key, "is for numbers, and " + name + " is none");
      if (key != "no_number" && fact.type == FactType::number) whole(bad, key);
    }
    for (const std::string_view key : kOfTexts) {
      count += given(key) && key != "any_case" ? 1 : 0;
      if (fact.type != FactType::text) refuse(key, "is for texts, and " + name + " is none");
    }
    const bool compares = fact.type == FactType::text || fact.type == FactType::number;
    if (compares && count == 0 && !given("set"))
      complain_of_bad(bad, "fact", "nothing says which values of " + name + " are bad");
    if (!compares) refuse("set", "is not for " + name + ", which is bad by being there");
  }

  void whole(std::size_t bad, std::string_view key) {
    const std::size_t column = *tables()[kTableIndex<"bad">].column(key);
    const std::string& text = tables_.rows[kTableIndex<"bad">][bad][column];
    if (!text.empty() && !parse_signed_number(text))
      complain_of_bad(bad, key, "'" + std::string(key) + "' takes a whole number");
  }

  void remedy(const std::vector<std::size_t>& bads) {
    if (cell("remedy").empty()) return;
    const bool of_variables = cell("remedy") == "unset-variable";
    for (const std::size_t bad : bads) {
      const auto fact = parse_fact_name(bads_.get(bad, "fact"));
      if (!fact) continue;
      const bool variable =
          fact->kind == FactKind::variable || fact->kind == FactKind::variable_number;
      const bool parameter = fact->kind == FactKind::option || fact->kind == FactKind::argument;
      if (!(of_variables ? variable : parameter))
        complain("remedy", "'" + cell("remedy") + "' is no remedy of " + bads_.get(bad, "fact"));
    }
  }

  /// The gaps that a sentence of this row may have.
  Gaps gaps() const {
    Gaps names = {"name", "value"};
    const auto found = bad_of_.find(cell("id"));
    if (found == bad_of_.end()) return names;
    const bool odd = std::all_of(found->second.begin(), found->second.end(), [&](std::size_t bad) {
      const auto fact = parse_fact_name(bads_.get(bad, "fact"));
      return fact && fact->type == FactType::odd;
    });
    if (odd) names.push_back("usual");
    return names;
  }

  void sentence(std::string_view key, std::string_view text, const Gaps& known, bool step) {
    for (const std::string_view gap : gaps_of(text)) {
      if (!has(known, gap))
        complain(key, "'" + std::string(key) + "' has {" + std::string(gap) + "}, which is no gap" +
                          did_you_mean(gap, copies(known)));
    }
    if (step && gap_in_quotes(text))
      complain(key, "'" + std::string(key) + "' has a gap inside quotes: " + std::string(text));
    if (step && text.find('\n') != text.npos)
      complain(key, "a step of '" + std::string(key) + "' is one line");
  }

  void sentences() {
    const Gaps known = gaps();
    sentence("says", cell("says"), known, false);
    for (const std::string_view step : list_items(cell("fix"))) sentence("fix", step, known, true);
    sentence("verify", cell("verify"), known, true);
    sentence("undo", cell("undo"), known, true);
    const auto found = bad_of_.find(cell("id"));
    if (found == bad_of_.end()) return;
    for (const std::size_t bad : found->second) {
      for (const std::string_view gap : gaps_of(bads_.get(bad, "saw"))) {
        if (!has(known, gap))
          complain_of_bad(bad, "saw",
                          "'saw' has {" + std::string(gap) + "}, which is no gap" +
                              did_you_mean(gap, copies(known)));
      }
    }
    // A good value is told where there always is one.
    const auto fact = parse_fact_name(bads_.get(found->second.front(), "fact"));
    const bool always = found->second.size() == 1 && fact &&
                        (fact->kind == FactKind::sysctl || fact->kind == FactKind::setting);
    sentence("good", cell("good"), always ? Gaps{"name", "value"} : Gaps{}, false);
  }

  void manual() {
    std::size_t at = 0;
    for (const std::string_view heading : kManualHeadings) {
      const std::size_t found = cell("doc").find(heading, at);
      if (found == std::string::npos) {
        complain("doc", "the manual has no '" + std::string(heading) + "'" +
                            (at > 0 ? " after the headings before it" : ""));
        return;
      }
      at = found;
    }
    if (cell("doc").find("https://", at) == std::string::npos)
      complain("doc", "the manual has no address under '## References'");
  }

  const Tables& tables_;
  const Rows<"check"> checks_;
  const Rows<"bad"> bads_;
  const Rows<"observation"> observations_;
  std::map<std::string, std::string> observed_;  ///< the check of each
  std::map<std::string, std::vector<std::size_t>> bad_of_;
  std::map<std::string, std::string> codes_, ids_;  ///< and where they are
  std::vector<Problem> problems_;
  std::size_t row_ = 0;
};

}  // namespace

std::vector<Problem> check_rows(const Tables& tables) {
  return RowChecker(tables).problems();
}

}  // namespace rocvet::db
