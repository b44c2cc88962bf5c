#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"

namespace rocvet {
namespace {

constexpr std::string_view kSeveralRocmReleasesDoc = R"(
## What it looks for
Every ROCm found, and which one /opt/rocm, ROCM_PATH and the loader take.

## Why it matters
It is fine as long as each program gets one of them whole; it is named so that a mix can be
recognised.

## How to mend it
Nothing, unless a program loads libraries of two of them.

## Not this
One ROCm and a framework that brings its own.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/install-methods/multi-version-install-index.html
)";

std::vector<Finding> run_several_rocm_releases(const Context& context) {
  std::vector<std::string> roots;
  for (const RocmInstall& install : context.machine.software.rocm) {
    if (install.owner == RocmOwner::wheel || install.owner == RocmOwner::app_bundle) continue;
    roots.push_back(install.root + (install.version ? " (" + *install.version + ")" : "") +
                    (install.is_default ? ", the default" : ""));
  }
  if (roots.size() < 2)
    return {
        pass(roots.empty() ? "no ROCm is installed on the system" : "one ROCm: " + roots.front())};
  return passing(std::to_string(roots.size()) + " ROCm releases are installed")
      .saw(roots)
      .sees("several-rocms-installed");
}

}  // namespace

extern const Check kSeveralRocmReleases;
constinit const Check kSeveralRocmReleases{.code = "RV413",
                                           .id = "several-rocm-releases",
                                           .topic = "installation",
                                           .title = "Several releases of ROCm are installed",
                                           .doc = kSeveralRocmReleasesDoc,
                                           .run = run_several_rocm_releases};

}  // namespace rocvet
