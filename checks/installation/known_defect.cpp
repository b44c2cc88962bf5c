#include "checks/check.h"
#include "checks/common/published_defects.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/situation.h"

namespace rocvet {
namespace {

constexpr std::string_view kKnownDefectDoc = R"(
## What it looks for
The database's list of published defects, for this ROCm or framework, GPU, kernel, driver and
firmware, the texts by which they show, and the words by which people complain of what they break.

## Why it matters
Only an upgrade or the published workaround helps; looking for a fault of the machine is in vain.

## How to mend it
What the entry says.

## Not this
A defect that is listed for this machine but does not show.

## References
- https://github.com/ROCm/ROCm/issues
- https://rocm.docs.amd.com/en/latest/about/release-notes.html
)";

constexpr DefectNames kReleaseDefect = {.shown = "release-defect-shown",
                                        .perhaps_shown = "release-defect-perhaps-shown",
                                        .spoken_of = "release-defect-spoken-of",
                                        .likely = "release-defect-likely"};

/// What a release took away: the source is to blame, not the release.
constexpr DefectNames kRemoved = {.shown = "removed-interface-used",
                                  .perhaps_shown = "removed-interface-perhaps-used",
                                  .spoken_of = "removed-interface-perhaps-used",
                                  .likely = "removed-interface-perhaps-used"};

/// What a defect of the topic is to the machine.
Finding told_as(std::string_view topic, Finding found) {
  // A program's own is none of the machine's: it is told with its remedy, and names no cause.
  if (topic == "program-bad") {
    found.verdict = Verdict::warn;
    found.seen.clear();
  }
  return found;
}

std::vector<Finding> run_known_defect(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  std::vector<KnownIssue> not_seen;
  for (const std::string_view topic :
       {"release-bug", "api-removed", "framework-bad", "program-bad"}) {
    for (KnownIssue& issue : issues_about(context, topic)) {
      if (auto found =
              defect_at_work(context, issue, topic == "api-removed" ? kRemoved : kReleaseDefect)) {
        findings.push_back(told_as(topic, *std::move(found)));
      } else {
        not_seen.push_back(std::move(issue));
      }
    }
  }
  add_listed_defects(findings, not_seen);
  return or_pass(std::move(findings), "no published defect of this release fits");
}

}  // namespace

extern const Check kKnownDefect;
constinit const Check kKnownDefect{.code = "RV411",
                                   .id = "known-defect",
                                   .topic = "installation",
                                   .title = "A published defect of this release fits",
                                   .doc = kKnownDefectDoc,
                                   .run = run_known_defect};

}  // namespace rocvet
