#include "base/open_regular.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "base/errno_name.h"

namespace rocvet {
namespace {

// Not blocking, for what may be no file after all.
constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

Result<int> checked(int fd, struct stat& info, const std::string& where) {
  if (fd < 0) return errno_error(where, errno_name(errno));
  const bool known = ::fstat(fd, &info) == 0;
  const int problem = errno;
  if (known && S_ISREG(info.st_mode)) return fd;
  ::close(fd);
  if (!known) return errno_error(where, errno_name(problem));
  if (S_ISDIR(info.st_mode)) return errno_error(where, "EISDIR");
  return Error{Error::Kind::failed, where, "is not a regular file"};
}

}  // namespace

Result<int> open_regular(const std::string& path, struct stat& info, const std::string& where) {
  // The kernel's own, in which nobody plants anything.
  if (path.starts_with("/sys/") || path.starts_with("/proc/"))
    return checked(::open(path.c_str(), kFlags), info, where);
  auto place = checked(::open(path.c_str(), O_PATH | O_CLOEXEC), info, where);
  if (!place) return place;
  const int fd = ::open(("/proc/self/fd/" + std::to_string(*place)).c_str(), kFlags);
  const int problem = errno;
  ::close(*place);
  if (fd < 0 && problem == ENOENT)  // no /proc
    return checked(::open(path.c_str(), kFlags), info, where);
  errno = problem;
  return checked(fd, info, where);
}

}  // namespace rocvet
