#include "checks/application/blamed_version.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/add_once.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/told_version.h"
#include "db/version.h"

namespace rocvet {
namespace {

constexpr std::string_view kBlamedVersionDoc = R"(
## What it looks for
Versions of the kernel, of amdgpu-dkms, of the firmware package and of ROCm that somebody's words
(`--log FILE`) name as those with which the trouble began, or with which all was well; and whether
what is named is what runs here.

## Why it matters
What worked with one release and fails with the next is most likely a defect of the next, as long as
nothing else is wrong with the machine. The words alone say little: that the version is here is what
counts.

## How to mend it
Go back to the version that worked, hold it, and report the defect with both versions.

## Not this
A published defect of the release that is here: RV411.

## References
- https://docs.kernel.org/admin-guide/bug-bisect.html
)";

using Of = ToldVersion::Of;

/// A version that is here, with what it is called.
struct Here {
  std::string called, version;
};

Here of_package(const Package& package) {
  return {package.name, without_epoch(package.version)};
}

std::vector<Here> versions_here(const Machine& machine, Of of) {
  std::vector<Here> here;
  switch (of) {
    case Of::kernel:
      if (machine.kernel.release) here.push_back({"kernel", *machine.kernel.release});
      break;
    case Of::rocm:
      for (const RocmInstall& rocm : machine.software.rocm) {
        if (rocm.version && !rocm.leftover) here.push_back({"ROCm in " + rocm.root, *rocm.version});
      }
      for (const PythonEnvironment& python : machine.software.python) {
        for (const Framework& framework : python.frameworks) {
          if (framework.hip_version)
            here.push_back({"ROCm of " + framework.name, *framework.hip_version});
        }
      }
      break;
    case Of::firmware:
      for (const Package* package : find_packages(machine, "*firmware*")) {
        if (is_firmware_package(package->name)) here.push_back(of_package(*package));
      }
      break;
    case Of::driver_package:
      if (const Package* package = find_package(machine, "amdgpu-dkms"))
        here.push_back(of_package(*package));
      if (machine.driver.amdgpu && machine.driver.version)
        here.push_back({"amdgpu", *machine.driver.version});
      break;
    case Of::unknown:
      break;
  }
  return here;
}

/// A date stands somewhere in a package's version, any other number at its beginning.
bool is_here(const Here& here, Of of, const std::string& told) {
  return of == Of::firmware ? here.version.find(told) != std::string::npos
                            : is_of_version(here.version, told);
}

/// A number without a name is the kernel's or ROCm's when it is long enough to be no accident.
Of owner_of(const Machine& machine, const ToldVersion& told) {
  if (told.of != Of::unknown) return told.of;
  if (std::ranges::count(told.version, '.') < 2) return Of::unknown;
  for (const Of of : {Of::kernel, Of::rocm, Of::driver_package}) {
    for (const Here& here : versions_here(machine, of)) {
      if (is_here(here, of, told.version)) return of;
    }
  }
  return Of::unknown;
}

struct JudgedVersion {
  bool fails_here = false, works_here = false;
  bool worked_older = false, works_newer = false;
  std::vector<std::string> evidence;
};

JudgedVersion judge(const Machine& machine, Of of, const std::vector<ToldVersion>& all) {
  JudgedVersion judged;
  const std::vector<Here> present = versions_here(machine, of);
  for (const ToldVersion& told : all) {
    if (owner_of(machine, told) != of) continue;
    for (const Here& here : present) {
      const bool same = told.version.empty() || is_here(here, of, told.version);
      const auto mine = Version::parse(here.version), theirs = Version::parse(told.version);
      const bool comparable = mine && theirs && of != Of::firmware;
      judged.fails_here |= same && !told.works;
      judged.works_here |= same && told.works;
      judged.worked_older |= !same && told.works && comparable && *theirs < *mine;
      judged.works_newer |= !same && told.works && comparable && *theirs > *mine;
      if (!same && told.works && of == Of::firmware) judged.worked_older = true;
      add_once(judged.evidence, here.called + " is " + here.version);
    }
    add_once(judged.evidence, "application: " + told.sentence.substr(0, 300));
  }
  return judged;
}

std::vector<Finding> run_blamed_version(const Context& context) {
  if (spoken(context).empty()) return {skip("no application log is at hand (--log FILE)")};
  if (!person_speaks(context)) return {skip("the log is a program's: nobody says what changed")};
  const std::vector<ToldVersion> told = told_versions(spoken(context), context.db.knowledge());
  // What nobody says may be so all the same: not seen, not refuted.
  if (told.empty()) return {skip("nobody says with which version it began")};
  Finding finding = skip("what runs here is not what the words blame");
  const auto see = [&](const JudgedVersion& judged, ObservationName name) {
    finding.verdict = Verdict::pass;
    finding.seen.push_back(name);
    finding.summary = "the version that the words blame is here";
    for (const std::string& line : judged.evidence) add_once(finding.evidence, line);
  };
  for (const Of of : {Of::kernel, Of::driver_package, Of::firmware, Of::rocm}) {
    const JudgedVersion judged = judge(context.machine, of, told);
    if (judged.works_here) continue;
    if (judged.fails_here || judged.worked_older) {
      see(judged, of == Of::rocm       ? ObservationName("release-blamed-is-here")
                  : of == Of::firmware ? ObservationName("firmware-blamed-is-here")
                                       : ObservationName("driver-blamed-is-here"));
    } else if (judged.works_newer) {
      see(judged, of == Of::rocm ? ObservationName("newer-release-said-to-work")
                                 : ObservationName("newer-driver-said-to-work"));
    }
  }
  const auto update = std::ranges::find_if(
      told, [](const ToldVersion& one) { return one.of == Of::unknown && one.version.empty(); });
  if (update != told.end() && finding.verdict != Verdict::pass)
    return passing("somebody says that an update brought it about")
        .saw("application: " + update->sentence.substr(0, 300))
        .sees("update-blamed");
  return {finding};
}

}  // namespace

bool runs_the_driver_said_to_work(const Context& context) {
  if (spoken(context).empty()) return false;
  const std::vector<ToldVersion> told = told_versions(spoken(context), context.db.knowledge());
  return std::ranges::any_of(std::array{Of::kernel, Of::driver_package},
                             [&](Of of) { return judge(context.machine, of, told).works_here; });
}

extern const Check kBlamedVersion;
constinit const Check kBlamedVersion{.code = "RV954",
                                     .id = "blamed-version",
                                     .topic = "application",
                                     .title = "The version that somebody blames runs here",
                                     .doc = kBlamedVersionDoc,
                                     .run = run_blamed_version};

}  // namespace rocvet
