#include "db/check_knowledge.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "check_names.h"
#include "db/check_rows.h"
#include "db/rows.h"
#include "formats/kernel_head.h"
#include "formats/kernel_message.h"
#include "formats/message_index.h"
#include "formats/program_index.h"

namespace rocvet::db {
namespace {

using Names = std::vector<std::string>;
using Complain = std::function<void(const std::string& where, std::string what)>;

template <TableName kName>
Names ids_of(const Rows<kName>& rows, const Complain& complain) {
  Names ids;
  std::map<std::string, std::string> seen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto [other, fresh] = seen.try_emplace(rows.get(i, "id"), rows.get(i, "where"));
    if (!fresh)
      complain(rows.get(i, "where"), "'" + rows.get(i, "id") + "' is also at " + other->second);
    ids.push_back(rows.get(i, "id"));
  }
  return ids;
}

void want(const Names& names, std::string_view name, std::string_view kind,
          const std::string& where, const Complain& complain) {
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  complain(where, "no " + std::string(kind) + " '" + std::string(name) + "'" +
                      did_you_mean(std::string(name), names));
}

/// Ids of the checks that are C++ and of those that are rows.
Names check_ids(const Tables& tables) {
  Names ids;
  for (const CheckInCode& check : kChecksInCode) ids.emplace_back(check.id);
  const Rows<"check"> rows(tables);
  for (std::size_t i = 0; i < rows.size(); ++i) ids.push_back(rows.get(i, "id"));
  return ids;
}

/// A line of a log without its stamp: "[   12.3] ", "Nov 20 10:00:00 host kernel: ".
std::string_view without_stamp(std::string_view line) {
  take_stamp(line);
  if (take_syslog_head(line)) take_stamp(line);
  return line;
}

void check_messages(const Tables& tables, const Complain& complain) {
  const Rows<"event"> rows(tables);
  std::vector<MessageIndex::Entry> entries;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::string_view text : list_items(rows.get(i, "text"))) {
      auto parsed = MessageTemplate::parse(text);
      if (!parsed) {
        complain(rows.get(i, "where"), parsed.error().text());
        continue;
      }
      for (const std::string_view gap : gaps_of(rows.get(i, "means"))) {
        const auto& parts = parsed->parts();
        if (std::none_of(parts.begin(), parts.end(),
                         [&](const auto& part) { return part.name == gap; }))
          complain(rows.get(i, "where"), "'means' has {" + std::string(gap) + "}, which '" +
                                             std::string(text) + "' lacks");
      }
      entries.push_back({i, std::move(*parsed)});
    }
  }
  const MessageIndex index(std::move(entries));
  const auto row_of = [&](std::string_view line) {
    const MessageIndex::Entry* found = index.match(message_of(without_stamp(line)));
    return found == nullptr ? rows.size() : found->owner;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::string_view hit : list_items(rows.get(i, "hit"))) {
      const std::size_t found = row_of(hit);
      if (found == i) continue;
      complain(rows.get(i, "where"),
               "its 'hit' is " +
                   (found == rows.size() ? std::string("no message: ")
                                         : "'" + rows.get(found, "id") + "': ") +
                   std::string(hit));
    }
    for (const std::string_view near : list_items(rows.get(i, "near"))) {
      if (row_of(near) == i)
        complain(rows.get(i, "where"), "its 'near' fits: " + std::string(near));
    }
  }
}

/// What people say: one text with stars, and no more.
void check_prose(const Rows<"text">& rows, std::size_t i, const Complain& complain) {
  const std::string& where = rows.get(i, "where");
  if (list_items(rows.get(i, "text")).size() != 1) complain(where, "people's words are one text");
  for (const std::string& given : {rows.get(i, "hit"), rows.get(i, "near"), rows.get(i, "origin"),
                                   rows.get(i, "anywhere"), rows.get(i, "outcome")}) {
    if (!given.empty()) {
      complain(where,
               "'hit', 'near', 'origin', 'anywhere' and 'outcome' are of a program's message");
      break;
    }
  }
  if (rows.get(i, "source").empty()) complain(where, "people's words without 'source'");
}

/// "owner/repo@version path"
bool is_origin(std::string_view origin) {
  const std::size_t slash = origin.find('/'), at = origin.find('@'), blank = origin.find(' ');
  return slash != origin.npos && slash > 0 && at != origin.npos && slash + 1 < at &&
         blank != origin.npos && at + 1 < blank && blank + 1 < origin.size();
}

