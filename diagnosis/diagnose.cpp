// From what was seen to root causes: the likeliest is named first, what it explains is told with
// it, and the rest is weighed again.
#include <algorithm>
#include <cmath>
#include <set>

#include "base/add_once.h"
#include "checks/application/blamed_version.h"
#include "diagnosis/alike.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/leading.h"
#include "diagnosis/remedy.h"

namespace rocvet {
namespace {

constexpr std::size_t kMostNamed = 6, kMostRuledOut = 5, kMostEvidence = 8;

/// What was seen of a cause, what it shows most often first; what other GPUs show of it last.
std::vector<const Observed*> sightings_of(const Candidate& one, const Observations& observations) {
  std::vector<WeighedSign> signs = one.signs;
  std::stable_sort(signs.begin(), signs.end(), [](const WeighedSign& a, const WeighedSign& b) {
    return a.sign->shows > b.sign->shows;
  });
  std::vector<const Observed*> found;
  for (const WeighedSign& sign : signs) {
    for (const Observed& sighting : observations.all()) {
      if (sighting.name == sign.sign->saw) found.push_back(&sighting);
    }
  }
  std::stable_partition(found.begin(), found.end(), [&](const Observed* sighting) {
    return one.gpu.empty() || sighting->gpu.empty() || sighting->gpu == one.gpu;
  });
  return found;
}

void add_evidence(RootCause& root, const Observed& sighting) {
  if (root.evidence.size() >= kMostEvidence) return;
  if (sighting.finding != nullptr) {
    for (const std::string& line : sighting.finding->finding.evidence) {
      if (root.evidence.size() < kMostEvidence) add_once(root.evidence, line);
    }
  } else if (sighting.from == Provenance::kernel) {
    add_once(root.evidence, "kernel log: " + sighting.line);
  } else {
    add_once(root.evidence, "application: " + sighting.line);
  }
}

/// As bad as the worst that shows it; a state that is no fault by itself becomes one when a
/// program's message comes of it.
Verdict severity_of(const Candidate& one, const std::vector<const Observed*>& sightings) {
  bool state = false, stated = false;
  for (const Observed* sighting : sightings) {
    if (sighting->finding != nullptr && sighting->finding->finding.verdict == Verdict::fail)
      return Verdict::fail;
    stated |= sighting->from == Provenance::runtime;
    state |= sighting->from != Provenance::runtime;
  }
  return stated && state && !one.cause->mild ? Verdict::fail : Verdict::warn;
}

/// A finding about the kernel's log tells of a message that the cause shows.
bool tells_of(const Finding& finding, const Cause& cause) {
  return std::ranges::any_of(finding.messages, [&](std::string_view id) {
    return shows(cause, "kernel." + std::string(id));
  });
}

/// Ids of the checks that complain of what the cause shows.
void add_explained(RootCause& root, const Cause& cause, const Observations& observations) {
  for (const Observed& sighting : observations.all()) {
    if (sighting.finding != nullptr && sighting.complains &&
        (shows(cause, sighting.name) || tells_of(sighting.finding->finding, cause)))
      add_once(root.explains, std::string(sighting.finding->check->id));
  }
}

/// Of a check that has nothing to say, or words alone, the cause's own steps follow.
void add_general_steps(Remedy& remedy, Remedy general) {
  if (remedy.empty()) {
    remedy = std::move(general);
    return;
  }
  const auto mends = [](const Step& step) { return step.mends(); };
  if (std::any_of(remedy.steps.begin(), remedy.steps.end(), mends) ||
      std::none_of(general.steps.begin(), general.steps.end(), mends))
    return;
  for (Step& step : general.steps) {
    const bool known = std::any_of(remedy.steps.begin(), remedy.steps.end(),
                                   [&](const Step& other) { return other == step.text(); });
    if (!known) remedy.steps.push_back(std::move(step));
  }
  remedy.needs_root |= general.needs_root;
  remedy.needs_reboot |= general.needs_reboot;
  remedy.needs_login |= general.needs_login;
}

RootCause root_of(const Context& context, const Limits& limits, const Candidate& one,
                  double probability, const Observations& observations) {
  RootCause root;
  root.id = std::string(one.cause->id);
  // Nobody knows it to more than three digits.
  root.confidence = std::min(std::floor(probability * 1000) / 1000, 0.99);
  root.summary = std::string(one.cause->title);
  const std::vector<const Observed*> sightings = sightings_of(one, observations);
  root.severity = severity_of(one, sightings);
  bool mended_by_its_publisher = false;
  for (const Observed* sighting : sightings) {
    add_evidence(root, *sighting);
    if (sighting->finding == nullptr) continue;
    const Finding& finding = sighting->finding->finding;
    if (sighting == sightings.front() && sighting->complains) root.summary = finding.summary;
    if (!root.remedy.empty() || finding.remedy.empty()) continue;
    root.remedy = finding.remedy;
    // Who published this very fault said what mends it: nothing general goes with that.
    mended_by_its_publisher = sighting->finding->check->id == "known-defect";
  }
  if (!mended_by_its_publisher)
    add_general_steps(root.remedy, remedy_for(*one.cause, context.machine));
  for (Step& step : root.remedy.steps) step = fill_in(std::move(step), context.machine);
  if (probability < limits.sure) root.experiment = Step::of_database(one.cause->experiment);
  add_explained(root, *one.cause, observations);
  return root;
}

void add_ruled_out(RootCause& root, const std::vector<Candidate>& all) {
  for (const Candidate& other : all) {
    if (other.impossible.empty() || !other.supported || root.ruled_out.size() >= kMostRuledOut)
      continue;
    add_once(root.ruled_out, std::string(other.cause->id) + ": " + std::string(other.impossible));
  }
}

bool anything_fails(const std::vector<CheckResult>& results) {
  return std::any_of(results.begin(), results.end(), [](const CheckResult& result) {
    return result.finding.verdict == Verdict::fail;
  });
}

/// What reports that look like this one turned out to be, behind what signs speak for.
void suspect_by_likeness(const Context& context, const Limits& limits,
                         const std::vector<Candidate>& all, const Observations& observations,
                         Diagnosis& diagnosis) {
  if (diagnosis.root_causes.size() >= kMostSuspicions) return;
  // The words blame what does not run here: it is other machines that they look like.
  if (runs_the_driver_said_to_work(context)) return;
  std::vector<std::string_view> named;
  for (const RootCause& root : diagnosis.root_causes) named.push_back(root.id);
  for (const Alike& one :
       alike_causes(limits, context.db.knowledge(),
                    likeness_to_reports(features_of(context, observations)), all, named)) {
    RootCause root = root_of(context, limits, *one.candidate, one.probability, observations);
    root.severity = Verdict::warn;
    root.summary = "reports that look like this one were of: " + root.summary;
    root.evidence.push_back(
        (root.evidence.empty() ? "no sign of it was seen here; alike is: " : "alike is: ") +
        words_of(one.because));
    diagnosis.root_causes.push_back(std::move(root));
  }
}

/// Nothing is likelier than all else together: the likeliest, each with its experiment; what
/// something but a person complains of goes first.
void suspect(const Context& context, const Limits& limits, const std::vector<Candidate>& all,
             const Observations& observations, Diagnosis& diagnosis) {
  std::vector<const Candidate*> likely;
  for (const Candidate& one : all) {
    if (one.probability >= limits.suspected && !one.cause->benign() &&
        asked_for(limits, one, observations, limits.suspicious))
      likely.push_back(&one);
  }
  std::stable_partition(likely.begin(), likely.end(),
                        [](const Candidate* one) { return one->complains && !one->asked; });
  // What a check complains of has a cause, though it be an unlikely one.
  if (likely.empty() || !likely.front()->complains || likely.front()->asked) {
    const auto best = std::find_if(all.begin(), all.end(), [&](const Candidate& one) {
      return one.complains && !one.asked && one.probability >= limits.unlikely &&
             !one.cause->benign();
    });
    if (best != all.end()) likely.insert(likely.begin(), &*best);
  }
  // And what a check fails for has one, though nobody would have thought of it.
  if (likely.empty()) {
    const auto best = std::find_if(all.begin(), all.end(), [&](const Candidate& one) {
      return one.impossible.empty() && !one.cause->benign() &&
             std::ranges::any_of(observations.all(), [&](const Observed& sighting) {
               return fails_for(sighting, *one.cause);
             });
    });
    if (best != all.end()) likely.push_back(&*best);
  }
  std::vector<RootCause>& named = diagnosis.root_causes;
  for (const Candidate* one : likely) {
    if (named.size() >= kMostSuspicions) return;
    const bool told = std::any_of(named.begin(), named.end(), [&](const RootCause& root) {
      return explains(*context.db.knowledge().cause(root.id), one->cause->id);
    });
    if (told) continue;
    // What nothing but a person complains of is never sure.
    const double most = one->complains ? kNamed : limits.suspicion_at_most;
    RootCause root = root_of(context, limits, *one, std::min(one->probability, most), observations);
    root.severity = Verdict::warn;
    named.push_back(std::move(root));
  }
}

/// Who complains and says nothing of what only shows when the GPU is opened has met something else
/// first, if anything else is named.
void put_behind_what_is_told(const Context& context, const Observations& observations,
                             std::vector<RootCause>& named) {
  if (!observations.complaint()) return;
  std::ranges::stable_partition(named, [&](const RootCause& root) {
    const Cause& cause = *context.db.knowledge().cause(root.id);
    return !cause.met_at_open ||
           std::ranges::any_of(observations.all(), [&](const Observed& sighting) {
             return sighting.from == Provenance::runtime && shows(cause, sighting.name);
           });
  });
}

}  // namespace

Diagnosis diagnose(const Context& context, const std::vector<CheckResult>& results) {
  const Observations observations(context, results);
  const Impossible impossible = impossible_causes(context, observations);
  const Limits limits(context.db.knowledge());
  Diagnosis diagnosis;
  std::vector<const Cause*> told;
  std::set<std::string_view> consequences;
  while (told.size() < kMostNamed) {
    // What is told already shows nothing more, so it is not named again.
    const std::vector<Candidate> all =
        weigh(context.db.knowledge(), observations, impossible, told);
    const Leading next = leading(limits, all, observations, consequences);
    if (next.probability <= kNamed) {
      if (told.empty() && (observations.complaint() || anything_fails(results))) {
        suspect(context, limits, all, observations, diagnosis);
        suspect_by_likeness(context, limits, all, observations, diagnosis);
      }
      break;
    }
    const Candidate& first = *next.named;
    told.push_back(first.cause);
    // What nobody needs to mend is nothing to report, and explains what it shows.
    if (first.cause->benign()) continue;
    RootCause root = root_of(context, limits, first, next.probability, observations);
    for (const Candidate& other : all) {
      if (!explains(*first.cause, other.cause->id)) continue;
      consequences.insert(other.cause->id);
      if (other.supported) add_explained(root, *other.cause, observations);
    }
    if (diagnosis.root_causes.empty()) add_ruled_out(root, all);
    diagnosis.root_causes.push_back(std::move(root));
  }
  put_behind_what_is_told(context, observations, diagnosis.root_causes);
  return diagnosis;
}

}  // namespace rocvet
