#include "checks/row_check.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "checks/facts/conditions.h"
#include "checks/facts/named_facts.h"
#include "checks/facts/packages.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"
#include "checks/unread_areas.h"

namespace rocvet {
namespace {

bool any_text(const std::vector<std::string_view>& texts, auto fits) {
  return std::any_of(texts.begin(), texts.end(), fits);
}

bool is_bad_text(const BadValue& bad, const std::string& value) {
  const auto cased = [&](std::string_view text) {
    return bad.any_case ? lower(text) : std::string(text);
  };
  const std::string text = cased(value);
  // An empty text is set, and says nothing else.
  if (text.empty()) return bad.set.value_or(false);
  if (!bad.in.empty() && !any_text(bad.in, [&](auto one) { return cased(one) == text; }))
    return false;
  if (any_text(bad.not_in, [&](auto one) { return cased(one) == text; })) return false;
  return bad.starts_with.empty() ||
         any_text(bad.starts_with, [&](auto one) { return text.starts_with(cased(one)); });
}

bool is_bad_number(const BadValue& bad, const FactValue& value) {
  if (bad.no_number) return !value.number && !trim(value.text).empty();
  if (!value.number) return false;
  const long long number = *value.number;
  if (bad.eq && number != *bad.eq) return false;
  if (bad.ne && number == *bad.ne) return false;
  if (bad.lt && number >= *bad.lt) return false;
  if (bad.gt && number <= *bad.gt) return false;
  if (bad.bits_set && (number & *bad.bits_set) == 0) return false;
  return !bad.bits_clear || (number & *bad.bits_clear) != *bad.bits_clear;
}

bool is_bad(const BadValue& bad, const FactValue& value) {
  if (bad.set && !*bad.set) return false;
  switch (bad.fact.type) {
    case FactType::text:
      return is_bad_text(bad, value.text);
    case FactType::number:
      return is_bad_number(bad, value);
    default:
      return true;
  }
}

/// A bad value, and by which of the row's conditions.
struct Found {
  const BadValue* bad = nullptr;
  FactValue value;
};

/// The values of one fact that are bad; one without a text where its absence is.
Result<std::vector<Found>> bad_values(const Context& context, const BadValue& bad) {
  auto values = read_fact(context, bad.fact);
  if (!values) return values.error();
  std::vector<Found> found;
  if (bad.set && !*bad.set && values->empty()) {
    FactValue none;
    none.name = bad.fact.name;
    none.evidence = none.name + " is not set";
    found.push_back({&bad, std::move(none)});
  }
  for (FactValue& value : *values) {
    if (is_bad(bad, value)) found.push_back({&bad, std::move(value)});
  }
  return found;
}

std::string filled(std::string_view text, const FactValue& value) {
  return fill_gaps(text, {{"name", value.name}, {"value", value.text}, {"usual", value.usual}});
}

bool has_gap(std::string_view text) {
  return !gaps_of(text).empty();
}

Step step_of(std::string_view text, const FactValue& value) {
  const std::array<NamedWord, 3> words = {NamedWord{"name", value.name},
                                          NamedWord{"value", value.text},
                                          NamedWord{"usual", value.usual}};
  return Step::of_database(text, words);
}

std::vector<Step> steps_of(const Context& context, const CheckRow& row, const FactValue& value) {
  if (row.remedy == "remove-kernel-parameter")
    return remove_kernel_parameter(context.machine,
                                   value.name + (value.text.empty() ? "" : "=" + value.text));
  if (row.remedy == "unset-variable") return {Step("unset {}", value.name)};
  return {};
}

/// Of several bad values what is said and done is the same, or each has its own.
bool said_of_each(const CheckRow& row) {
  return has_gap(row.says) || row.remedy == "remove-kernel-parameter";
}

Finding finding_of(const Context& context, const CheckRow& row, std::span<const Found> found) {
  const FactValue& last = found.back().value;
  Finding finding;
  finding.verdict = row.verdict == "fail"   ? Verdict::fail
                    : row.verdict == "warn" ? Verdict::warn
                                            : Verdict::pass;
  if (!row.said.empty() && people_say(context, row.said)) finding.verdict = Verdict::warn;
  finding.summary = filled(row.says, last);
  for (const Found& one : found) {
    finding.evidence.push_back(one.bad->saw.empty() ? one.value.evidence
                                                    : filled(one.bad->saw, one.value));
    for (Step& step : steps_of(context, row, one.value))
      finding.remedy.steps.push_back(std::move(step));
  }
  for (const std::string_view step : row.fix) finding.remedy.steps.push_back(step_of(step, last));
  if (!row.verify.empty()) finding.remedy.verify = step_of(row.verify, last);
  if (!row.undo.empty()) finding.remedy.undo = step_of(row.undo, last);
  finding.remedy.needs_root = row.root;
  finding.remedy.needs_reboot = row.reboot;
  finding.remedy.needs_login = row.login;
  if (!row.sees.empty()) finding.seen.push_back(ObservationName::of_database(row.sees));
  return finding;
}

/// The good sentence; where it has a gap, with the value that the fact has.
Finding good(const Context& context, const CheckRow& row) {
  if (!has_gap(row.good)) return pass(std::string(row.good));
  const auto values = read_fact(context, row.bad.front().fact);
  FactValue value;
  if (values && !values->empty()) value = values->front();
  return pass(filled(row.good, value));
}

/// What the conditions come to: bad values, or the one finding that says why there is none.
struct Outcome {
  std::vector<Found> found;
  std::optional<Finding> instead;
};

Outcome judge(const Context& context, const CheckRow& row) {
  Outcome judged;
  std::optional<Error> unread;
  std::size_t absent = 0, holding = 0;
  for (const BadValue& bad : row.bad) {
    auto found = bad_values(context, bad);
    if (!found) {
      if (found.error().kind == Error::Kind::missing) ++absent;
      if (!unread || unread->kind == Error::Kind::missing) unread = found.error();
      continue;
    }
    holding += found->empty() ? 0 : 1;
    if (found->empty() && row.all) return {{}, good(context, row)};
    for (Found& one : *found) judged.found.push_back(std::move(one));
  }
  const bool is = row.all ? holding == row.bad.size() : holding > 0;
  if (is) return judged;
  // What the machine does not have is nothing that could be bad.
  if (unread && unread->kind != Error::Kind::missing) return {{}, unknown(*unread)};
  if (absent == row.bad.size() || (row.all && absent > 0)) return {{}, none_here(unread->text())};
  return {{}, good(context, row)};
}

std::vector<Finding> events_of(const Context& context, const CheckRow& row) {
  auto findings = findings_of_topic(context, row.bad.front().fact.name, "");
  // With nothing to tell it is one pass, or a skip, without evidence.
  for (Finding& finding : findings) {
    if (finding.verdict == Verdict::pass && finding.evidence.empty())
      finding.summary = std::string(row.good);
  }
  return findings;
}

}  // namespace

std::vector<Finding> run_row(const Context& context, const CheckRow& row) {
  for (const std::string_view need : row.needs) {
    if (auto why = unmet(context, need)) return {std::move(*why)};
  }
  if (row.bad.front().fact.type == FactType::events) return events_of(context, row);
  Outcome judged = judge(context, row);
  if (judged.instead) return {std::move(*judged.instead)};
  for (const std::string_view word : row.matters_if) {
    if (auto why = unmet(context, word)) {
      if (condition(context, word) == Truth::unknown) return {std::move(*why)};
      Finding harmless =
          pass(filled(row.says, judged.found.back().value) + ", and " + why->summary);
      harmless.evidence.push_back(judged.found.back().value.evidence);
      return {std::move(harmless)};
    }
  }
  const std::span<const Found> all = judged.found;
  if (!said_of_each(row)) return {finding_of(context, row, all)};
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < all.size(); ++i)
    findings.push_back(finding_of(context, row, all.subspan(i, 1)));
  return findings;
}

std::vector<Finding> findings_of(const Context& context, const Check& check) {
  return without_guesses(context.machine, check,
                         check.row != nullptr ? run_row(context, *check.row) : check.run(context));
}

}  // namespace rocvet
