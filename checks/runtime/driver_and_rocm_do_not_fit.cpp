#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/situation.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
The kernel driver's release against the window that the installed ROCm is tested with, and ROCr's
own word for it.

## Why it matters
ROCr refuses a driver that lacks what it needs: "Incompatible kernel and userspace … disabled.
Upgrade amdgpu."

## How to mend it
Bring the two to one supported pair: `rocvet advise`.

## Not this
A driver that is not loaded at all: RV201.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/reference/user-kernel-space-compat-matrix.html
- https://instinct.docs.amd.com/projects/amdgpu-docs/en/latest/
)";

std::vector<Finding> run(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  const Situation here = situation(context);
  if (app_log_has(context, "Incompatible kernel and userspace"))
    return failing("ROCr refuses the kernel driver")
        .saw("ROCm " + here.rocm + ", kernel " + here.kernel + ", " +
             (here.dkms_driver.empty() ? "in-tree driver" : "DKMS driver " + here.dkms_driver))
        .fix({"bring driver and ROCm to one supported pair: rocvet advise"});
  if (here.rocm.empty()) return {skip("there is no ROCm here")};
  std::vector<Finding> findings;
  for (const KnownIssue& issue : issues_about(context, "driver-window")) {
    const bool at_work = shows(context, issue);
    findings.push_back((at_work ? failing(issue.because) : passing(issue.because))
                           .saw("source: " + issue.source)
                           .sees("driver-outside-rocm-window")
                           .fix({Step::of_database(issue.remedy)}));
  }
  return or_pass(std::move(findings),
                 "driver and ROCm are near each other, or nothing is published");
}

}  // namespace

extern const Check kDriverAndRocmDoNotFit;
constinit const Check kDriverAndRocmDoNotFit{
    .code = "RV503",
    .id = "driver-and-rocm-do-not-fit",
    .topic = "runtime",
    .title = "ROCm and the kernel driver are of distant releases",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
