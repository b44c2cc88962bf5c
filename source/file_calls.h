// What is asked of the live file system, as plain data: it may be asked by another process.
#pragma once

#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cstdint>
#include <string>

#include "base/result.h"

namespace rocvet {

struct FileCall {
  enum class What : std::uint32_t {
    read,         ///< the whole of a regular file, at most `limit` bytes
    head,         ///< its first `limit` bytes
    touch,        ///< nothing, but its first bytes are there: whoever opens it next does not wait
    list,         ///< names in a folder, sorted, each with a NUL behind it
    link,         ///< what a link says
    resolve,      ///< the path without links
    lstat,        ///< `info`
    stat,         ///< `info`
    use,          ///< `info` and `use` of the file system that is mounted there
    executable,   ///< nothing, where this user may run it
    open_device,  ///< nothing; an Error's `what` begins with the errno's name
  };
  What what = What::stat;
  std::string path;
  std::uint64_t limit = 0;
};

struct FileReply {
  std::string bytes;
  struct stat info {};
  struct statvfs use {};
};

/// Asks at once; waits as long as the file system does. An Error's `where` is the path.
Result<FileReply> make_file_call(const FileCall& call);

}  // namespace rocvet
