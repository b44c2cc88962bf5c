#include <algorithm>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"
#include "formats/package_log.h"
#include "machine/read_package_files.h"

namespace rocvet {
namespace {

constexpr std::string_view kUpgradedLastDoc = R"(
## What it looks for
The package manager's log (dpkg.log, pacman.log, dnf.rpm.log): of the last day on which anything was
upgraded, the kernel, amdgpu-dkms, the firmware package and ROCm among it.

## Why it matters
What worked yesterday and fails after an upgrade is most often a defect of what was upgraded. This log
says what that was, and which version to go back to.

## How to mend it
Install the version that was there before, and hold it until the next one is out.

## Not this
An upgrade on a machine of which nobody complains: nothing is wrong with it.

## References
- https://wiki.archlinux.org/title/Downgrading_packages
- https://manpages.debian.org/stable/dpkg/dpkg.1.en.html
)";

enum class Part { none, driver, firmware, rocm };

Part part_of(const std::string& package) {
  constexpr std::string_view kDriver[] = {
      "linux-image-*", "kernel-core", "kernel",         "kernel-default", "linux",
      "linux-lts",     "linux-zen",   "linux-cachyos*", "amdgpu-dkms",    "linux-modules-extra-*",
      "linux-stable"};
  const auto fits = [&](std::string_view pattern) { return glob_match(pattern, package); };
  if (is_firmware_package(package)) return Part::firmware;
  if (std::ranges::any_of(kDriver, fits)) return Part::driver;
  return is_package_of_rocm(package) ? Part::rocm : Part::none;
}

ObservationName observation_of(Part part) {
  return part == Part::driver     ? ObservationName("driver-upgraded-last")
         : part == Part::firmware ? ObservationName("firmware-upgraded-last")
                                  : ObservationName("rocm-upgraded-last");
}

std::vector<Finding> run_upgraded_last(const Context& context) {
  const std::vector<PackageChange> changes = package_changes(context.machine.software.package_log);
  if (changes.empty()) return {none_here("the package manager has no log here")};
  const std::string& last = changes.back().date;
  Finding finding = skip("the last upgrade (" + last + ") was of nothing that drives the GPU");
  for (const Part part : {Part::driver, Part::firmware, Part::rocm}) {
    for (const PackageChange& change : changes) {
      // A first installation of ROCm is no upgrade; kernels are installed beside each other.
      const bool counts = part != Part::rocm || !change.installed;
      if (change.date != last || part_of(change.package) != part || !counts) continue;
      finding.verdict = Verdict::pass;
      finding.summary =
          "what drives the GPU was upgraded on " + last + ", the last day of upgrades";
      finding.evidence.push_back(change.package + ": " +
                                 (change.from.empty() ? "" : change.from + " to ") + change.to);
      finding.seen.push_back(observation_of(part));
      break;
    }
  }
  return {finding};
}

}  // namespace

extern const Check kUpgradedLast;
constinit const Check kUpgradedLast{.code = "RV428",
                                    .id = "upgraded-last",
                                    .topic = "installation",
                                    .title = "What was upgraded last",
                                    .doc = kUpgradedLastDoc,
                                    .run = run_upgraded_last};

}  // namespace rocvet
