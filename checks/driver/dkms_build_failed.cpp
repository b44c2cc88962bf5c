#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/driver/driver_packages.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
A driver package that is half-configured, a DKMS version that is only "added", build logs with
errors.

## Why it matters
The kernel runs with the in-tree driver or none, and apt fails at every run.

## How to mend it
Install the driver release that supports this kernel, boot a kernel that it supports, or go
without DKMS: `amdgpu-install --no-dkms`.

## Not this
A driver that builds, but was not built for this kernel: RV207. Packages of another distribution
release: RV405.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/reference/system-requirements.html
- https://github.com/dell/dkms
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  const std::vector<const Package*> packages = dkms_packages(machine);
  const auto added = dkms_only_added(machine);
  std::vector<std::string> evidence;
  double strength = 0;
  for (const Package* package : packages) {
    if (!is_broken(*package)) continue;
    evidence.push_back(describe(*package));
    strength = 0.6;
  }
  for (const std::string& state : added) {
    evidence.push_back("dkms: " + state);
    strength = strength > 0 ? 0.75 : 0.5;
  }
  for (const DkmsLog& log : machine.driver.dkms_logs) {
    if (log.errors.empty() && log.path.find(".crash") == std::string::npos) continue;
    evidence.push_back(log.path + ": " +
                       (log.errors.empty() ? "the build failed" : log.errors.front()));
    strength = strength > 0 ? 0.85 : 0.55;
  }
  if (strength == 0) {
    if (packages.empty()) return {pass("no DKMS driver is installed")};
    return {pass("the DKMS driver is configured")};
  }
  if (machine.surroundings.container)
    return failing("a kernel driver package could not be configured in this container")
        .saw(evidence)
        .vote("driver-packages-in-container", 0.9);
  const bool conflict = !packages.empty() && packages.size() > 1;
  return failing("the DKMS driver could not be built for kernel " +
                 machine.kernel.release.value_or("?"))
      .saw(evidence)
      .vote("dkms-build-failed-kernel-too-new", conflict ? strength * 0.6 : strength)
      .fix({"amdgpu-install --no-dkms   # the in-tree driver",
            "or install the driver release that supports this kernel"})
      .root()
      .reboot();
}

}  // namespace

extern const Check kDkmsBuildFailed;
constinit const Check kDkmsBuildFailed{.code = "RV206",
                                       .id = "dkms-build-failed",
                                       .topic = "driver",
                                       .title = "The DKMS driver could not be built",
                                       .doc = kDoc,
                                       .run = run};

}  // namespace rocvet
