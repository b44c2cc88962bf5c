#include <algorithm>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/node_access.h"

namespace rocvet {
namespace {

constexpr std::string_view kGroupNotInSessionDoc = R"(
## What it looks for
/etc/group lists the user in the group that owns /dev/kfd, but the process's gids lack it.

## Why it matters
Groups are given at login. After usermod the old session, its terminals and services keep the old
list.

## How to mend it
Log out and in again (or reboot); for one shell: `newgrp render`.

## Not this
A user who is not in the group at all: RV102.

## References
- https://man7.org/linux/man-pages/man8/usermod.8.html
- https://man7.org/linux/man-pages/man7/credentials.7.html
)";

std::vector<Finding> run_group_not_in_session(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (machine.surroundings.container) return {skip("there is no /dev/kfd of this host's")};
  if (!machine.kfd.stat) return {unread(machine.kfd.stat.error(), "there is no /dev/kfd")};
  if (!machine.kfd.stat->gid) return {unknown(not_captured("group of /dev/kfd"))};
  if (!machine.groups) return {unknown(machine.groups.error())};
  if (!machine.process.user) return {unknown(machine.process.user.error())};
  if (!machine.process.groups) return {unknown(machine.process.groups.error())};
  const std::uint32_t gid = *machine.kfd.stat->gid;
  if (node_access(machine, machine.kfd).answer != NodeAccess::Answer::closed ||
      process_has_gid(machine, gid))
    return {pass("the session has the groups that it needs")};
  for (const Group& group : *machine.groups) {
    const bool listed = std::find(group.members.begin(), group.members.end(),
                                  *machine.process.user) != group.members.end();
    if (group.gid != gid || !listed) continue;
    return failing("this session is older than the user's membership in " + group.name)
        .saw("/etc/group lists " + *machine.process.user + " in " + group.name +
             ", the process has no gid " + std::to_string(gid))
        .fix({Step("log out and in again (or: newgrp {})", group.name)})
        .login();
  }
  return {pass("no membership waits for a new login")};
}

}  // namespace

extern const Check kGroupNotInSession;
constinit const Check kGroupNotInSession{
    .code = "RV108",
    .id = "group-not-in-session",
    .topic = "access",
    .title = "The user joined the group, but this session does not have it yet",
    .doc = kGroupNotInSessionDoc,
    .run = run_group_not_in_session};

}  // namespace rocvet
