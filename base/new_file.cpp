#include "base/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/held_signals.h"

namespace rocvet {

Error write_error(const std::string& path) {
  const int problem = errno;
  const bool denied = problem == EACCES || problem == EPERM || problem == EROFS;
  return {denied ? Error::Kind::denied : Error::Kind::failed, path,
          std::string("cannot write: ") + std::strerror(problem)};
}

Result<Done> write_all(int fd, std::string_view bytes, const std::string& where) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return write_error(where);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return Done{};
}

mode_t plain_file_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

NewFile::NewFile(std::string path, std::string name, int fd, std::shared_ptr<void> held)
    : path_(std::move(path)), name_(std::move(name)), fd_(fd), held_(std::move(held)) {}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      name_(std::exchange(other.name_, "")),
      fd_(std::exchange(other.fd_, -1)),
      held_(std::move(other.held_)) {}

NewFile::~NewFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!name_.empty()) ::unlink(name_.c_str());
}

Result<NewFile> NewFile::beside(const std::string& path, mode_t mode) {
  // mkostemp: a random name, O_CREAT | O_EXCL (which follows no link), 0600.
  std::string name = path + ".XXXXXX";
  auto held = hold_signals();
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) return write_error(path);
  NewFile file(path, std::move(name), fd, std::move(held));
  if (mode != 0600) static_cast<void>(::fchmod(fd, mode));
  return file;
}

Result<Done> NewFile::write(std::string_view bytes) {
  return write_all(fd_, bytes, path_);
}

Result<Done> NewFile::close() {
  // EINVAL: a file system that cannot promise it.
  const bool synced = ::fsync(fd_) == 0 || errno == EINVAL;
  const Error problem = write_error(path_);
  const bool closed = ::close(std::exchange(fd_, -1)) == 0;
  if (!synced) return problem;
  if (!closed) return write_error(path_);
  return Done{};
}

Result<Done> NewFile::replace() {
  if (auto done = close(); !done) return done;
  if (::rename(name_.c_str(), path_.c_str()) != 0) return write_error(path_);
  name_.clear();
  return Done{};
}

Result<Done> NewFile::place() {
  if (auto done = close(); !done) return done;
  int failed = ::renameat2(AT_FDCWD, name_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE);
  if (failed == 0) {
    name_.clear();
    return Done{};
  }
  // File systems that do not know that (NFS) know hard links, which replace nothing either.
  if (errno == EINVAL || errno == ENOSYS) failed = ::link(name_.c_str(), path_.c_str());
  if (failed == 0) return Done{};
  if (errno == EEXIST) return Error{Error::Kind::failed, path_, "already exists"};
  return write_error(path_);
}

Result<Done> write_private_file(const std::string& path, std::string_view bytes) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return write_error(path);
  auto written = write_all(fd, bytes, path);
  if (::close(fd) != 0 && written) written = write_error(path);
  return written;
}

}  // namespace rocvet
