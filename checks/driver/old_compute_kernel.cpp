#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/driver/driver_packages.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kOldComputeKernelDoc = R"(
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

std::vector<Finding> run_old_compute_kernel(const Context& context) {
  const auto& release = context.machine.kernel.release;
  if (!release) return {unknown(release.error())};
  if (release->find("compute-rocm-rel") == std::string::npos)
    return {pass("the kernel is no leftover of an old ROCm")};
  const bool dkms = !dkms_packages(context.machine).empty();
  if (!dkms) return {pass("a kernel of an old ROCm, and no later driver package")};
  return failing("a kernel of an old ROCm release is booted: " + *release)
      .saw("running kernel: " + *release)
      .saw("a DKMS driver package of a later release is installed")
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
                                        .doc = kOldComputeKernelDoc,
                                        .run = run_old_compute_kernel};

}  // namespace rocvet
