#include <algorithm>
#include <array>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"
#include "checks/logs/app_errors.h"
#include "db/knowledge.h"

namespace rocvet {
namespace {

constexpr std::string_view kInstallerRefusesSystemDoc = R"(
## What it looks for
amdgpu-install on a derivative (Pop!_OS, KDE neon, Zorin …) whose ID in /etc/os-release the script does not
know, where somebody speaks of it, or of an installation that left no ROCm behind.

## Why it matters
"Unsupported OS": the script compares ID alone, and ID_LIKE does not help.

## How to mend it
Add the ID to the script's case, or set up the repositories by hand.

## Not this
A distribution of its own (Arch, Gentoo): AMD has no packages for it.

## References
- https://github.com/ROCm/legacy-rocm-build/issues/5925
)";

std::vector<Finding> run_installer_refuses_system(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.distro) return {unknown(machine.distro.error())};
  const Distro& distro = *machine.distro;
  const auto& known = context.db.knowledge().words("systems-of-amdgpu-install");
  const auto is_known = [&](const std::string& id) {
    return std::ranges::find(known, id) != known.end();
  };
  if (is_known(distro.id) || !std::ranges::any_of(distro.like, is_known))
    return {skip("amdgpu-install knows " + distro.id + ", or AMD has no packages for its like")};
  const bool installed = find_package(machine, "amdgpu-install") != nullptr;
  // Who has the installer, nothing of what it installs, and speaks of installing, speaks of it.
  const bool meant =
      installed && machine.software.rocm.empty() &&
      std::ranges::any_of(std::array{"install", "installation", "installer"},
                          [&](const char* word) { return speaks_of(context, word); });
  if (!meant && !speaks_of(context, "amdgpu-install"))
    return {pass("nobody speaks of amdgpu-install, which does not know " + distro.id)};
  return Say(installed ? Verdict::warn : Verdict::pass, "amdgpu-install does not know " + distro.id)
      .saw("/etc/os-release: ID=" + distro.id)
      .saw(installed ? "amdgpu-install is installed" : "")
      .sees("system-unknown-to-amdgpu-install")
      .fix({"rocvet advise   # the repositories by hand"});
}

}  // namespace

extern const Check kInstallerRefusesSystem;
constinit const Check kInstallerRefusesSystem{
    .code = "RV433",
    .id = "installer-refuses-system",
    .topic = "installation",
    .title = "amdgpu-install does not know this derivative",
    .doc = kInstallerRefusesSystemDoc,
    .run = run_installer_refuses_system};

}  // namespace rocvet
