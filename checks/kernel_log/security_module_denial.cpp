#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
Audit lines of SELinux and AppArmor about kfd or renderD*.

## Why it matters
The program sees "permission denied" although owner, group and mode are right.

## How to mend it
SELinux: `sudo setsebool -P container_use_devices=true`. AppArmor: allow the node in the profile.

## Not this
Access that the mode refuses: RV102.

## References
- https://github.com/containers/container-selinux
- https://gitlab.com/apparmor/apparmor/-/wikis/Documentation
)";

std::vector<Finding> run(const Context& context) {
  return findings_of_topic(context, "security", "refusals of the GPU's nodes");
}

}  // namespace

extern const Check kSecurityModuleDenial;
constinit const Check kSecurityModuleDenial{
    .code = "RV910",
    .id = "security-module-denial",
    .topic = "kernel_log",
    .title = "The kernel log tells of a security module that refused the GPU",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
