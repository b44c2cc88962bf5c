#include <algorithm>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"
#include "checks/facts/situation.h"
#include "db/question_of.h"

namespace rocvet {
namespace {

constexpr std::string_view kWrongDistroReleaseDoc = R"(
## What it looks for
Codenames in AMD's repository lines and the suffixes of its packages (~22.04, .el8) against the
running release.

## Why it matters
Libraries and DKMS sources are made for one release: other compilers, other kernels, other
sonames.

## How to mend it
Purge them and install amdgpu-install of the running release.

## Not this
A release for which AMD has no packages: the next older ones are then what there is.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/reference/system-requirements.html
- https://repo.radeon.com/amdgpu-install/
)";

const char* codename_of(std::string_view version) {
  if (version == "18.04") return "bionic";
  if (version == "20.04") return "focal";
  if (version == "22.04") return "jammy";
  if (version == "24.04") return "noble";
  if (version == "26.04") return "resolute";
  return "";
}
/// "22.04" in "6.0.60000-1697589.22.04" or "…~22.04"; "el8" in "…el8"; "" when there is none.
std::string release_suffix(std::string_view version) {
  for (const char* release : {"16.04", "18.04", "20.04", "22.04", "24.04", "26.04"}) {
    const std::string dot = std::string(".") + release, tilde = std::string("~") + release;
    if (version.ends_with(dot) || version.ends_with(tilde)) return release;
  }
  for (const char* release : {"el7", "el8", "el9", "el10"}) {
    if (version.ends_with(std::string(".") + release)) return release;
  }
  return "";
}

std::vector<Finding> run_wrong_distro_release(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.distro) return {unknown(machine.distro.error())};
  const Distro& distro = *machine.distro;
  const std::string codename =
      distro.ubuntu_codename.empty() ? distro.codename : distro.ubuntu_codename;
  const std::string own_codename = codename_of(distro.version);
  const bool ubuntu =
      !own_codename.empty() && (distro.id == "ubuntu" || !distro.ubuntu_codename.empty());
  const bool el = distro.id == "rhel" || distro.id == "rocky" || distro.id == "centos" ||
                  distro.id == "almalinux" || distro.id == "ol";
  std::vector<std::string> evidence;
  if (ubuntu && !codename.empty()) {
    for (const RepositoryLine& line : machine.software.repositories) {
      if (line.text.find("repo.radeon.com") == std::string::npos) continue;
      for (const std::string_view word : words(line.text)) {
        for (const char* other : {"xenial", "bionic", "focal", "jammy", "noble", "resolute"}) {
          if (word == other && other != codename) {
            evidence.push_back(line.file + " names " + other + ", this is " + codename);
          }
        }
      }
    }
  }
  const std::string own = ubuntu ? distro.version
                          : el   ? "el" + distro.version.substr(0, distro.version.find('.'))
                                 : "";
  // AMD puts packages of one release into the repository of another: what the repository of this
  // release offers is for it.
  const bool from_own =
      el && std::ranges::any_of(machine.software.repositories, [&](const RepositoryLine& line) {
        // "rocm/el9/", from 7.0 on "rocm/rhel9/".
        return line.text.find("repo.radeon.com/rocm/" + own + "/") != std::string::npos ||
               line.text.find("repo.radeon.com/rocm/rh" + own + "/") != std::string::npos;
      });
  if (!own.empty() && machine.software.packages && !from_own) {
    std::string first;
    for (const Package& package : *machine.software.packages) {
      if (package.state == "config-files") continue;
      const std::string suffix = release_suffix(package.version);
      const bool ours = package.name.starts_with("amdgpu") || package.name.starts_with("rocm") ||
                        package.name.starts_with("hip") || package.name.starts_with("hsa-");
      if (!ours || suffix.empty() || suffix == own || !first.empty()) continue;
      first = describe(package) + " is for " + suffix + ", this is " + own;
    }
    if (!first.empty()) evidence.push_back(first);
  }
  if (evidence.empty()) return {pass("AMD's packages are for this release, or there are none")};
  // AMD's series must know this release: else the older packages are the nearest there are.
  const std::string version = rocm_version(machine);
  const std::string series = version.substr(0, version.find('.'));
  bool available = false;
  for (const char* minor : {".0", ".1", ".2", ".3", ".4"}) {
    const auto answer = context.db.ask({.rocm = series + minor, .os = question_of(machine).os});
    available |=
        answer && (answer->verdict == Support::supported || answer->verdict == Support::deprecated);
  }
  const bool broken = !available ? false : true;
  return (broken
              ? failing("packages for another release of the distribution are installed")
              : passing("packages of another release are used; AMD's series has none for this one"))
      .saw(evidence)
      .sees(broken ? ObservationName("packages-of-another-distro-release")
                   : ObservationName("packages-of-nearest-distro-release"))
      .fix(
          {"sudo amdgpu-install --uninstall", Step("install the amdgpu-install package of {}",
                                                   (codename.empty() ? distro.version : codename))})
      .root()
      .reboot();
}

}  // namespace

extern const Check kWrongDistroRelease;
constinit const Check kWrongDistroRelease{
    .code = "RV405",
    .id = "wrong-distro-release",
    .topic = "installation",
    .title = "Packages for another release of the distribution are installed",
    .doc = kWrongDistroReleaseDoc,
    .run = run_wrong_distro_release};

}  // namespace rocvet
