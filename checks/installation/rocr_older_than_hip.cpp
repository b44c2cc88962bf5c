#include <optional>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"
#include "checks/logs/app_errors.h"
#include "db/version.h"

namespace rocvet {
namespace {

constexpr std::string_view kRocrOlderThanHipDoc = R"(
## What it looks for
The distribution's packages of ROCr and of HIP: whether ROCr's release is older than HIP's, and
whether the package manager holds it there.

## Why it matters
HIP calls functions that came with its own release of ROCr. A newer ROCr has the old ones too, an
older one lacks the new: "undefined symbol: hsa_amd_…".

## How to mend it
Lift the hold and upgrade both together.

## Not this
AMD's own packages of two releases: RV417.

## References
- https://www.debian.org/doc/manuals/debian-reference/ch02.en.html
)";

/// Packages of one job under the names of Debian, Fedora, openSUSE and Arch.
constexpr std::string_view kRocr[] = {"libhsa-runtime64-1", "rocm-runtime", "hsa-rocr"};
constexpr std::string_view kHip[] = {"libamdhip64-7", "libamdhip64-6", "libamdhip64-5", "rocm-hip",
                                     "hip-runtime-amd"};

const Package* first_of(const Machine& machine, std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    if (const Package* package = find_package(machine, name)) return package;
  }
  return nullptr;
}

/// "6.4" of "6.4.3-5" and "1:6.4.3+dfsg-1"; nullopt of AMD's numbers, which end in "60403".
std::optional<Version> series(const Package& package) {
  std::string_view text = package.version;
  if (const std::size_t colon = text.find(':'); colon != text.npos) text.remove_prefix(colon + 1);
  text = text.substr(0, text.find_first_of("-+~"));
  const auto version = Version::parse(text);
  if (!version || version->parts.size() < 2 || version->parts.size() > 3 || version->parts[0] < 4)
    return std::nullopt;
  return Version{{version->parts[0], version->parts[1]}};
}

std::vector<Finding> run_rocr_older_than_hip(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.software.packages)
    return {unread(machine.software.packages.error(),
                   "there is no package database that rocvet reads")};
  const Package* rocr = first_of(machine, kRocr);
  const Package* hip = first_of(machine, kHip);
  if (rocr == nullptr || hip == nullptr)
    return {none_here("the distribution's packages of ROCr and HIP are not installed")};
  const auto below = series(*rocr), above = series(*hip);
  if (!below || !above) return {skip("the packages' versions do not say which release they are")};
  if (!(*below < *above)) return {pass("ROCr is not older than HIP")};
  const bool complaint = app_log_has(context, "undefined symbol: hsa_");
  const std::string words =
      rocr->name + " " + rocr->version + " is older than " + hip->name + " " + hip->version;
  return Say(complaint ? Verdict::fail : Verdict::warn, words)
      .sees("rocr-package-older-than-hip")
      .fix({family(machine) == Family::apt
                ? Step("sudo apt-mark unhold {} && sudo apt install {}", rocr->name, rocr->name)
                : install_command(machine, rocr->name, rocr->name, rocr->name, rocr->name)})
      .root();
}

}  // namespace

extern const Check kRocrOlderThanHip;
constinit const Check kRocrOlderThanHip{.code = "RV426",
                                        .id = "rocr-older-than-hip",
                                        .topic = "installation",
                                        .title = "ROCr's package is older than HIP's",
                                        .doc = kRocrOlderThanHipDoc,
                                        .run = run_rocr_older_than_hip};

}  // namespace rocvet
