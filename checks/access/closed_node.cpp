#include "checks/access/closed_node.h"

#include "checks/common/container_remedy.h"
#include "checks/common/say.h"
#include "checks/facts/conditions.h"
#include "checks/facts/node_access.h"

namespace rocvet {
namespace {

std::string group_text(const Machine& machine, std::uint32_t gid) {
  const std::string name = group_name(machine, gid);
  return name.empty() ? "gid " + std::to_string(gid) : name + " (gid " + std::to_string(gid) + ")";
}

/// One state goes by a name of its own for /dev/kfd and for a render node.
ObservationName name_for(const DeviceNode& node, ObservationName kfd, ObservationName render_node) {
  return node.path == "/dev/kfd" ? kfd : render_node;
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
      .sees(name_for(node, "kfd-closed-by-group-in-container",
                     "render-node-closed-by-group-in-container"))
      .fix(join_group(machine, gid));
}

Finding on_host(const Context& context, const DeviceNode& node, const std::string& why) {
  const Machine& machine = context.machine;
  const std::uint32_t gid = node.stat->gid.value_or(0);
  const std::string user = machine.process.user.value_or("this user");
  const std::string service = service_of_process(machine);
  if (service.empty() && condition(context, "compute-in-play") != Truth::yes)
    return passing(user + " may not open " + node.path + "; nothing was found that needs it")
        .saw(why)
        .saw("no ROCm, no framework and no program that brings ROCm along was found here");
  std::string group = group_name(machine, gid);
  if (group.empty()) group = node.stat->group.empty() ? std::to_string(gid) : node.stat->group;
  const Word name = machine.process.user ? Word(*machine.process.user) : Word::code("\"$USER\"");
  const std::string who = service.empty() ? user : user + ", as which " + service + " runs,";
  Say said = failing(who + " may not open " + node.path)
                 .saw(why)
                 .saw(node.path + " belongs to group " + group_text(machine, gid))
                 .undo(Step("sudo gpasswd -d {} {}", name, group))
                 .root();
  const Step join("sudo usermod -aG {} {}", group, name);
  if (service.empty())
    return std::move(said)
        .sees(name_for(node, "kfd-closed-by-group", "render-node-closed-by-group"))
        .fix({join})
        .verify("rocvet check --only kfd-not-accessible")
        .login();
  return std::move(said)
      .saw("this process is of " + service)
      .sees("node-closed-to-this-service")
      .fix({join, Step("sudo systemctl restart {}", service)})
      .verify(Step("sudo systemctl status {}", service));
}

}  // namespace

std::vector<Finding> judge_node(const Context& context, const DeviceNode& node) {
  const Machine& machine = context.machine;
  const NodeAccess access = node_access(machine, node);
  switch (access.answer) {
    case NodeAccess::Answer::open:
      return {pass(node.path + " can be opened")};
    case NodeAccess::Answer::absent:
      return {none_here("there is no " + node.path)};
    case NodeAccess::Answer::unknown:
      return {unknown(access.error)};
    case NodeAccess::Answer::closed:
      break;
  }
  if (access.errno_name != "EACCES" && !access.by_mode)
    return {skip("opening it gives " + access.errno_name + " (RV105)")};

  const Surroundings& around = machine.surroundings;
  if (is_sandbox(around.environment))
    return failing(node.path + " may not be opened in the sandbox")
        .saw(access.why)
        .sees(name_for(node, "kfd-closed-in-sandbox", "render-node-closed-in-sandbox"));
  if (gid_is_unmapped(machine, node))
    return failing(node.path + " belongs to a group that the user namespace does not map")
        .saw(access.why)
        .saw(machine.process.gid_map ? "gid map: " + machine.process.gid_map->substr(0, 120) : "")
        .sees(name_for(node, "kfd-group-not-mapped", "render-node-group-not-mapped"))
        .fix(map_group(machine));
  // Root's own node: no rule gave it to a group (RV106 says so of /dev/kfd).
  if (node.stat->gid == 0 && (node.stat->mode & 077) == 0)
    return failing(node.path + " is for root alone")
        .saw(access.why)
        .sees(name_for(node, "kfd-open-to-root-alone", "render-node-open-to-root-alone"));
  if (access.errno_name == "EACCES" && !access.decided) {
    if (!machine.process.groups) return {unknown(machine.process.groups.error())};
    if (!machine.process.gid) return {unknown(machine.process.gid.error())};
  }
  if (!access.by_mode && access.errno_name == "EACCES")
    return failing(node.path + " is refused although mode and groups allow it")
        .saw(access.why)
        .sees(name_for(node, "kfd-refused-beyond-mode", "render-node-refused-beyond-mode"));
  if (around.container) return {in_container(machine, node, access.why)};
  return {on_host(context, node, access.why)};
}

}  // namespace rocvet
