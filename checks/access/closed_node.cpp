#include "checks/access/closed_node.h"

#include "checks/common/container_remedy.h"
#include "checks/common/say.h"
#include "checks/facts/node_access.h"

namespace rocvet {
namespace {

std::string group_text(const Machine& machine, std::uint32_t gid) {
  const std::string name = group_name(machine, gid);
  return name.empty() ? "gid " + std::to_string(gid) : name + " (gid " + std::to_string(gid) + ")";
}

Finding in_container(const Machine& machine, const DeviceNode& node, const std::string& why) {
  const std::uint32_t gid = node.stat->gid.value_or(0);
  const std::string name = group_name(machine, gid);
  return failing(node.path + " belongs to gid " + std::to_string(gid) +
                 ", which is no group of the container's process")
      .saw(why)
      .saw(machine.surroundings.evidence + ": a container")
      .saw(machine.groups
               ? name.empty()
                     ? "/etc/group of the image names no group " + std::to_string(gid)
                     : "/etc/group of the image calls gid " + std::to_string(gid) + " " + name
               : "")
      .vote("container-render-gid-mismatch", 0.9)
      .against("user-not-in-render-group", 0.8)
      .fix(join_group(machine, gid));
}

Finding on_host(const Machine& machine, const DeviceNode& node, const std::string& why) {
  const std::uint32_t gid = node.stat->gid.value_or(0);
  const std::string user = machine.process.user.value_or("this user");
  std::string group = group_name(machine, gid);
  if (group.empty()) group = node.stat->group.empty() ? std::to_string(gid) : node.stat->group;
  const Word name = machine.process.user ? Word(*machine.process.user) : Word::code("\"$USER\"");
  return failing(user + " may not open " + node.path)
      .saw(why)
      .saw(node.path + " belongs to group " + group_text(machine, gid))
      .vote("user-not-in-render-group", 0.9)
      .fix({Step("sudo usermod -aG {} {}", group, name)})
      .verify("rocvet check --only kfd-not-accessible")
      .undo(Step("sudo gpasswd -d {} {}", name, group))
      .root()
      .login();
}

}  // namespace

std::vector<Finding> judge_node(const Context& context, const DeviceNode& node) {
  const Machine& machine = context.machine;
  const NodeAccess access = node_access(machine, node);
  switch (access.answer) {
    case NodeAccess::Answer::open:
      return {pass(node.path + " can be opened")};
    case NodeAccess::Answer::absent:
      return {skip("there is no " + node.path)};
    case NodeAccess::Answer::unknown:
      return {unknown(access.error)};
    case NodeAccess::Answer::closed:
      break;
  }
  if (access.errno_name != "EACCES" && !access.by_mode)
    return {skip("opening it gives " + access.errno_name + " (RV105)")};

  const Surroundings& around = machine.surroundings;
  if (around.environment == Environment::flatpak || around.environment == Environment::snap)
    return failing(node.path + " may not be opened in the sandbox")
        .saw(access.why)
        .vote("sandbox-confinement-blocks-kfd", 0.7);
  if (gid_is_unmapped(machine, node))
    return failing(node.path + " belongs to a group that the user namespace does not map")
        .saw(access.why)
        .saw(machine.process.gid_map ? "gid map: " + machine.process.gid_map->substr(0, 120) : "")
        .vote("rootless-container-groups-dropped", 0.93)
        .against("container-render-gid-mismatch", 0.6)
        .fix(map_group(machine));
  // Root's own node: no rule gave it to a group (RV106 says so of /dev/kfd).
  if (node.stat->gid == 0 && (node.stat->mode & 077) == 0)
    return failing(node.path + " is for root alone")
        .saw(access.why)
        .vote("kfd-udev-rule-missing", 0.6);
  if (!access.by_mode && access.errno_name == "EACCES")
    return failing(node.path + " is refused although mode and groups allow it")
        .saw(access.why)
        .vote("selinux-denies-device", 0.5);
  if (around.container) return {in_container(machine, node, access.why)};
  return {on_host(machine, node, access.why)};
}

}  // namespace rocvet
