// From findings to root causes: weigh the votes, let the application's own words decide what is
// relevant, and name a cause once, its consequences under it.
#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"
#include "diagnosis/causes.h"
#include "diagnosis/confidence.h"
#include "diagnosis/diagnosis.h"

namespace rocvet {
namespace {

/// Below this nothing is named: a suspicion that no symptom asks for.
constexpr double kNameable = 0.3;
/// A cause of this score swallows its consequences.
constexpr double kCertainEnough = 0.35;
/// What the application's words add to a cause they can have, at most.
constexpr double kWordsWeight = 0.75;
/// What is left of a cause that the application's words do not point at.
constexpr double kOffTopic = 0.45;
/// Direct proof that the GPU cannot work stays proof, whatever the application said.
constexpr double kProof = 0.9;
/// Without a finding, words alone are a suspicion.
constexpr double kWordsAlone = 0.5;
/// Words as strong as this name a cause outright, and then give it this much at most.
constexpr double kOutright = 0.7, kOutrightMost = 0.29;
/// From here on a symptom shows plainly, and gives this much at most to the likeliest cause of it.
constexpr double kSuspected = 0.28;
constexpr double kPlain = 0.4, kCredited = 0.6;
constexpr std::size_t kSuspicions = 3;
/// A finding's suspicion that is worth a word when somebody complains and nothing else is found.
constexpr double kWorthAWord = 0.22;

struct Candidate {
  const CauseInfo* cause = nullptr;
  std::map<std::string_view, double> votes;  ///< strongest of each check
  double against = 0;                        ///< 1 - product of (1 - strength)
  double words = 0;                          ///< what programs' messages give it
  double prose = 0;     ///< what people's words add where something supports it
  bool stated = false;  ///< a program's message can have this cause
  double score = 0;
  std::vector<const CheckResult*> findings;  ///< strongest first
  std::vector<std::string> objections;

