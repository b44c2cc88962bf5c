// Free space of the live machine's local file systems, in the form of df, without starting df.
#pragma once

#include <string_view>
#include <vector>

#include "machine/source.h"
#include "machine/system.h"

namespace rocvet {

/// `df -PkTl`: one line a file system. Network file systems are never asked, since a dead server
/// would not answer, and neither are automounts, since asking mounts them.
CommandOutput read_disk_use(const std::vector<Mount>& mounts);
/// Whether a mount of this type may be asked without waiting for another machine.
bool is_local_file_system(std::string_view type);

}  // namespace rocvet
