#include "base/errno_name.h"

#include <cerrno>

namespace rocvet {
namespace {

struct ErrnoName {
  int number;
  std::string_view name, words;
};

constexpr ErrnoName kNames[] = {
    {EACCES, "EACCES", "permission denied"},
    {EPERM, "EPERM", "operation not permitted"},
    {ENOENT, "ENOENT", "does not exist"},
    {ENOTDIR, "ENOTDIR", "does not exist"},
    {EIO, "EIO", "input/output error"},
    {ETIMEDOUT, "ETIMEDOUT", "timed out"},
    {ENOMEM, "ENOMEM", "out of memory"},
    {EINVAL, "EINVAL", "invalid argument"},
    {ENODEV, "ENODEV", "no such device"},
    {ENXIO, "ENXIO", "no such device or address"},
    {EBUSY, "EBUSY", "device or resource busy"},
    {ENOSPC, "ENOSPC", "no space left"},
    {EROFS, "EROFS", "read-only file system"},
    {EISDIR, "EISDIR", "is a directory"},
    {ELOOP, "ELOOP", "too many symbolic links"},
    {ENAMETOOLONG, "ENAMETOOLONG", "name too long"},
    {EMFILE, "EMFILE", "too many open files"},
    {ENFILE, "ENFILE", "too many open files in the system"},
    {EAGAIN, "EAGAIN", "resource temporarily unavailable"},
    {EOPNOTSUPP, "EOPNOTSUPP", "operation not supported"},
    {ENOSYS, "ENOSYS", "not implemented"},
    {ENOTTY, "ENOTTY", "no such request of this device"},
    {ENODATA, "ENODATA", "no data available"},
    {EFAULT, "EFAULT", "bad address"},
    {EBADF, "EBADF", "bad file descriptor"},
    {ESTALE, "ESTALE", "stale file handle"},
    {EFBIG, "EFBIG", "file too large"},
    {EINTR, "EINTR", "interrupted"},
    {EPIPE, "EPIPE", "broken pipe"},
    {EPROTO, "EPROTO", "protocol error"},
    {ENOEXEC, "ENOEXEC", "not an executable"},
    {ECANCELED, "ECANCELED", "cancelled"},
    {ETIME, "ETIME", "timer expired"},
    {ESRCH, "ESRCH", "no such process"},
    {EADDRINUSE, "EADDRINUSE", "address in use"},
};

Error::Kind kind_of(std::string_view name) {
  if (name == "EACCES" || name == "EPERM") return Error::Kind::denied;
  if (name == "ENOENT" || name == "ENOTDIR") return Error::Kind::missing;
  if (name == "ETIMEDOUT") return Error::Kind::timed_out;
  if (name == "ENOSYS" || name == "EOPNOTSUPP") return Error::Kind::unsupported;
  return Error::Kind::failed;
}

}  // namespace

std::string errno_name(int number) {
  for (const ErrnoName& entry : kNames) {
    if (entry.number == number) return std::string(entry.name);
  }
  return "E" + std::to_string(number);
}

Error open_error(std::string where, std::string_view name) {
  std::string what(name);
  for (const ErrnoName& entry : kNames) {
    if (entry.name == name) what += " (" + std::string(entry.words) + ")";
  }
  return {kind_of(name), std::move(where), std::move(what)};
}

Error errno_error(std::string where, std::string_view name) {
  if (kind_of(name) == Error::Kind::missing) return missing(std::move(where));
  return open_error(std::move(where), name);
}

Error too_large(std::string where, std::size_t limit) {
  return {Error::Kind::failed, std::move(where), "larger than " + std::to_string(limit) + " bytes"};
}

}  // namespace rocvet
