// Device nodes as this user finds them, and the files that say who belongs to which group.
#pragma once

#include <string_view>
#include <vector>

#include "machine/access.h"
#include "source/source.h"

namespace rocvet {

/// Owner, mode and what opening it read-write gives. Nothing is written.
DeviceNode read_node(Source& source, std::string_view path);
/// /dev/dri/renderD*. A node whose GPU sleeps is not opened: that would wake it, and its `open` is
/// Error::unsupported.
std::vector<DeviceNode> read_render_nodes(Source& source);
/// /dev/dri/card*: never opened, since the first to open one may become master of the display.
std::vector<DeviceNode> read_card_nodes(Source& source);

/// /etc/group, then the groups that only /usr/lib/group knows (image-based distributions).
Result<std::vector<Group>> read_groups(Source& source);
Result<std::vector<Account>> read_accounts(Source& source);
/// Everything in Access.
Access read_access(Source& source);

std::vector<Group> parse_groups(std::string_view text);
std::vector<Account> parse_accounts(std::string_view text);
/// /etc/subuid or /etc/subgid.
std::vector<SubIds> parse_sub_ids(std::string_view text);
/// Lines of limits.conf that limit something, comments left out.
std::vector<std::string> parse_limit_lines(std::string_view text);

}  // namespace rocvet
