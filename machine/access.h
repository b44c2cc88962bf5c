// Who may open what: device nodes, groups, accounts, udev rules, services, security modules.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "source/source.h"

namespace rocvet {

struct DeviceNode {
  std::string path;
  Result<FileStat> stat;
  Result<Done> open;  ///< opening it read-write as this user; an error begins with the errno name
};

/// The errno name ("EACCES") in an error of `DeviceNode::open`, or "" when there is none.
std::string open_errno(const Result<Done>& open);

struct Group {
  std::string name;
  std::uint32_t gid = 0;
  std::vector<std::string> members;
};

struct Account {
  std::string name, home, shell;
  std::uint32_t uid = 0, gid = 0;
};

/// A line of /etc/subuid or /etc/subgid.
struct SubIds {
  std::string owner;  ///< user name or number
  std::uint64_t first = 0, count = 0;
};

/// A rule that names kfd, renderD or the drm subsystem.
struct UdevRule {
  std::string file, text;
  std::string kernel, subsystem;  ///< what it matches, "" for any
  std::string group, mode;        ///< what it gives, "" for nothing
};

/// A systemd service that serves models or otherwise starts GPU work, with its drop-ins merged.
struct Service {
  std::string name;                ///< "ollama.service"
  std::string description;         ///< of its unit, as systemd's log calls it
  std::vector<std::string> files;  ///< unit first, drop-ins after
  std::string user, group;
  std::vector<std::string> supplementary_groups;
  std::map<std::string, std::string> environment;
  std::vector<std::string> environment_files;
  std::string exec_start;
  std::vector<std::string> device_allow;
  bool private_devices = false, dynamic_user = false;
  std::string device_policy, protect_home;
  std::map<std::string, std::string> limits;  ///< "NOFILE" -> "infinity"
  std::vector<std::string> after;             ///< units of After=, Wants=, Requires=, BindsTo=
  /// When the process that runs now was started, seconds since the boot; missing: none runs.
  Result<double> started;
};

struct SecurityModules {
  Result<std::string> selinux;         ///< "enforcing", "permissive", "disabled"
  Result<bool> container_use_devices;  ///< SELinux boolean
  Result<std::string> process_label;   ///< /proc/self/attr/current
  Result<bool> apparmor;
  std::vector<std::string> denials;  ///< audit lines that deny a GPU node, newest last, ≤ 50
};

struct Access {
  Result<Done> dri_readable;      ///< /dev/dri could be listed; missing: there is none
  std::vector<DeviceNode> cards;  ///< /dev/dri/card*
  Result<std::vector<SubIds>> subuid, subgid;
  Result<std::vector<UdevRule>> udev_rules;
  Result<std::vector<Service>> services;
  SecurityModules security;
  Result<std::string> cgroup_devices;  ///< devices.list of a version 1 cgroup
  std::vector<std::string>
      limit_lines;  ///< limits.conf and limits.d: "file: user hard nofile 4096"
};

}  // namespace rocvet
