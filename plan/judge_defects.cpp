// Published defects that fit the machine after the upgrade and not before.
#include <algorithm>

#include "plan/judge.h"

namespace rocvet::plan {
namespace {

constexpr std::size_t kMostDefectsNamed = 3;

/// Topics of what stops the GPU from being used at all wherever it fits.
bool always_breaks(const KnownIssue& issue) {
  return issue.topic == "dkms-build" || issue.topic == "kernel-min" ||
         issue.topic == "gpu-stops-runtime" || issue.topic == "wsl-unsupported";
}

/// What `hits_most` of a release's defects means is: most who use that part of it.
bool may_break(const KnownIssue& issue) {
  return issue.topic == "driver-window" || issue.topic == "kernel-bad" ||
         issue.topic == "firmware-bad" || issue.topic == "driver-bad" ||
         (issue.topic == "framework-bad" && issue.hits_most);
}

/// Advice about what is set, not about what moves.
bool is_about_versions(const KnownIssue& issue) {
  return issue.topic != "override-works" && issue.topic != "override-harms" &&
         issue.topic != "id-map" && issue.topic != "pcie-atomics";
}

}  // namespace

void judge_defects(const Judgement& judgement) {
  std::vector<std::string> told, minor;
  // The tables said it already.
  const bool driver_told = std::ranges::any_of(
      judgement.plan.breaks, [](const Break& each) { return each.subject == "driver × rocm"; });
  for (std::size_t i = 0; i < judgement.then.gpus.size(); ++i) {
    const auto before = judgement.database.known_issues(judgement.before.gpus[i].here);
    const auto met_before = [&](const std::string& id) {
      return std::ranges::any_of(before, [&](const KnownIssue& each) { return each.id == id; });
    };
    for (const KnownIssue& issue : judgement.database.known_issues(judgement.then.gpus[i].here)) {
      if (!issue.certain || !is_about_versions(issue) || met_before(issue.id)) continue;
      if (std::ranges::find(told, issue.id) != told.end()) continue;
      told.push_back(issue.id);
      if (driver_told && issue.topic == "driver-window") continue;
      if (always_breaks(issue) || (issue.breaks_compute && issue.hits_most))
        judgement.breaks(issue.topic, issue.because, issue.source);
      else if (may_break(issue))
        judgement.may_break(issue.topic, issue.because, issue.source);
      else
        minor.push_back(issue.because + " [" + issue.source + "]");
    }
  }
  for (std::size_t i = 0; i < minor.size() && i < kMostDefectsNamed; ++i)
    judgement.plan.notes.push_back("known of the target: " + minor[i]);
  if (minor.size() > kMostDefectsNamed)
    judgement.plan.notes.push_back(
        std::to_string(minor.size() - kMostDefectsNamed) +
        " more published defects of the target fit this machine, none "
        "of which befalls most (rocvet check names them when they show)");
}

}  // namespace rocvet::plan
