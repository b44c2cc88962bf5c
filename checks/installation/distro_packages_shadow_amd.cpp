#include <algorithm>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kDistroPackagesShadowAmdDoc = R"(
## What it looks for
Packages of ROCm with distribution versions beside AMD's repository, apt's pin for it, and which
version apt would take.

## Why it matters
Ubuntu and Debian have rocminfo, rocm-cmake, hipcc … of their own. Without a pin a higher number
wins, and AMD's packages cannot be satisfied.

## How to mend it
`printf 'Package: *\nPin: release o=repo.radeon.com\nPin-Priority: 600\n' | sudo tee
/etc/apt/preferences.d/rocm-pin-600`, then `sudo apt update` and install again.

## Not this
A machine that uses the distribution's ROCm alone.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/install-methods/package-manager/package-manager-ubuntu.html
- https://wiki.debian.org/AptConfiguration
)";

bool amd_version(std::string_view version) {
  // AMD's carry the release as five or more digits: 1.0.0.60202-116~22.04.
  std::size_t digits = 0;
  for (const char letter : version) {
    digits = letter >= '0' && letter <= '9' ? digits + 1 : 0;
    if (digits >= 5) return true;
  }
  return false;
}

bool distribution_brought_rocm(const Machine& machine) {
  return std::ranges::any_of(machine.software.rocm, [](const RocmInstall& install) {
    return install.owner == RocmOwner::distro_packages;
  });
}

std::vector<Finding> run_distro_packages_shadow_amd(const Context& context) {
  const Machine& machine = context.machine;
  if (family(machine) != Family::apt)
    return {distribution_brought_rocm(machine) ? skip("no apt here")
                                               : pass("no ROCm of the distribution's is here")};
  bool amd_repository = false;
  for (const RepositoryLine& line : machine.software.repositories)
    amd_repository |= line.text.find("repo.radeon.com/rocm") != std::string::npos;
  if (!amd_repository) return {pass("AMD's ROCm repository is not used")};
  bool pinned = false;
  std::string malformed_pin;
  if (machine.software.apt_pins) {
    for (const AptPin& pin : *machine.software.apt_pins) {
      pinned |= pin.well_formed && pin.priority > 500;
      if (!pin.well_formed) malformed_pin = pin.file + ": " + pin.text;
    }
  }
  std::vector<std::string> evidence;
  bool distro_wins = false;
  for (const PackageOffer& offer : machine.software.offers) {
    if (!offer.candidate || amd_version(offer.version) ||
        offer.origin.find("radeon") != std::string::npos)
      continue;
    bool amd_too = false;
    for (const PackageOffer& other : machine.software.offers)
      amd_too |= other.package == offer.package &&
                 (amd_version(other.version) || other.origin.find("radeon") != std::string::npos);
    if (!amd_too) continue;
    distro_wins = true;
    evidence.push_back("apt would take " + offer.package + " " + offer.version);
  }
  const bool complaint =
      app_log_has(context, "is to be installed") || app_log_has(context, "unmet dependencies") ||
      app_log_has(context, "held broken packages") || app_log_has(context, "Depends on rocm") ||
      app_log_has(context, "Depends on hip");
  bool mixed = false;
  for (const char* name : {"rocminfo", "rocm-cmake", "hipcc", "rocm-device-libs", "libamdhip64-5",
                           "libhsa-runtime64-1"}) {
    const Package* package = find_package(machine, name);
    if (package == nullptr || amd_version(package->version)) continue;
    mixed = mixed || complaint || find_package(machine, "rocm-core") != nullptr;
    evidence.push_back(describe(*package) + " is the distribution's");
  }
  if (!malformed_pin.empty())
    evidence.push_back("malformed pin: " + malformed_pin);
  else if (!pinned)
    evidence.push_back("no pin for repo.radeon.com");
  if (pinned && !distro_wins && malformed_pin.empty()) return {pass("AMD's repository is pinned")};
  const bool bad = distro_wins || !malformed_pin.empty() || (complaint && !pinned);
  if (!bad && !mixed)
    return passing("AMD's repository has no pin").sees("amd-repository-without-pin");
  Finding said =
      (bad ? failing("the distribution's ROCm packages win over AMD's")
           : passing("the distribution's ROCm packages lie beside AMD's"))
          .saw(evidence)
          .fix(
              {"printf 'Package: *\\nPin: release o=repo.radeon.com\\nPin-Priority: 600\\n' | sudo "
               "tee /etc/apt/preferences.d/rocm-pin-600",
               "sudo apt update"})
          .verify("apt policy rocminfo")
          .undo("sudo rm /etc/apt/preferences.d/rocm-pin-600")
          .root();
  if (!pinned) said.seen.push_back("amd-repository-without-pin");
  if (!malformed_pin.empty()) said.seen.push_back("apt-pin-malformed");
  if (mixed) said.seen.push_back("distro-rocm-packages-beside-amd");
  if (distro_wins) said.seen.push_back("apt-would-take-distro-rocm");
  return {said};
}

}  // namespace

extern const Check kDistroPackagesShadowAmd;
constinit const Check kDistroPackagesShadowAmd{
    .code = "RV404",
    .id = "distro-packages-shadow-amd",
    .topic = "installation",
    .title = "The distribution's ROCm packages win over AMD's",
    .doc = kDistroPackagesShadowAmdDoc,
    .run = run_distro_packages_shadow_amd};

}  // namespace rocvet
