// May this process open a device node, and if not, why: decided by numbers, never by names.
#pragma once

#include <string>

#include "checks/check.h"

namespace rocvet {

struct NodeAccess {
  enum class Answer { open, closed, absent, unknown } answer = Answer::unknown;
  std::string errno_name;  ///< "EACCES", when opening was tried and failed
  std::string why;         ///< "mode 0660, gid 109 is not among the gids 1000, 44"
  Error error;             ///< for unknown
  /// The mode bits and gids alone forbid it (an LSM or a cgroup is not needed to explain it).
  bool by_mode = false;
  bool decided =
      false;  ///< the mode bits, and the ids of the process, are known well enough for it
};

NodeAccess node_access(const Machine& machine, const DeviceNode& node);
/// "root:render 0660 (gid 109)", "uid 65534 gid 65534 0660".
std::string owner_and_mode(const DeviceNode& node);
/// The name that /etc/group has for a gid; "" when it has none or is not known.
std::string group_name(const Machine& machine, std::uint32_t gid);
/// True when /etc/group was read and names no group of that number.
bool gid_has_no_group(const Machine& machine, std::uint32_t gid);
/// Among the gids of the process.
bool process_has_gid(const Machine& machine, std::uint32_t gid);
/// The system service that the process is of, by its cgroup: "jenkins-agent.service"; "" of a
/// login.
std::string service_of_process(const Machine& machine);
/// The process lives in a user namespace that does not map `gid` (or the node shows as nobody).
bool gid_is_unmapped(const Machine& machine, const DeviceNode& node);

}  // namespace rocvet