/// Where a program's message is from, and what a row must have beside its text.
void check_origin(const Rows<"text">& rows, std::size_t i, const Complain& complain) {
  const std::string& where = rows.get(i, "where");
  const std::string& origin = rows.get(i, "origin");
  const bool threads = rows.get(i, "basis") == "threads";
  if (threads && !origin.empty()) complain(where, "a wording of threads has no 'origin'");
  if (threads && rows.get(i, "source").empty()) complain(where, "a wording without 'source'");
  if (!threads && !is_origin(origin)) {
    complain(where, "'origin' is not 'owner/repo@version path': '" + origin +
                        "' (basis = \"threads\" where no source is known)");
  }
  if (rows.get(i, "anywhere") == "true" && rows.get(i, "note").empty())
    complain(where, "'anywhere' without a 'note' that says why");
}

/// What people's words make an observation is one of the check that reads them.
void check_sees(const Tables& tables, const Complain& complain) {
  std::set<std::string> seen;
  const Rows<"observation"> observations(tables);
  for (std::size_t i = 0; i < observations.size(); ++i) {
    if (observations.get(i, "check") == "said-to-fail") seen.insert(observations.get(i, "id"));
  }
  const Rows<"text"> texts(tables);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string& sees = texts.get(i, "sees");
    if (sees.empty()) continue;
    if (texts.get(i, "prose") != "true")
      complain(texts.get(i, "where"), "'sees' is of people's words: a message is a sign itself");
    if (!seen.contains(sees))
      complain(texts.get(i, "where"), "'" + sees + "' is no observation of said-to-fail");
  }
}

void check_texts(const Tables& tables, const Complain& complain) {
  const Rows<"text"> rows(tables);
  std::vector<ProgramIndex::Entry> entries;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows.get(i, "prose") == "true") {
      check_prose(rows, i, complain);
      continue;
    }
    check_origin(rows, i, complain);
    for (const std::string_view text : list_items(rows.get(i, "text"))) {
      auto parsed = MessageTemplate::parse(text);
      if (!parsed) {
        complain(rows.get(i, "where"), parsed.error().text());
        continue;
      }
      entries.push_back({i, std::move(*parsed), rows.get(i, "anywhere") == "true"});
    }
  }
  const ProgramIndex index(std::move(entries));
  // What the last of some lines is.
  const auto row_of = [&](std::string_view lines) {
    const std::size_t end = lines.rfind('\n');
    const long found = end == lines.npos ? index.find("", lines)
                                         : index.find(lines.substr(0, end), lines.substr(end + 1));
    return found < 0 ? rows.size() : static_cast<std::size_t>(found);
  };
  const auto told = [&](std::size_t row) {
    return row == rows.size() ? std::string("no text") : "'" + rows.get(row, "id") + "'";
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::string_view hit : list_items(rows.get(i, "hit"))) {
      if (const std::size_t found = row_of(hit); found != i) {
        complain(rows.get(i, "where"), "its 'hit' is " + told(found) + ": " + std::string(hit));
      }
    }
    for (const std::string_view near : list_items(rows.get(i, "near"))) {
      if (row_of(near) == i)
        complain(rows.get(i, "where"), "its 'near' fits: " + std::string(near));
    }
  }
}

/// The messages that signatures of known defects name.
void check_signatures(const Tables& tables, const Names& events, const Names& texts,
                      const Complain& complain) {
  const Rows<"issue"> issues(tables);
  for (std::size_t i = 0; i < issues.size(); ++i) {
    const std::string& where = issues.get(i, "where");
    const auto signatures = list_items(issues.get(i, "signatures"));
    for (const std::string_view signature : signatures) {
      if (signature.starts_with("kernel."))
        want(events, signature.substr(7), "message of the kernel", where, complain);
      if (signature.starts_with("text.")) want(texts, signature.substr(5), "text", where, complain);
    }
    if (issues.get(i, "generic") == "true" && signatures.empty())
      complain(where, "'generic' without 'signatures'");
    if (issues.get(i, "framework").empty() != issues.get(i, "versions").empty())
      complain(where, "'framework' and 'versions' go together");
  }
}

/// A cause that brings about itself, by way of others.
void check_circles(const Rows<"cause">& causes, const Complain& complain) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < causes.size(); ++i) places[causes.get(i, "id")] = i;
  for (std::size_t start = 0; start < causes.size(); ++start) {
    std::vector<std::size_t> open = {start};
    std::set<std::size_t> seen;
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (const std::string_view next : list_items(causes.get(at, "explains"))) {
        const auto place = places.find(std::string(next));
        if (place == places.end()) continue;
        if (place->second == start) {
          complain(causes.get(start, "where"), "'" + causes.get(start, "id") +
                                                   "' explains itself, by way of '" +
                                                   causes.get(at, "id") + "'");
          open.clear();
          break;
        }
        if (seen.insert(place->second).second) open.push_back(place->second);
      }
    }
  }
}

}  // namespace

