#include "report/compare.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/text.h"
#include "report/facts.h"
#include "report/layout.h"
#include "report/samples.h"

namespace rocvet {
namespace {

using Direction = Difference::Direction;

constexpr double kSmallestChange = 0.05;

Direction direction_of(Verdict before, Verdict after) {
  // A skipped check did not apply: no worse than a pass.
  const auto badness = [](Verdict verdict) {
    return verdict == Verdict::skip ? rank(Verdict::pass) : rank(verdict);
  };
  if (badness(after) == badness(before)) return Direction::changed;
  return badness(after) < badness(before) ? Direction::worse : Direction::better;
}

/// The worst finding of each check: one check may have one for each GPU.
std::map<std::string, const CheckResult*> worst_of_each(const Report& report) {
  std::map<std::string, const CheckResult*> worst;
  for (const CheckResult& result : report.checks) {
    const std::string name = std::string(result.check->code) + " " + std::string(result.check->id) +
                             (result.finding.subject.empty() ? "" : " " + result.finding.subject);
    const CheckResult*& kept = worst[name];
    if (kept == nullptr || rank(result.finding.verdict) < rank(kept->finding.verdict)) {
      kept = &result;
    }
  }
  return worst;
}

std::string words_of(const CheckResult& result) {
  return std::string(to_string(result.finding.verdict)) + ": " + result.finding.summary;
}

void compare_checks(const Report& before, const Report& after, std::vector<Difference>& out) {
  const auto old_ones = worst_of_each(before), new_ones = worst_of_each(after);
  for (const auto& [name, now] : new_ones) {
    const Verdict verdict = now->finding.verdict;
    const auto was = old_ones.find(name);
    if (was == old_ones.end()) {
      // A check that is new and content is no news.
      if (verdict == Verdict::fail || verdict == Verdict::warn) {
        out.push_back({Direction::worse, "check", name, "", words_of(*now)});
      }
    } else if (verdict != was->second->finding.verdict) {
      const Direction direction = direction_of(was->second->finding.verdict, verdict);
      if (direction == Direction::changed) continue;
      out.push_back({direction, "check", name, words_of(*was->second), words_of(*now)});
    }
  }
  for (const auto& [name, was] : old_ones) {
    const Verdict verdict = was->finding.verdict;
    if (new_ones.count(name) == 0 && (verdict == Verdict::fail || verdict == Verdict::warn)) {
      out.push_back({Direction::better, "check", name, words_of(*was), ""});
    }
  }
}

void compare_speed(const std::string& name, const TestResult& was, const TestResult& now,
                   std::vector<Difference>& out) {
  const auto change = speed_change(was, now);
  if (!change || std::fabs(*change) <= kSmallestChange) return;
  if (!was.performance || !now.performance) return;
  const double raw = now.performance->median / was.performance->median - 1;
  const auto text = [](const Performance& p) { return short_number(p.median) + " " + p.unit; };
  out.push_back(
      {*change > 0 ? Direction::better : Direction::worse, "self-test", name,
       text(*was.performance),
       text(*now.performance) + " (" + (raw > 0 ? "+" : "") + fixed(raw * 100, 0) + " %)"});
}

void compare_tests(const Report& before, const Report& after, std::vector<Difference>& out) {
  for (const TestResult& now : after.selftests) {
    const std::string name = now.device + " " + now.id;
    const auto was = std::ranges::find_if(before.selftests, [&](const TestResult& old_one) {
      return old_one.id == now.id && old_one.device == now.device;
    });
    const auto words = [](const TestResult& result) {
      return std::string(to_string(result.verdict)) + ": " + result.summary;
    };
    if (was == before.selftests.end()) {
      if (now.verdict == Verdict::fail || now.verdict == Verdict::warn) {
        out.push_back({Direction::worse, "self-test", name, "", words(now)});
      }
      continue;
    }
    const Direction direction = direction_of(was->verdict, now.verdict);
    if (direction != Direction::changed) {
      out.push_back({direction, "self-test", name, words(*was), words(now)});
    } else {
      compare_speed(name, *was, now, out);
    }
  }
}

void compare_causes(const Report& before, const Report& after, std::vector<Difference>& out) {
  const auto has = [](const Report& report, const RootCause& cause) {
    return std::ranges::any_of(report.diagnosis.root_causes,
                               [&](const RootCause& other) { return other.id == cause.id; });
  };
  for (const RootCause& cause : after.diagnosis.root_causes) {
    if (!has(before, cause))
      out.push_back({Direction::worse, "cause", cause.id, "", cause.summary});
  }
  for (const RootCause& cause : before.diagnosis.root_causes) {
    if (!has(after, cause))
      out.push_back({Direction::better, "cause", cause.id, cause.summary, ""});
  }
}

void compare_facts(const std::vector<MachineFact>& before, const std::vector<MachineFact>& after,
                   std::vector<Difference>& out) {
  for (const MachineFact& fact : after) {
    const std::string was = fact_value(before, fact.name);
    if (was != fact.value)
      out.push_back({Direction::changed, "machine", fact.name, was, fact.value});
  }
  for (const MachineFact& fact : before) {
    if (fact_value(after, fact.name).empty()) {
      out.push_back({Direction::changed, "machine", fact.name, fact.value, ""});
    }
  }
}

std::string_view word_of(Direction direction) {
  switch (direction) {
    case Direction::worse:
      return "worse";
    case Direction::better:
      return "better";
    case Direction::changed:
      break;
  }
  return "changed";
}

}  // namespace

std::optional<double> speed_change(const TestResult& before, const TestResult& after) {
  if (!before.performance || !after.performance) return std::nullopt;
  const Performance &was = *before.performance, &now = *after.performance;
  // Another size or another metric is another test.
  if (was.metric != now.metric || was.unit != now.unit) return std::nullopt;
  if (was.median <= 0 || now.median <= 0) return std::nullopt;
  const double change =
      after.higher_is_better ? now.median / was.median - 1 : was.median / now.median - 1;
  if (change == 0 || !samples_differ(was.samples, now.samples)) return std::nullopt;
  return change;
}

std::vector<Difference> compare_reports(const Report& before, const Report& after) {
  std::vector<Difference> out;
  if (before.verdict != after.verdict) {
    out.push_back({direction_of(before.verdict, after.verdict), "verdict", "verdict",
                   std::string(to_string(before.verdict)), std::string(to_string(after.verdict))});
  }
  compare_causes(before, after, out);
  compare_checks(before, after, out);
  compare_tests(before, after, out);
  compare_facts(machine_facts(before.machine), machine_facts(after.machine), out);
  compare_facts(part_facts(before.machine), part_facts(after.machine), out);
  std::ranges::stable_sort(out, {}, &Difference::direction);
  return out;
}

std::string write_differences(const std::vector<Difference>& differences) {
  if (differences.empty()) return "no difference\n";
  std::string out;
  for (const Difference& difference : differences) {
    std::string word(word_of(difference.direction));
    word.resize(8, ' ');
    out += word + printable(difference.area + " " + difference.what) + "\n";
    if (!difference.before.empty()) out += "          was: " + printable(difference.before) + "\n";
    out +=
        "          now: " + (difference.after.empty() ? "not there" : printable(difference.after)) +
        "\n";
  }
  return out;
}

std::string write_differences_json(const std::vector<Difference>& differences) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const Difference& difference : differences) {
    const auto text = [](const std::string& value) {
      return value.empty() ? Json(nullptr) : Json(value);
    };
    list.push_back({{"direction", word_of(difference.direction)},
                    {"area", difference.area},
                    {"what", difference.what},
                    {"before", text(difference.before)},
                    {"after", text(difference.after)}});
  }
  const Json out = {{"schema", "rocvet.diff/1"}, {"differences", std::move(list)}};
  return json_text(out);
}

}  // namespace rocvet
