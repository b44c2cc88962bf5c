#include "base/read_whole_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/errno_name.h"
#include "base/open_regular.h"

namespace rocvet {

Result<std::string> read_descriptor(int fd, std::size_t limit, const std::string& where) {
  std::string out;
  char page[4096];  // a sysfs attribute never holds more; its st_size says nothing
  for (;;) {
    const ssize_t got = read(fd, page, sizeof page);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno_error(where, errno_name(errno));
    if (got == 0) return out;
    if (out.size() + static_cast<std::size_t>(got) > limit) return too_large(where, limit);
    out.append(page, static_cast<std::size_t>(got));
    if (static_cast<std::size_t>(got) < sizeof page) continue;
    // A big file: ask for the rest in large pieces.
    while (true) {
      const std::size_t old = out.size();
      out.resize(std::min(old + (1u << 18), limit + 1));
      if (out.size() == old) return too_large(where, limit);
      const ssize_t more = read(fd, out.data() + old, out.size() - old);
      out.resize(old + static_cast<std::size_t>(std::max<ssize_t>(more, 0)));
      if (more < 0 && errno == EINTR) continue;
      if (more < 0) return errno_error(where, errno_name(errno));
      if (more == 0) return out;
      if (out.size() > limit) return too_large(where, limit);
    }
  }
}

Result<std::string> read_whole_file(const std::string& path, std::size_t limit, std::string where) {
  if (where.empty()) where = path;
  struct stat info {};
  const auto fd = open_regular(path, info, where);
  if (!fd) return fd.error();
  Result<std::string> out = read_descriptor(*fd, limit, where);
  close(*fd);
  return out;
}

Result<std::string> read_file_head(const std::string& path, std::size_t bytes,
                                   const std::string& where) {
  struct stat info {};
  const auto fd = open_regular(path, info, where);
  if (!fd) return fd.error();
  std::string out(bytes, '\0');
  std::size_t have = 0;
  ssize_t got = 0;
  do {
    got = read(*fd, out.data() + have, bytes - have);
    if (got > 0) have += static_cast<std::size_t>(got);
  } while ((got > 0 && have < bytes) || (got < 0 && errno == EINTR));
  const int problem = errno;
  close(*fd);
  if (got < 0) return errno_error(where, errno_name(problem));
  out.resize(have);
  return out;
}

}  // namespace rocvet
