#include "checks/facts/node_access.h"

#include <algorithm>
#include <cstdio>

#include "base/text.h"

namespace rocvet {
namespace {

constexpr std::uint32_t kOverflowId = 65534;  // how the kernel shows an id that is not mapped

std::string octal(std::uint32_t mode) {
  char text[8];
  std::snprintf(text, sizeof text, "%04o", mode & 07777);
  return text;
}

std::string gids_of(const ProcessFacts& process) {
  std::string text;
  if (process.gid) text = std::to_string(*process.gid);
  if (process.groups) {
    for (const std::uint32_t gid : *process.groups) {
      if (!process.gid || gid != *process.gid)
        text += (text.empty() ? "" : ", ") + std::to_string(gid);
    }
  }
  return text;
}

}  // namespace

std::string owner_and_mode(const DeviceNode& node) {
  if (!node.stat) return "";
  const FileStat& stat = *node.stat;
  const auto name = [](const std::string& text, const std::optional<std::uint32_t>& id) {
    return !text.empty() ? text : id ? std::to_string(*id) : std::string("?");
  };
  return name(stat.owner, stat.uid) + ":" + name(stat.group, stat.gid) + " " + octal(stat.mode) +
         (stat.gid ? " (gid " + std::to_string(*stat.gid) + ")" : "");
}

std::string group_name(const Machine& machine, std::uint32_t gid) {
  if (!machine.groups) return "";
  for (const Group& group : *machine.groups) {
    if (group.gid == gid) return group.name;
  }
  return "";
}

bool gid_has_no_group(const Machine& machine, std::uint32_t gid) {
  return machine.groups.has_value() && group_name(machine, gid).empty();
}

bool process_has_gid(const Machine& machine, std::uint32_t gid) {
  const ProcessFacts& process = machine.process;
  return (process.gid && *process.gid == gid) ||
         (process.groups &&
          std::find(process.groups->begin(), process.groups->end(), gid) != process.groups->end());
}

std::string service_of_process(const Machine& machine) {
  if (!machine.process.cgroup) return "";
  constexpr std::string_view kSlice = "/system.slice/";
  const std::string& cgroup = *machine.process.cgroup;
  const std::size_t at = cgroup.find(kSlice);
  if (at == cgroup.npos) return "";
  const std::string_view rest = std::string_view(cgroup).substr(at + kSlice.size());
  const std::string_view unit = rest.substr(0, rest.find_first_of("/\n"));
  return unit.ends_with(".service") && unit != "sshd.service" && unit != "ssh.service"
             ? std::string(unit)
             : "";
}

bool gid_is_unmapped(const Machine& machine, const DeviceNode& node) {
  // No device of the host belongs to nobody:nogroup: such a node shows a namespace by itself.
  return node.stat && node.stat->gid == kOverflowId &&
         (machine.surroundings.user_namespace || node.stat->uid == kOverflowId);
}

NodeAccess node_access(const Machine& machine, const DeviceNode& node) {
  NodeAccess access;
  if (!node.stat) {
    access.answer =
        node.stat.is_missing() ? NodeAccess::Answer::absent : NodeAccess::Answer::unknown;
    access.error = node.stat.error();
    return access;
  }
  access.errno_name = open_errno(node.open);
  const FileStat& stat = *node.stat;
  const ProcessFacts& process = machine.process;

  // What mode and numbers alone say.
  const bool root = process.uid && *process.uid == 0 && !machine.surroundings.user_namespace;
  bool allowed = root || (stat.mode & 06) == 06;
  bool decided = root || (stat.mode & 06) == 06;
  if (!allowed && stat.uid && process.uid && *stat.uid == *process.uid) {
    allowed = (stat.mode & 0600) == 0600;
    decided = true;
  } else if (!allowed && stat.gid && process.gid && process.groups) {
    allowed = process_has_gid(machine, *stat.gid) && (stat.mode & 060) == 060;
    decided = true;
  }
  access.by_mode = decided && !allowed;
  access.decided = decided;
  if (access.by_mode) {
    access.why = owner_and_mode(node) + "; the process has uid " +
                 (process.uid ? std::to_string(*process.uid) : "?") + " and gids " +
                 gids_of(process);
  }

  if (node.open) {
    // An access list may open what the mode does not show; opening it is the truth.
    access.answer = NodeAccess::Answer::open;
    access.by_mode = false;
  } else if (!access.errno_name.empty()) {
    access.answer = NodeAccess::Answer::closed;
    if (access.why.empty())
      access.why = owner_and_mode(node) + "; opening it gives " + access.errno_name;
  } else if (decided) {
    access.answer = allowed ? NodeAccess::Answer::open : NodeAccess::Answer::closed;
    if (!allowed) access.errno_name = "EACCES";
  } else {
    access.answer = NodeAccess::Answer::unknown;
    access.error = node.open.error();
  }
  return access;
}

}  // namespace rocvet
