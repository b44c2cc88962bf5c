#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/driver/driver_packages.h"
#include "checks/facts/packages.h"
#include "checks/facts/situation.h"
#include "db/version.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
A running kernel of the kfd-compute-rocm series, which ROCm shipped before it had a DKMS driver.

## Why it matters
The driver packages of later releases are not built for it, and it lacks years of fixes.

## How to mend it
Boot the distribution's kernel and remove the linux-image-*-compute-rocm-* packages.

## Not this
Another kernel for which the DKMS driver is missing: RV207.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/reference/system-requirements.html
)";

/// "4.11.0-kfd-compute-rocm-rel-1.6-180" beside ROCm 1.7, the first whose driver is a package.
bool is_of_a_later_rocm(std::string_view release, const std::string& rocm) {
  constexpr std::string_view kRelease = "rocm-rel-";
  const std::size_t at = release.find(kRelease);
  if (at == release.npos) return false;
  std::string_view number = release.substr(at + kRelease.size());
  const auto kernels = Version::parse(number.substr(0, number.find('-')));
  const auto here = Version::parse(rocm);
  return kernels && here && *kernels < *here && !here->starts_with(*kernels);
}

std::vector<Finding> run(const Context& context) {
  const auto& release = context.machine.kernel.release;
  if (!release) return {unknown(release.error())};
  if (release->find("compute-rocm-rel") == std::string::npos)
    return {pass("the kernel is no leftover of an old ROCm")};
  const bool dkms = !dkms_packages(context.machine).empty();
  const std::string here = rocm_version(context.machine);
  if (!dkms && !is_of_a_later_rocm(*release, here))
    return {pass("a kernel of an old ROCm, and no later driver package")};
  return failing("a kernel of an old ROCm release is booted: " + *release)
      .saw("running kernel: " + *release)
      .saw(dkms ? "a DKMS driver package of a later release is installed"
                : "ROCm " + here + " is installed, whose driver is a DKMS package")
      .fix({"boot the distribution's kernel",
            remove_command(context.machine, "linux-image-*compute-rocm*")})
      .root()
      .reboot();
}

}  // namespace

extern const Check kOldComputeKernel;
constinit const Check kOldComputeKernel{.code = "RV222",
                                        .id = "old-compute-kernel",
                                        .topic = "driver",
                                        .title = "A kernel of an old ROCm release is booted",
                                        .doc = kDoc,
                                        .run = run};

}  // namespace rocvet
