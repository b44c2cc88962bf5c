// Reading a regular file of the live file system.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace rocvet {

/// At most `limit` bytes. Never blocks on a FIFO or a device: those are Error::failed.
/// `where` names the file in errors (default: the path).
Result<std::string> read_whole_file(const std::string& path, std::size_t limit,
                                    std::string where = {});
/// The first `bytes` of a regular file, fewer when it is shorter.
Result<std::string> read_file_head(const std::string& path, std::size_t bytes,
                                   const std::string& where);
/// Reads what an open descriptor has left, and leaves it open.
Result<std::string> read_descriptor(int fd, std::size_t limit, const std::string& where);

}  // namespace rocvet
