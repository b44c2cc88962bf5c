// Why a cause was named, or was not: each sign with its share.
#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>

#include "base/text.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/leading.h"
#include "diagnosis/similar_reports.h"

namespace rocvet {
namespace {

std::string signed_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%+.2f", value);
  return text;
}

std::string percent(double probability) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * probability);
  return text;
}

std::string_view word_of(Truth seen) {
  return seen == Truth::yes ? "seen" : seen == Truth::no ? "absent" : "not known";
}

/// What the sign says, where a row tells it.
std::string_view meaning(const Knowledge& knowledge, std::string_view saw) {
  if (const ObservationInfo* named = knowledge.observation(saw)) return named->means;
  return {};
}

void print_signs(std::ostringstream& out, const Candidate& one, const Knowledge& knowledge) {
  const double t = knowledge.weights().t;
  for (const WeighedSign& sign : one.signs) {
    out << "  " << signed_number(t * sign.share) << "  " << word_of(sign.seen) << ": "
        << sign.sign->saw;
    if (const std::string_view means = meaning(knowledge, sign.sign->saw); !means.empty())
      out << " (" << means << ")";
    if (sign.seen == Truth::yes && sign.share == 0) out << ", said already by its group";
    out << "\n";
  }
}

/// The sign of `other` that is not seen and would make it likelier than `first`; nullptr when no
/// single one would.
const WeighedSign* turning(const Candidate& other, const Candidate& first, double t) {
  const WeighedSign* best = nullptr;
  for (const WeighedSign& sign : other.signs) {
    if (sign.seen == Truth::yes) continue;
    const double level = other.level + t * (sign.worth - sign.share);
    if (level > first.level && (best == nullptr || sign.worth > best->worth)) best = &sign;
  }
  return best;
}

/// Where a cause is named with, or in the place of, what it brings about.
void print_place(std::ostringstream& out, const Candidate& asked, const Leading& first) {
  if (first.probability <= kNamed) return;
  if (&asked == first.named && first.named != first.likeliest) {
    out << "  named in the place of " << first.likeliest->cause->id << " ("
        << percent(first.likeliest->probability) << "), which it explains; "
        << percent(first.probability) << " with it\n";
  } else if (&asked == first.named && first.probability > asked.probability) {
    out << "  named; " << percent(first.probability) << " with what it explains\n";
  } else if (&asked == first.likeliest) {
    out << "  " << first.named->cause->id
        << " is named in its place, since it explains it and has a sign of its own\n";
  }
}

/// Where no sign speaks for any cause, likeness to other reports does.
void print_likeness(std::ostringstream& out, const Likeness& likeness, std::string_view cause,
                    const Limits& limits) {
  const auto one = std::ranges::find(likeness.causes, cause, &SimilarReports::cause);
  if (one == likeness.causes.end()) return;
  out << "  " << signed_number(one->margin) << "  likeness to reports that had it ("
      << words_of(one->because) << "), and " << signed_number(likeness.healthy)
      << " to those of machines that work; told of where nothing else is, from "
      << signed_number(limits.alike) << " and below " << signed_number(limits.alike_healthy)
      << ", or below " << signed_number(limits.alike_sick) << "; beside a suspicion from "
      << signed_number(limits.alike_beside) << " and below "
      << signed_number(limits.alike_healthy_beside) << "\n";
}

/// The likelier or the next likely one, and what would have to be seen to turn the two round.
void print_rival(std::ostringstream& out, const Candidate& asked, const Candidate& rival,
                 double t) {
  const bool asked_leads = asked.level >= rival.level;
  const Candidate& first = asked_leads ? asked : rival;
  const Candidate& second = asked_leads ? rival : asked;
  out << (asked_leads ? "runner-up: " : "likelier: ") << rival.cause->id << " ("
      << percent(rival.probability) << ")"
      << (asked_leads || rival.complains ? "" : ", of which nothing complains") << "\n";
  if (const WeighedSign* sign = turning(second, first, t)) {
    out << "  " << second.cause->id << " would win if this were seen: " << sign->sign->saw << " ("
        << signed_number(t * sign->worth) << ")\n";
  } else {
    out << "  no single observation would make " << second.cause->id << " likelier\n";
  }
}

}  // namespace

Result<std::string> why(const Context& context, const std::vector<CheckResult>& results,
                        std::string_view id) {
  const Knowledge& knowledge = context.db.knowledge();
  if (knowledge.cause(id) == nullptr) {
    std::vector<std::string> names;
    for (const Cause& cause : knowledge.causes()) names.emplace_back(cause.id);
    return missing("", "no root cause '" + std::string(id) + "'" + did_you_mean(id, names));
  }
  const Observations observations(context, results);
  const std::vector<Candidate> all =
      weigh(knowledge, observations, impossible_causes(context, observations), {});
  std::ostringstream out;
  const Candidate* asked = nullptr;
  const Candidate* rival = nullptr;  // the likeliest of the others
  for (const Candidate& one : all) {
    if (one.cause->id == id) asked = &one;
    if (one.cause->id != id && rival == nullptr && one.impossible.empty()) rival = &one;
  }
  out << asked->cause->id << ": " << asked->cause->title << "\n";
  if (!asked->impossible.empty()) {
    const auto& needs = asked->cause->needs;
    const bool need = std::find(needs.begin(), needs.end(), asked->impossible) != needs.end();
    out << "  cannot be: " << asked->impossible
        << (need ? " is not so, and it needs that\n" : " was seen, and excludes it\n");
  }
  out << "  " << signed_number(asked->prior) << "  how often it is the cause\n";
  if (!asked->gpu.empty()) out << "  weighed on " << asked->gpu << "\n";
  print_signs(out, *asked, knowledge);
  if (asked->prose > 0) out << "  " << signed_number(asked->prose) << "  what people say\n";
  out << "  " << signed_number(asked->level) << "  in all; probability "
      << percent(asked->probability) << "\n";
  const Limits limits(knowledge);
  print_place(out, *asked, leading(limits, all, observations, {}));
  print_likeness(out, likeness_to_reports(features_of(context, observations)), id, limits);
  if (rival != nullptr && asked->probability > 0)
    print_rival(out, *asked, *rival, knowledge.weights().t);
  return out.str();
}

std::string observation_table(const Context& context, const std::vector<CheckResult>& results) {
  const Observations observations(context, results);
  const auto word = [](Truth seen) {
    return seen == Truth::yes ? "yes" : seen == Truth::no ? "no" : "unknown";
  };
  std::map<std::string_view, Truth> truths;
  std::ostringstream out;
  for (const Candidate& one :
       weigh(context.db.knowledge(), observations, impossible_causes(context, observations), {})) {
    out << "cause\t" << one.cause->id << "\t"
        << (one.impossible.empty() ? "possible" : "impossible") << "\t"
        << observations.prose(one.cause->id) << "\n";
    for (const WeighedSign& sign : one.signs) {
      const Truth any = truths[sign.sign->saw] = observations.saw(sign.sign->saw);
      // What another GPU shows than the one that the cause is weighed on.
      if (sign.seen != any)
        out << "elsewhere\t" << one.cause->id << "\t" << sign.sign->saw << "\t" << word(sign.seen)
            << "\n";
    }
  }
  for (const auto& [name, seen] : truths) out << "saw\t" << name << "\t" << word(seen) << "\n";
  for (const std::string& name : features_of(context, observations))
    out << "feature\t" << name << "\n";
  return out.str();
}

}  // namespace rocvet
