#include "checks/check.h"
#include "checks/common/published_defects.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/situation.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {
namespace {

constexpr std::string_view kFirmwareKnownBadDoc = R"(
## What it looks for
Versions of the GPU's firmware (MES, SMU, PSP …) and of the firmware package against the list of
bad ones. One that is installed as bad and not loaded yet is loaded with the next initial RAM disk.

## Why it matters
MES and SMU releases have hung GPUs or corrupted page tables; every program then fails in turn.

## How to mend it
The next or the previous linux-firmware, rebuild the initial RAM disk, reboot.

## Not this
A file that is missing: RV903.

## References
- https://gitlab.com/kernel-firmware/linux-firmware
- https://github.com/ROCm/ROCm/issues/5724
)";

constexpr DefectNames kFirmwareDefect = {.shown = "firmware-defect-shown",
                                         .perhaps_shown = "firmware-defect-perhaps-shown",
                                         .spoken_of = "firmware-defect-spoken-of",
                                         .likely = "firmware-defect-likely"};

std::vector<Finding> run_firmware_known_bad(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  if (context.machine.surroundings.wsl) return {skip("under WSL the firmware is Windows' matter")};
  const bool stated =
      app_log_has(context, "Memory access fault") || has_error(context, "execution");
  std::vector<Finding> findings;
  std::vector<KnownIssue> not_seen;
  for (KnownIssue& issue : issues_about(context, "firmware-bad")) {
    // Firmware that breaks whatever computes fits any complaint, and is told without one.
    const bool breaks_all = issue.certain && issue.hits_most && issue.breaks_compute;
    if (auto found = defect_at_work(context, issue, kFirmwareDefect)) {
      found->remedy.needs_root = found->remedy.needs_reboot = true;
      findings.push_back(*std::move(found));
    } else if (has_no_words(issue) || breaks_all ||
               (!issue.certain && !issue.generic && shows(context, issue))) {
      // One without words of its own is as likely as the complaint fits; of firmware that nobody
      // could read, only the words say anything.
      const bool likely = breaks_all && someone_complains(context);
      const Verdict verdict = !issue.certain ? Verdict::pass
                              : stated       ? Verdict::fail
                                             : Verdict::warn;
      findings.push_back(Say(verdict, issue.because)
                             .about(issue.id)
                             .saw("source: " + issue.source)
                             .sees(likely          ? kFirmwareDefect.likely
                                   : issue.certain ? ObservationName("firmware-published-as-bad")
                                                   : "firmware-perhaps-published-as-bad")
                             .fix({Step::of_database(issue.remedy)})
                             .root()
                             .reboot());
    } else {
      not_seen.push_back(std::move(issue));
    }
  }
  add_listed_defects(findings, not_seen);
  return or_pass(std::move(findings), "nothing is published against the loaded firmware");
}

}  // namespace

extern const Check kFirmwareKnownBad;
constinit const Check kFirmwareKnownBad{
    .code = "RV220",
    .id = "firmware-known-bad",
    .topic = "driver",
    .title = "The loaded firmware is known to be broken for this GPU",
    .doc = kFirmwareKnownBadDoc,
    .run = run_firmware_known_bad};

}  // namespace rocvet