std::vector<Problem> check_knowledge(const Tables& tables) {
  std::vector<Problem> problems;
  const Complain complain = [&](const std::string& where, std::string what) {
    problems.push_back({where, std::move(what)});
  };
  const Rows<"cause"> causes(tables);
  const Rows<"sign"> signs(tables);
  const Rows<"event"> events(tables);
  const Rows<"text"> texts(tables);
  const Rows<"observation"> observations(tables);
  const Names cause_ids = ids_of(causes, complain), event_ids = ids_of(events, complain),
              text_ids = ids_of(texts, complain), observed = ids_of(observations, complain),
              checks = check_ids(tables);
  std::set<std::string> used, prose;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts.get(i, "prose") != "true") continue;
    prose.insert(texts.get(i, "id"));
    for (const std::string_view one : list_items(texts.get(i, "text"))) {
      if (one.find_first_not_of("* ") == one.npos)
        complain(texts.get(i, "where"), "'" + std::string(one) + "' would be every line");
    }
  }
  std::map<std::string, bool> beyond_words;  // of each cause, whether more than words show it
  for (std::size_t i = 0; i < signs.size(); ++i) {
    const std::string& saw = signs.get(i, "saw");
    const std::string& where = signs.get(i, "where");
    used.insert(saw);
    beyond_words[signs.get(i, "of")] |= !saw.starts_with("text.");
    if (saw.starts_with("kernel.")) {
      want(event_ids, saw.substr(7), "message of the kernel", where, complain);
    } else if (saw.starts_with("text.")) {
      want(text_ids, saw.substr(5), "text", where, complain);
      if (prose.contains(saw.substr(5)))
        complain(where, "'" + saw + "' is people's words, and those are no sign");
    } else if (saw.starts_with("check.")) {
      want(checks, saw.substr(6), "check", where, complain);
    } else {
      want(observed, saw, "observation", where, complain);
    }
  }
  for (std::size_t i = 0; i < causes.size(); ++i) {
    const std::string& where = causes.get(i, "where");
    for (const std::string_view other : list_items(causes.get(i, "explains")))
      want(cause_ids, other, "cause", where, complain);
    for (const std::string_view state : list_items(causes.get(i, "refuted_by"))) {
      used.insert(std::string(state));
      if (state.starts_with("check."))
        want(checks, state.substr(6), "check", where, complain);
      else
        want(observed, state, "observation of state", where, complain);
    }
    if (!beyond_words.contains(causes.get(i, "id")))
      complain(where, "'" + causes.get(i, "id") + "' has no sign: nothing would ever show it");
    if (causes.get(i, "action") == "reseat-or-replace" && !beyond_words[causes.get(i, "id")])
      complain(where, "words alone would have the machine opened");
  }
  for (std::size_t i = 0; i < observations.size(); ++i) {
    if (!used.contains(observations.get(i, "id")))
      complain(observations.get(i, "where"),
               "'" + observations.get(i, "id") + "' is no sign of any cause and refutes none");
  }
  const Rows<"suggestion"> suggestions(tables);
  for (std::size_t i = 0; i < suggestions.size(); ++i)
    want(cause_ids, suggestions.get(i, "cause"), "cause", suggestions.get(i, "where"), complain);
  const Rows<"prior"> priors(tables);
  for (std::size_t i = 0; i < priors.size(); ++i)
    want(cause_ids, priors.get(i, "cause"), "cause", priors.get(i, "where"), complain);
  check_circles(causes, complain);
  check_messages(tables, complain);
  check_texts(tables, complain);
  check_sees(tables, complain);
  check_signatures(tables, event_ids, text_ids, complain);
  return problems;
}

Result<Done> check_overlay(const Tables& overlay, const Tables& merged) {
  std::set<std::string_view> own;
  for (std::size_t i = 0; i < tables().size(); ++i) {
    const std::size_t where = *tables()[i].column("where");
    for (const Row& row : overlay.rows[i]) own.insert(row[where]);
  }
  for (const Problem& problem : check_knowledge(merged)) {
    if (own.contains(problem.where)) return malformed(problem.where, problem.what);
  }
  // Of the built-in rows these have been seen to be right; one that an overlay breaks is its own.
  for (const Problem& problem : check_rows(merged)) return malformed(problem.where, problem.what);
  return Done{};
}

}  // namespace rocvet::db
