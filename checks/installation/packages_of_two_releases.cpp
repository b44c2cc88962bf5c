#include <map>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"
#include "db/version.h"

namespace rocvet {
namespace {

constexpr std::string_view kPackagesOfTwoReleasesDoc = R"(
## What it looks for
The release number in the versions of AMD's packages that have no release in their name (rocblas
4.2.0.60200-66 is of 6.2.0). Arch's packages carry the release as their version, and are compared by
its first two parts.

## Why it matters
An upgrade that was interrupted, or a pin, left some behind. The libraries of one release are built
against each other: symbols are missing, or kernels are not found.

## How to mend it
Finish the upgrade: `sudo apt update && sudo apt full-upgrade` (`sudo pacman -Syu`), or
`sudo amdgpu-install --uninstall` and install one release.

## Not this
Several releases side by side: their packages have the release in their names (rocblas6.2.0). On
Arch a patch release of one package ahead of the others.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/install-methods/package-manager-index.html
)";

constexpr std::string_view kComparedPackages[] = {
    "rocm-core",        "hip-runtime-amd", "hsa-rocr", "comgr",   "rocblas",   "hipblas",
    "hipblaslt",        "miopen-hip",      "rccl",     "rocfft",  "rocsolver", "rocsparse",
    "rocm-device-libs", "hipcc",           "rocminfo", "hiprand", "rocm-llvm"};

/// 60200 of "4.2.0.60200-66~22.04", "6.2" of Arch's "6.2.4-1"; "" for a version that is neither.
std::string release_of(std::string_view version, Family family) {
  version = version.substr(0, version.find('-'));
  if (family == Family::pacman) {
    const auto parsed = Version::parse(version);
    if (!parsed || parsed->parts.size() < 2) return "";
    return Version{{parsed->parts[0], parsed->parts[1]}}.text();
  }
  const std::string_view last = version.substr(version.rfind('.') + 1);
  return last.size() >= 5 && last.size() <= 6 && parse_number(last) ? std::string(last) : "";
}

std::vector<Finding> run_packages_of_two_releases(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.software.packages)
    return {unread(machine.software.packages.error(),
                   "there is no package database that rocvet reads")};
  const Family distribution = family(machine);
  std::map<std::string, std::vector<std::string>> releases;
  for (const std::string_view name : kComparedPackages) {
    const Package* package = find_package(machine, name);
    if (package == nullptr) continue;
    if (const std::string release = release_of(package->version, distribution); !release.empty())
      releases[release].push_back(package->name + " " + package->version);
  }
  if (releases.empty()) return {none_here("AMD's packages are not installed")};
  if (releases.size() == 1) return {pass("ROCm's packages are of one release")};
  std::vector<std::string> evidence;
  for (const auto& [release, names] : releases)
    evidence.push_back(names.front() + (names.size() > 1
                                            ? " and " + std::to_string(names.size() - 1) + " more"
                                            : ""));
  Finding finding =
      warning("ROCm's packages are of " + std::to_string(releases.size()) + " releases")
          .saw(evidence)
          .fix({distribution == Family::apt      ? Step("sudo apt update && sudo apt full-upgrade")
                : distribution == Family::pacman ? Step("sudo pacman -Syu")
                                                 : Step("sudo dnf distro-sync"),
                "rocvet check --only RV417"})
          .root();
  if (distribution == Family::pacman) finding.seen.push_back("rolling-packages-of-two-releases");
  return {finding};
}

}  // namespace

extern const Check kPackagesOfTwoReleases;
constinit const Check kPackagesOfTwoReleases{.code = "RV417",
                                             .id = "packages-of-two-releases",
                                             .topic = "installation",
                                             .title = "ROCm's packages are of different releases",
                                             .doc = kPackagesOfTwoReleasesDoc,
                                             .run = run_packages_of_two_releases};

}  // namespace rocvet
