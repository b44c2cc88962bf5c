#include "checks/check.h"
#include "checks/common/published_defects.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/situation.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {
namespace {

constexpr std::string_view kDriverKnownBadDoc = R"(
## What it looks for
The kernel, or the amdgpu-dkms release, against the list of those that are known to be bad for the
GPU, and the messages by which each of these defects shows, or the words of a complaint.

## Why it matters
The first queue hangs or programs fault, although another release drives the GPU correctly.

## How to mend it
What the entry says: boot the kernel, or install the amdgpu-dkms, that does not have the defect.

## Not this
Firmware of the distribution: RV220. A kernel that does not know the GPU yet: RV217. A defect that
is listed for this machine but does not show.

## References
- https://github.com/ROCm/ROCm/issues
- https://github.com/ROCm/amdgpu/issues
)";

constexpr DefectNames kDriverDefect = {.shown = "driver-defect-shown",
                                       .perhaps_shown = "driver-defect-perhaps-shown",
                                       .spoken_of = "driver-defect-spoken-of",
                                       .likely = "driver-defect-likely"};

std::vector<Finding> run_driver_known_bad(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  const bool stated = app_log_has(context, "Memory access fault") ||
                      app_log_has(context, "OUT_OF_RESOURCES") || has_error(context, "execution");
  const bool hang = stated || people_say(context, {"hang", "fault"});
  std::vector<Finding> findings;
  std::vector<KnownIssue> not_seen;
  for (const std::string_view topic : {"kernel-bad", "driver-bad"}) {
    for (KnownIssue& issue : issues_about(context, topic)) {
      if (auto found = defect_at_work(context, issue, kDriverDefect)) {
        found->remedy.needs_root = found->remedy.needs_reboot = true;
        findings.push_back(*std::move(found));
      } else if (topic == "driver-bad" && has_no_words(issue)) {
        // One without words of its own is as likely as the complaint fits.
        findings.push_back(Say(verdict_of(stated, hang), issue.because)
                               .about(issue.id)
                               .saw("source: " + issue.source)
                               .sees("driver-published-as-bad")
                               .fix({Step::of_database(issue.remedy)})
                               .root()
                               .reboot());
      } else {
        not_seen.push_back(std::move(issue));
      }
    }
  }
  add_listed_defects(findings, not_seen);
  return or_pass(std::move(findings),
                 "nothing is published against this kernel's driver, or that of DKMS");
}

}  // namespace

extern const Check kDriverKnownBad;
constinit const Check kDriverKnownBad{.code = "RV219",
                                      .id = "driver-known-bad",
                                      .topic = "driver",
                                      .title = "This driver release is known to break this GPU",
                                      .doc = kDriverKnownBadDoc,
                                      .run = run_driver_known_bad};

}  // namespace rocvet