  double evidence() const {
    double miss = 1;
    for (const auto& [check, strength] : votes) miss *= 1 - strength;
    return (1 - miss) * (1 - against);
  }
  /// A finding that complains, not one that only notes a state which healthy machines have too.
  bool found() const {
    return std::any_of(findings.begin(), findings.end(), [](const CheckResult* result) {
      return result->finding.verdict == Verdict::fail || result->finding.verdict == Verdict::warn;
    });
  }
};

using Candidates = std::map<std::string_view, Candidate>;

Candidate& candidate(Candidates& all, const CauseInfo& cause) {
  Candidate& found = all[cause.id];
  found.cause = &cause;
  return found;
}

double strength_of(const CheckResult& result, std::string_view cause) {
  double most = 0;
  for (const Vote& vote : result.finding.votes) {
    if (!vote.against && vote.cause == cause) most = std::max(most, vote.strength);
  }
  return most;
}

Candidates gather(const std::vector<CheckResult>& results) {
  Candidates all;
  for (const CheckResult& result : results) {
    for (const Vote& vote : result.finding.votes) {
      const CauseInfo* cause = find_cause(vote.cause);
      if (cause == nullptr) continue;
      Candidate& one = candidate(all, *cause);
      if (vote.against) {
        one.against = 1 - (1 - one.against) * (1 - vote.strength);
        one.objections.push_back(result.finding.summary);
        continue;
      }
      double& best = one.votes[result.check->id];
      best = std::max(best, vote.strength);
      one.findings.push_back(&result);
    }
  }
  for (auto& [id, one] : all) {
    std::stable_sort(one.findings.begin(), one.findings.end(),
                     [id = id](const CheckResult* a, const CheckResult* b) {
                       return strength_of(*a, id) > strength_of(*b, id);
                     });
  }
  return all;
}

/// Several texts that point the same way count more than one, but never as proof. People's words
/// weigh among the causes that something else supports; they bring none in.
void hear(Candidates& all, const std::vector<AppError>& errors) {
  for (const AppError& error : errors) {
    for (const Vote& vote : parse_votes(error.text->causes)) {
      const CauseInfo* cause = find_cause(vote.cause);
      if (cause == nullptr) continue;
      Candidate& one = candidate(all, *cause);
      double& heard = error.text->is_prose() ? one.prose : one.words;
      heard = 1 - (1 - heard) * (1 - vote.strength);
    }
  }
  for (auto& [id, one] : all) {
    // Nobody is told to open the machine because of what a log says.
    if (one.cause->hardware && !one.found()) one.words = 0;
    one.stated = one.words > 0;
    if (one.words > 0 || one.found()) one.words = 1 - (1 - one.words) * (1 - one.prose);
  }
}

/// Whether a program's message names causes at all: a warning without causes says nothing.
bool speaks(const std::vector<AppError>& errors) {
  return std::any_of(errors.begin(), errors.end(), [](const AppError& error) {
    return !error.text->is_prose() && !error.text->causes.empty();
  });
}

bool explains(const CauseInfo& cause, std::string_view other) {
  for (const std::string_view id : words(cause.explains)) {
    if (id == other) return true;
  }
  return false;
}

/// A symptom that shows plainly, and of which the cause is not known, is evidence for each cause
/// that would bring it about; the one that is suspected most has it.
void credit_the_likeliest(Candidates& all) {
  for (const std::string_view symptom : {"gpu-node-absent-from-kfd-topology"}) {
    const auto shown = all.find(symptom);
    if (shown == all.end() || shown->second.evidence() < kPlain) continue;
    Candidate* likeliest = nullptr;
    double most = kSuspected;
    for (auto& [id, one] : all) {
      const double suspicion = std::max(one.evidence(), kWordsAlone * one.words);
      if (!explains(*one.cause, symptom) || one.against > 0.5 || suspicion < most) continue;
      likeliest = &one;
      most = suspicion;
    }
    if (likeliest != nullptr)
      likeliest->score = std::max(likeliest->score, std::min(kCredited, 2 * most));
  }
}

void score(Candidates& all, bool heard) {
  for (auto& [id, one] : all) {
    const double evidence = one.evidence();
    if (!heard || evidence >= kProof) {
      one.score = evidence;
    } else if (one.words > 0) {
      one.score = 1 - (1 - evidence) * (1 - kWordsWeight * one.words * std::min(1.0, evidence * 2));
    } else {
      one.score = evidence * kOffTopic;
    }
    // Words that name a cause outright are worth as much as a weak finding.
    if (one.words >= kOutright && one.against < 0.5)
      one.score = std::max(one.score, std::min(kWordsAlone * one.words, kOutrightMost));
  }
  credit_the_likeliest(all);
}

std::vector<const Candidate*> by_score(const Candidates& all) {
  std::vector<const Candidate*> order;
  for (const auto& [id, one] : all) order.push_back(&one);
  std::stable_sort(order.begin(), order.end(),
                   [](const Candidate* a, const Candidate* b) { return a->score > b->score; });
  return order;
}

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

/// Ids of the checks that failed (or warned) for this cause or one of its consequences.
void add_explained(std::vector<std::string>& ids, const Candidate& one) {
  for (const CheckResult* result : one.findings) {
    if (result->finding.verdict == Verdict::fail || result->finding.verdict == Verdict::warn)
      add_once(ids, std::string(result->check->id));
  }
}

/// As bad as its worst finding. A state that is no fault by itself becomes one when a program's
/// message makes it the likely cause.
Verdict severity_of(const Candidate& one) {
  constexpr double kLikely = 0.5;
  for (const CheckResult* result : one.findings) {
    if (result->finding.verdict == Verdict::fail) return Verdict::fail;
  }
  const bool stated = one.stated && !one.findings.empty();
  return stated && !one.cause->mild && one.score >= kLikely ? Verdict::fail : Verdict::warn;
}

RootCause named(const Context& context, const Candidate& one, double confidence) {
  RootCause root;
  root.id = std::string(one.cause->id);
  root.confidence = std::min(confidence, 0.99);
  root.severity = severity_of(one);
  root.summary = std::string(one.cause->title);
  for (const CheckResult* result : one.findings) {
    if (!root.remedy.empty() && root.evidence.size() >= 8) break;
    for (const std::string& line : result->finding.evidence) add_once(root.evidence, line);
    if (root.remedy.empty()) root.remedy = result->finding.remedy;
  }
  if (!one.findings.empty() && one.findings.front()->finding.verdict != Verdict::pass)
    root.summary = one.findings.front()->finding.summary;
  if (root.remedy.empty()) root.remedy = remedy_for(*one.cause, context.machine);
  for (Step& step : root.remedy.steps) step = fill_in(std::move(step), context.machine);
  if (confidence < 0.8) root.experiment = Step(one.cause->experiment);
  add_explained(root.explains, one);
  return root;
}

void add_words(const Context& context, RootCause& root) {
  for (const AppError& error : app_errors(context)) {
    for (const Vote& vote : parse_votes(error.text->causes)) {
      if (vote.cause == root.id) add_once(root.evidence, "application: " + error.line);
    }
  }
}

}  // namespace

Diagnosis diagnose(const Context& context, const std::vector<CheckResult>& results) {
  Candidates all = gather(results);
  const std::vector<AppError>& errors = app_errors(context);
  const bool heard = speaks(errors);
  hear(all, errors);
  score(all, heard);
  const std::vector<const Candidate*> order = by_score(all);

  Diagnosis diagnosis;
  // A consequence is not named beside what brings it about, however plainly it shows.
  std::set<std::string_view> swallowed;
  for (const Candidate* one : order) {
    if (one->score < kCertainEnough || one->cause->benign) continue;
    for (const Candidate* other : order) {
      if (other != one && explains(*one->cause, other->cause->id) && other->score > 0)
        swallowed.insert(other->cause->id);
    }
  }
  for (const Candidate* one : order) {
    if (one->score < kNameable || one->cause->benign || swallowed.count(one->cause->id) != 0)
      continue;
    RootCause root = named(context, *one, one->score);
    for (const Candidate* other : order) {
      if (other == one) continue;
      if (swallowed.count(other->cause->id) != 0 && explains(*one->cause, other->cause->id))
        add_explained(root.explains, *other);
      if (other->against > 0.5 && !other->objections.empty() && root.ruled_out.size() < 5)
        add_once(root.ruled_out, std::string(other->cause->id) + ": " + other->objections.front());
    }
    add_words(context, root);
    diagnosis.root_causes.push_back(std::move(root));
  }
  if (!diagnosis.root_causes.empty()) {
    calibrate(diagnosis.root_causes);
    return diagnosis;
  }

  // Nothing that can be read decides it: the likeliest suspicions, each with its experiment.
  const bool benign_said = std::any_of(all.begin(), all.end(), [](const auto& entry) {
    return entry.second.cause->benign && entry.second.words + entry.second.evidence() > 0.3;
  });
  std::vector<const Candidate*> suspects;
  for (const Candidate* one : order) {
    const bool said = one->words >= 0.15 && one->against < 0.5;
    const bool suspected = heard && one->found() && one->evidence() >= kWorthAWord;
    if (!one->cause->benign && (said || suspected)) suspects.push_back(one);
  }
  if (benign_said || suspects.empty()) return diagnosis;
  std::stable_sort(suspects.begin(), suspects.end(), [](const Candidate* a, const Candidate* b) {
    return a->score + a->words > b->score + b->words;
  });
  if (suspects.size() > kSuspicions) suspects.resize(kSuspicions);
  for (const Candidate* one : suspects) {
    RootCause root =
        named(context, *one, std::max(kWordsAlone * one->words, std::min(one->score, kNameable)));
    root.severity = Verdict::warn;
    add_words(context, root);
    diagnosis.root_causes.push_back(std::move(root));
  }
  calibrate(diagnosis.root_causes);
  return diagnosis;
}

}  // namespace rocvet
