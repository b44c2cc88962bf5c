#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kConflictingDriverPackagesDoc = R"(
## What it looks for
rock-dkms and amdgpu-dkms, or amdgpu-pro and ROCm's driver, together in the package database, or
one refused because of the other.

## Why it matters
Both install the same module and firmware files. dpkg stops with "trying to overwrite", and what
is loaded is left to chance.

## How to mend it
Purge one of the two, then install the other again.

## Not this
Two releases of one package left by an upgrade: RV214.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/install-methods/package-manager-index.html
- https://man7.org/linux/man-pages/man1/dpkg.1.html
)";

std::vector<Finding> run_conflicting_driver_packages(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.software.packages)
    return {unread(machine.software.packages.error(),
                   "there is no package database that rocvet reads")};
  const Package* rock = find_package(machine, "rock-dkms");
  const Package* amdgpu = find_package(machine, "amdgpu-dkms");
  const Package* pro = find_package(machine, "amdgpu-pro-dkms");
  const Package* first = rock != nullptr ? rock : pro;
  if (first == nullptr || (amdgpu == nullptr && pro == nullptr) ||
      (rock == nullptr && amdgpu == nullptr))
    return {pass("no two driver packages own the same files")};
  const Package* second = amdgpu != nullptr ? amdgpu : pro;
  const Package* bad = is_broken(*first) ? first : second;
  return failing(first->name + " and " + second->name + " are both installed")
      .saw(describe(*first))
      .saw(describe(*second))
      .fix({remove_command(machine, (bad == first ? second : first)->name), "sudo apt -f install"})
      .root()
      .reboot();
}

}  // namespace

extern const Check kConflictingDriverPackages;
constinit const Check kConflictingDriverPackages{.code = "RV213",
                                                 .id = "conflicting-driver-packages",
                                                 .topic = "driver",
                                                 .title = "Two driver packages own the same files",
                                                 .doc = kConflictingDriverPackagesDoc,
                                                 .run = run_conflicting_driver_packages};

}  // namespace rocvet
