#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/driver/driver_packages.h"
#include "checks/facts/packages.h"
#include "machine/read_package_files.h"

namespace rocvet {
namespace {

constexpr std::string_view kPackageNotConfiguredDoc = R"(
## What it looks for
Packages of ROCm and its driver in a state other than installed.

## Why it matters
A half-configured package has not run its scripts: links, udev rules or modules are missing, and
apt stops at it again and again.

## How to mend it
`sudo dpkg --configure -a` and read what fails.

## Not this
A DKMS package whose build fails: RV206.

## References
- https://man7.org/linux/man-pages/man1/dpkg.1.html
)";

std::vector<Finding> run_package_not_configured(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.software.packages)
    return {unread(machine.software.packages.error(),
                   "there is no package database that rocvet reads")};
  std::vector<std::string> evidence;
  for (const Package* package : find_packages(machine, "*")) {
    const bool of_gpu = is_package_of_rocm(package->name) || package->name.starts_with("amdgpu-");
    if (of_gpu && is_broken(*package) && !is_dkms_package(package->name))
      evidence.push_back(describe(*package));
  }
  if (evidence.empty()) return {pass("every ROCm package is fully installed")};
  return warning("a ROCm package is not fully installed")
      .saw(evidence)
      .fix({"sudo dpkg --configure -a"})
      .root();
}

}  // namespace

extern const Check kPackageNotConfigured;
constinit const Check kPackageNotConfigured{
    .code = "RV223",
    .id = "package-not-configured",
    .topic = "driver",
    .title = "A ROCm or driver package is not fully installed",
    .doc = kPackageNotConfiguredDoc,
    .run = run_package_not_configured};

}  // namespace rocvet
