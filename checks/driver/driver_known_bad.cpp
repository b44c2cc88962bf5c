#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/situation.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
The amdgpu-dkms release against the list of releases known to be bad for the GPU.

## Why it matters
The first queue hangs or programs fault, although an older release drove the GPU correctly.

## How to mend it
Install the last good amdgpu-dkms and firmware, and hold them.

## Not this
Firmware of the distribution: RV220.

## References
- https://github.com/ROCm/ROCm/issues
- https://github.com/ROCm/amdgpu/issues
)";

std::vector<Finding> run(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  const bool stated = app_log_has(context, "Memory access fault") ||
                      app_log_has(context, "OUT_OF_RESOURCES") || has_error(context, "execution");
  const bool hang = stated || people_say(context, {"hang", "fault"});
  std::vector<Finding> findings;
  for (const KnownIssue& issue : issues_about(context, "driver-bad")) {
    findings.push_back(Say(verdict_of(stated, hang), issue.because)
                           .about(issue.id)
                           .saw("source: " + issue.source)
                           .sees("driver-published-as-bad")
                           .fix({Step::of_database(issue.remedy)})
                           .root()
                           .reboot());
  }
  return or_pass(std::move(findings), "nothing is published against this driver release");
}

}  // namespace

extern const Check kDriverKnownBad;
constinit const Check kDriverKnownBad{.code = "RV219",
                                      .id = "driver-known-bad",
                                      .topic = "driver",
                                      .title = "This driver release is known to break this GPU",
                                      .doc = kDoc,
                                      .run = run};

}  // namespace rocvet
