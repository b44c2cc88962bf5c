#include <algorithm>
#include <string>
#include <vector>

#include "checks/check.h"
#include "checks/common/say.h"

namespace rocvet {
namespace {

constexpr std::string_view kAmdRepositoryOffDoc = R"(
## What it looks for
AMD's repositories among the sources of apt, dnf and zypper, all of them commented out or disabled.

## Why it matters
An upgrade of the distribution switches the repositories of others off. Then the package manager
knows none of ROCm's packages ("Unable to locate package rocm"), and offers no update of those that
are installed.

## How to mend it
Set AMD's repository up for the release that runs now (`rocvet advise`), and fetch its list.

## Not this
A machine that was installed once and is kept as it is: nothing is wrong with it.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/install-methods/package-manager-index.html
- https://help.ubuntu.com/community/Repositories
)";

std::vector<Finding> run_amd_repository_off(const Context& context) {
  const std::vector<RepositoryLine>& lines = context.machine.software.repositories;
  if (lines.empty()) return {none_here("no repository of AMD's is set up")};
  const auto on = std::count_if(lines.begin(), lines.end(),
                                [](const RepositoryLine& line) { return line.enabled; });
  if (on > 0)
    return {pass("AMD's repositories: " + std::to_string(on) + " of " +
                 std::to_string(lines.size()) + " entries can be used")};
  std::vector<std::string> evidence;
  for (const RepositoryLine& line : lines) evidence.push_back(line.file + ": " + line.text);
  return passing("every entry of AMD's repositories is switched off")
      .saw(evidence)
      .sees("amd-repositories-all-off");
}

}  // namespace

extern const Check kAmdRepositoryOff;
constinit const Check kAmdRepositoryOff{.code = "RV418",
                                        .id = "amd-repository-off",
                                        .topic = "installation",
                                        .title = "AMD's repositories are switched off",
                                        .doc = kAmdRepositoryOffDoc,
                                        .run = run_amd_repository_off};

}  // namespace rocvet
