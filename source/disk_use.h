// Mounts, and free space of the live machine's local file systems, in the form of df, without
// starting df.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/mounts.h"
#include "source/file_calls.h"
#include "source/source.h"

namespace rocvet {

/// /proc/self/mounts; none where it cannot be read.
std::vector<Mount> read_mounts(Source& source);
/// `df -PkTl`: one line a file system. Network file systems are never asked, since a dead server
/// would not answer, and neither are automounts, since asking mounts them.
/// `use_of` asks for FileCall::What::use of a mount's place.
CommandOutput read_disk_use(
    const std::vector<Mount>& mounts,
    const std::function<Result<FileReply>(const std::string& path)>& use_of);
/// Whether a mount of this type may be asked without waiting for another machine.
bool is_local_file_system(std::string_view type);

}  // namespace rocvet
