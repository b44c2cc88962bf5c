#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/driver/driver_packages.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDkmsBuildFailedDoc = R"(
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

std::vector<Finding> run_dkms_build_failed(const Context& context) {
  const Machine& machine = context.machine;
  const std::vector<const Package*> packages = dkms_packages(machine);
  const auto added = dkms_only_added(machine);
  std::vector<std::string> evidence;
  bool half_configured = false, failed = false;
  for (const Package* package : packages) {
    if (!is_broken(*package)) continue;
    evidence.push_back(describe(*package));
    half_configured = true;
  }
  for (const std::string& state : added) {
    evidence.push_back("dkms: " + state);
  }
  for (const DkmsLog& log : machine.driver.dkms_logs) {
    if (log.errors.empty() && log.path.find(".crash") == std::string::npos) continue;
    evidence.push_back(log.path + ": " +
                       (log.errors.empty() ? "the build failed" : log.errors.front()));
    failed = true;
  }
  if (evidence.empty()) {
    if (packages.empty()) return {pass("no DKMS driver is installed")};
    return {pass("the DKMS driver is configured")};
  }
  if (machine.surroundings.container)
    return failing("a kernel driver package could not be configured in this container")
        .saw(evidence)
        .sees("driver-package-not-built-in-container");
  // Nobody asked for it to be built, or it is what another release left behind.
  if (!half_configured && !failed && machine.driver.is_loaded("amdgpu") &&
      !kfd_gpus(machine).empty()) {
    return warning("DKMS has a GPU driver that is built for no kernel; another one drives the GPU")
        .saw(evidence)
        .sees("dkms-driver-only-added")
        .fix({"sudo dkms status",
              "sudo dkms remove -m amdgpu -v OLD_VERSION --all   # where the "
              "driver in use is the one that you want"})
        .root();
  }
  Finding finding = failing("the DKMS driver could not be built for kernel " +
                            machine.kernel.release.value_or("?"))
                        .saw(evidence)
                        .fix({"amdgpu-install --no-dkms   # the in-tree driver",
                              "or install the driver release that supports this kernel"})
                        .root()
                        .reboot();
  if (half_configured) finding.seen.push_back("dkms-package-half-configured");
  if (!added.empty()) finding.seen.push_back("dkms-driver-only-added");
  if (failed) finding.seen.push_back("dkms-build-log-has-errors");
  return {finding};
}

}  // namespace

extern const Check kDkmsBuildFailed;
constinit const Check kDkmsBuildFailed{.code = "RV206",
                                       .id = "dkms-build-failed",
                                       .topic = "driver",
                                       .title = "The DKMS driver could not be built",
                                       .doc = kDkmsBuildFailedDoc,
                                       .run = run_dkms_build_failed};

}  // namespace rocvet
