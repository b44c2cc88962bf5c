#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/node_access.h"

namespace rocvet {
namespace {

constexpr std::string_view kKfdUdevRuleMissingDoc = R"(
## What it looks for
/dev/kfd with owner root:root and no bits for group or others, while the render nodes have a
group; and whether a udev rule names kfd.

## Why it matters
The kernel creates /dev/kfd for root alone. A rule of systemd (since 238 or so), of rocm's
packages, or of the administrator gives it to a group.

## How to mend it
`echo 'KERNEL=="kfd", GROUP="render", MODE="0660"' | sudo tee /etc/udev/rules.d/70-kfd.rules`,
then `sudo udevadm control --reload && sudo udevadm trigger --name-match=kfd`.

## Not this
A node that belongs to a group the user is not in: RV102.

## References
- https://github.com/systemd/systemd/blob/main/rules.d/50-udev-default.rules.in
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/prerequisites.html
)";

std::vector<Finding> run_kfd_udev_rule_missing(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!machine.kfd.stat) return {none_here("there is no /dev/kfd")};
  const FileStat& stat = *machine.kfd.stat;
  if (stat.gid != 0 || (stat.mode & 077) != 0)
    return {pass("/dev/kfd has a group: " + owner_and_mode(machine.kfd))};
  if (machine.surroundings.container && machine.surroundings.user_namespace)
    return {skip("a user namespace shows other owners")};
  std::string rule;
  if (machine.access.udev_rules) {
    for (const UdevRule& one : *machine.access.udev_rules) {
      if (one.kernel == "kfd" && !one.group.empty()) rule = one.file;
    }
  }
  const bool root = machine.process.uid && *machine.process.uid == 0;
  return (root ? warning("/dev/kfd is for root alone") : failing("/dev/kfd is for root alone"))
      .saw("/dev/kfd is " + owner_and_mode(machine.kfd))
      .saw(rule.empty() ? machine.access.udev_rules ? "no udev rule names kfd" : ""
                        : rule + " has a rule that was not applied")
      .fix({"echo 'KERNEL==\"kfd\", GROUP=\"render\", MODE=\"0660\"' | sudo tee "
            "/etc/udev/rules.d/70-kfd.rules",
            "sudo udevadm control --reload", "sudo udevadm trigger --name-match=kfd"})
      .verify("stat -c '%U:%G %a' /dev/kfd")
      .undo("sudo rm /etc/udev/rules.d/70-kfd.rules")
      .root();
}

}  // namespace

extern const Check kKfdUdevRuleMissing;
constinit const Check kKfdUdevRuleMissing{.code = "RV106",
                                          .id = "kfd-udev-rule-missing",
                                          .topic = "access",
                                          .title = "No udev rule gives /dev/kfd to a group",
                                          .doc = kKfdUdevRuleMissingDoc,
                                          .run = run_kfd_udev_rule_missing};

}  // namespace rocvet
