#include "machine/read_access.h"

#include <algorithm>

#include "base/text.h"
#include "machine/read_security.h"
#include "machine/read_services.h"
#include "machine/read_udev.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

/// Both files in one form: NAME:PASSWORD:ID:… ; `least` fields or the line is skipped.
template <typename Row>
void for_each_row(std::string_view text, std::size_t least, Row row) {
  for (const std::string_view line : lines_of(text)) {
    if (line.empty() || line.front() == '#' || line.front() == '+') continue;
    const std::vector<std::string_view> fields = split(line, ':');
    if (fields.size() >= least && !fields.front().empty()) row(fields);
  }
}

/// "suspended" when runtime power management has put the GPU of this node to sleep.
bool sleeps(Source& source, std::string_view name) {
  const Result<std::string> status =
      read_value(source, "/sys/class/drm/" + std::string(name) + "/device/power/runtime_status");
  return status && (*status == "suspended" || *status == "suspending");
}

template <typename T>
Result<std::vector<T>> parse_file(Source& source, std::string_view path,
                                  std::vector<T> (*parse)(std::string_view)) {
  const Result<std::string> text = source.read(path);
  if (!text) return text.error();
  return parse(*text);
}

}  // namespace

std::string open_errno(const Result<Done>& open) {
  if (open) return "";
  const std::string& what = open.error().what;
  std::size_t end = 0;
  while (end < what.size() &&
         ((what[end] >= 'A' && what[end] <= 'Z') || (what[end] >= '0' && what[end] <= '9'))) {
    ++end;
  }
  return end >= 3 && what.front() == 'E' ? what.substr(0, end) : "";
}

DeviceNode read_node(Source& source, std::string_view path) {
  DeviceNode node;
  node.path = path;
  node.stat = source.stat(path);
  if (node.stat.is_missing()) {
    node.open = node.stat.error();
  } else {
    node.open = source.open_device(path);
  }
  return node;
}

std::vector<DeviceNode> read_render_nodes(Source& source) {
  std::vector<DeviceNode> nodes;
  for (const std::string& path : matching_paths(source, "/dev/dri", "renderD*")) {
    if (!sleeps(source, base_name(path))) {
      nodes.push_back(read_node(source, path));
      continue;
    }
    DeviceNode node;
    node.path = path;
    node.stat = source.stat(path);
    node.open = Error{Error::Kind::unsupported, path, "not opened, since its GPU sleeps"};
    // A snapshot may have been taken while it was awake.
    if (source.kind() != "live") {
      const Result<Done> open = source.open_device(path);
      if (open || !open_errno(open).empty()) node.open = open;
    }
    nodes.push_back(std::move(node));
  }
  return nodes;
}

std::vector<DeviceNode> read_card_nodes(Source& source) {
  std::vector<DeviceNode> nodes;
  for (const std::string& path : matching_paths(source, "/dev/dri", "card*")) {
    DeviceNode node;
    node.path = path;
    node.stat = source.stat(path);
    node.open = Error{Error::Kind::unsupported, path, "card nodes are not opened"};
    nodes.push_back(std::move(node));
  }
  return nodes;
}

std::vector<Group> parse_groups(std::string_view text) {
  std::vector<Group> groups;
  for_each_row(text, 3, [&](const std::vector<std::string_view>& fields) {
    const auto gid = parse_number(fields[2]);
    if (!gid || *gid > UINT32_MAX) return;
    Group group;
    group.name = fields[0];
    group.gid = static_cast<std::uint32_t>(*gid);
    for (const std::string_view member : split(fields.size() > 3 ? fields[3] : "", ',')) {
      if (!trim(member).empty()) group.members.emplace_back(trim(member));
    }
    groups.push_back(std::move(group));
  });
  return groups;
}

std::vector<Account> parse_accounts(std::string_view text) {
  std::vector<Account> accounts;
  for_each_row(text, 6, [&](const std::vector<std::string_view>& fields) {
    const auto uid = parse_number(fields[2]);
    const auto gid = parse_number(fields[3]);
    if (!uid || !gid || *uid > UINT32_MAX || *gid > UINT32_MAX) return;
    Account account;
    account.name = fields[0];
    account.uid = static_cast<std::uint32_t>(*uid);
    account.gid = static_cast<std::uint32_t>(*gid);
    account.home = fields[5];
    if (fields.size() > 6) account.shell = fields[6];
    accounts.push_back(std::move(account));
  });
  return accounts;
}

std::vector<SubIds> parse_sub_ids(std::string_view text) {
  std::vector<SubIds> ranges;
  for_each_row(text, 3, [&](const std::vector<std::string_view>& fields) {
    const auto first = parse_number(fields[1]);
    const auto count = parse_number(trim(fields[2]));
    if (first && count) ranges.push_back({std::string(fields[0]), *first, *count});
  });
  return ranges;
}

std::vector<std::string> parse_limit_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (std::string_view line : lines_of(text)) {
    line = trim(line.substr(0, line.find('#')));
    std::vector<std::string> parts;
    for (const std::string_view word : words(line)) parts.emplace_back(word);
    if (parts.size() >= 4) lines.push_back(join(parts, " "));
  }
  return lines;
}

Result<std::vector<Group>> read_groups(Source& source) {
  Result<std::vector<Group>> groups = parse_file(source, "/etc/group", parse_groups);
  if (!groups) return groups;
  const Result<std::vector<Group>> vendor = parse_file(source, "/usr/lib/group", parse_groups);
  if (!vendor) return groups;
  for (const Group& group : *vendor) {
    const bool known = std::any_of(groups->begin(), groups->end(),
                                   [&](const Group& own) { return own.name == group.name; });
    if (!known) groups->push_back(group);
  }
  return groups;
}

Result<std::vector<Account>> read_accounts(Source& source) {
  return parse_file(source, "/etc/passwd", parse_accounts);
}

Access read_access(Source& source) {
  Access access;
  access.dri_readable = source.list("/dev/dri").transform([](const auto&) { return Done{}; });
  access.cards = read_card_nodes(source);
  access.subuid = parse_file(source, "/etc/subuid", parse_sub_ids);
  access.subgid = parse_file(source, "/etc/subgid", parse_sub_ids);
  access.udev_rules = read_udev_rules(source);
  access.services = read_services(source);
  access.security = read_security(source);
  access.cgroup_devices = read_value(source, "/sys/fs/cgroup/devices/devices.list");
  std::vector<std::string> files = {"/etc/security/limits.conf"};
  for (std::string& path : matching_paths(source, "/etc/security/limits.d", "*.conf")) {
    files.push_back(std::move(path));
  }
  for (const std::string& file : files) {
    const Result<std::string> text = source.read(file);
    if (!text) continue;
    for (const std::string& line : parse_limit_lines(*text)) {
      access.limit_lines.push_back(file + ": " + line);
    }
  }
  return access;
}

}  // namespace rocvet
