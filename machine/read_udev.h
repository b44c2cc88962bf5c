// The udev rules that give /dev/kfd and the render nodes to a group.
#pragma once

#include <string_view>
#include <vector>

#include "machine/access.h"
#include "source/source.h"

namespace rocvet {

/// Rules in force for GPU nodes, in udev's order. An error when no folder of rules could be listed,
/// or one could not and none of the others names kfd (then nobody knows).
Result<std::vector<UdevRule>> read_udev_rules(Source& source);
/// Rules of one file that name kfd, renderD* or the drm subsystem.
std::vector<UdevRule> parse_udev_rules(std::string_view text, std::string_view file);

}  // namespace rocvet
