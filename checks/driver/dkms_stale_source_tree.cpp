#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/driver/driver_packages.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDkmsStaleSourceTreeDoc = R"(
## What it looks for
Versions in /var/lib/dkms whose source link leads nowhere, and "Could not locate dkms.conf file"
in dkms status.

## Why it matters
dkms stops at such a version, so the good one is not built either.

## How to mend it
`sudo rm -r /var/lib/dkms/amdgpu/OLD_VERSION`, then `sudo dkms autoinstall`.

## Not this
A version that builds with errors: RV206.

## References
- https://github.com/dell/dkms
- https://man7.org/linux/man-pages/man8/dkms.8.html
)";

std::vector<Finding> run_dkms_stale_source_tree(const Context& context) {
  const Machine& machine = context.machine;
  std::vector<Step> stale;
  std::vector<std::string> evidence;
  if (machine.driver.dkms_trees) {
    for (const DkmsTree& tree : *machine.driver.dkms_trees) {
      if (!is_gpu_module(tree.module)) continue;
      const bool gone = tree.source_exists ? !*tree.source_exists : tree.source.is_missing();
      if (!gone) continue;
      stale.push_back(Step("sudo rm -r {}", tree.path));
      evidence.push_back(tree.path + ": its source link leads nowhere");
    }
  }
  for (const std::string& message : machine.driver.dkms_messages) {
    if (message.find("dkms.conf") != std::string::npos) evidence.push_back("dkms: " + message);
  }
  if (evidence.empty()) return {pass("dkms has no orphaned version")};
  stale.push_back("sudo dkms autoinstall");
  return failing("dkms has a driver version whose source is gone")
      .saw(evidence)
      .fix(std::move(stale))
      .verify("dkms status")
      .root();
}

}  // namespace

extern const Check kDkmsStaleSourceTree;
constinit const Check kDkmsStaleSourceTree{.code = "RV208",
                                           .id = "dkms-stale-source-tree",
                                           .topic = "driver",
                                           .title = "dkms has a version without source",
                                           .doc = kDkmsStaleSourceTreeDoc,
                                           .run = run_dkms_stale_source_tree};

}  // namespace rocvet
