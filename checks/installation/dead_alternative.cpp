#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "machine/read_dead_paths.h"

namespace rocvet {
namespace {

constexpr std::string_view kDeadAlternativeDoc = R"(
## What it looks for
Links of ROCm's tools in /etc/alternatives whose target does not exist.

## Why it matters
A release that was removed by hand left them. `rocminfo`, `hipcc` or /opt/rocm itself then say "no
such file", though another release is installed.

## How to mend it
Let update-alternatives choose again.

## Not this
/opt/rocm without any link: RV407.

## References
- https://man7.org/linux/man-pages/man1/update-alternatives.1.html
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/post-install.html
)";

std::vector<Finding> run_dead_alternative(const Context& context) {
  std::vector<std::string> gone;
  std::vector<Step> steps;
  for (const DeadPath& dead : dead_paths(context.machine.kernel)) {
    if (!dead.named_by.starts_with("/etc/alternatives/")) continue;
    gone.push_back(dead.named_by + " → " + dead.path);
    if (steps.size() < 4)
      steps.push_back(
          Step("sudo update-alternatives --remove {} {}", dead.named_by.substr(18), dead.path));
  }
  if (gone.empty()) return {pass("no alternative of ROCm leads nowhere")};
  const std::size_t count = gone.size();
  if (gone.size() > 6) gone.resize(6);
  return warning(std::to_string(count) + (count == 1 ? " alternative" : " alternatives") +
                 " of ROCm lead nowhere")
      .saw(gone)
      .fix(steps)
      .root();
}

}  // namespace

extern const Check kDeadAlternative;
constinit const Check kDeadAlternative{.code = "RV415",
                                       .id = "dead-alternative",
                                       .topic = "installation",
                                       .title = "An alternative of ROCm leads nowhere",
                                       .doc = kDeadAlternativeDoc,
                                       .run = run_dead_alternative};

}  // namespace rocvet
