#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/driver/driver_packages.h"
#include "checks/facts/packages.h"
#include "checks/facts/situation.h"

namespace rocvet {
namespace {

constexpr std::string_view kDriverDoesNotBuildHereDoc = R"(
## What it looks for
The DKMS driver's release against kernels it is published not to build on.

## Why it matters
Every kernel or driver update ends in a failed package.

## How to mend it
The next driver release, an older kernel, or the in-tree driver (`amdgpu-install --no-dkms`).

## Not this
A build that fails for another reason: RV206 shows the log.

## References
- https://github.com/ROCm/amdgpu/issues
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/reference/system-requirements.html
)";

std::vector<Finding> run_driver_does_not_build_here(const Context& context) {
  const Machine& machine = context.machine;
  if (dkms_packages(machine).empty() && dkms_driver_version(machine).empty())
    return {none_here("there is no DKMS driver here")};
  if (machine.surroundings.container) return {skip("the driver is the host's matter")};
  bool broken = !dkms_only_added(machine).empty();
  for (const Package* package : dkms_packages(machine)) broken |= is_broken(*package);
  std::vector<Finding> findings;
  for (const KnownIssue& issue : issues_about(context, "dkms-build")) {
    findings.push_back((broken ? failing(issue.because) : passing(issue.because))
                           .about(issue.id)
                           .saw("source: " + issue.source)
                           .sees("driver-published-not-to-build-here")
                           .fix({Step::of_database(issue.remedy)})
                           .root()
                           .reboot());
  }
  return or_pass(std::move(findings), "nothing is published against this driver on this kernel");
}

}  // namespace

extern const Check kDriverDoesNotBuildHere;
constinit const Check kDriverDoesNotBuildHere{
    .code = "RV218",
    .id = "driver-does-not-build-here",
    .topic = "driver",
    .title = "This driver release is known not to build on this kernel",
    .doc = kDriverDoesNotBuildHereDoc,
    .run = run_driver_does_not_build_here};

}  // namespace rocvet
