#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/errno_name.h"
#include "base/path_walk.h"
#include "base/text.h"
#include "source/snapshot_store.h"

namespace rocvet {
namespace {

class FolderStore : public SnapshotStore {
 public:
  FolderStore(std::string origin, int fd) : origin_(std::move(origin)), fd_(fd) {}
  FolderStore(const FolderStore&) = delete;
  FolderStore& operator=(const FolderStore&) = delete;
  ~FolderStore() override { close(fd_); }

  bool notices_links() const override { return true; }

  Result<StoredEntry> look(const std::string& path) override {
    const int fd = open_beneath(path, O_PATH | O_NOFOLLOW);
    if (fd < 0) return errno_error(named(path), errno_name(errno));
    struct stat info {};
    StoredEntry entry;
    Result<StoredEntry> out = entry;
    if (fstat(fd, &info) != 0) {
      out = errno_error(named(path), errno_name(errno));
    } else if (S_ISREG(info.st_mode)) {
      out = StoredEntry{StoredEntry::Kind::file, "", static_cast<std::size_t>(info.st_size)};
    } else if (S_ISDIR(info.st_mode)) {
      out = StoredEntry{StoredEntry::Kind::dir, "", 0};
    } else if (S_ISLNK(info.st_mode)) {
      char target[4096];
      const ssize_t length = readlinkat(fd, "", target, sizeof target);
      if (length < 0) {
        out = errno_error(named(path), errno_name(errno));
      } else {
        entry.kind = StoredEntry::Kind::link;
        entry.target.assign(target, static_cast<std::size_t>(length));
        out = entry;
      }
    }
    close(fd);
    return out;
  }

  Result<std::string> read(const std::string& path, std::size_t limit) override {
    const int fd = open_beneath(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return errno_error(named(path), errno_name(errno));
    struct stat info {};
    Result<std::string> out = Error{Error::Kind::failed, named(path), "is not a regular file"};
    if (fstat(fd, &info) != 0) {
      out = errno_error(named(path), errno_name(errno));
    } else if (S_ISDIR(info.st_mode)) {
      out = errno_error(named(path), "EISDIR");
    } else if (S_ISREG(info.st_mode)) {
      // A regular file ends at its size: no second read to see that nothing is left.
      const auto size = static_cast<std::size_t>(info.st_size);
      out = size > limit ? too_large(named(path), limit) : read_bytes(fd, size, path);
    }
    close(fd);
    return out;
  }

  Result<std::vector<std::string>> list(const std::string& path) override {
    const int fd = open_beneath(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (fd < 0) return errno_error(named(path), errno_name(errno));
    DIR* folder = fdopendir(fd);
    if (folder == nullptr) {
      close(fd);
      return errno_error(named(path), errno_name(errno));
    }
    std::vector<std::string> names;
    while (const dirent* entry = readdir(folder)) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    closedir(folder);
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::string named(const std::string& path) const { return join_path(origin_, path); }

  Result<std::string> read_bytes(int fd, std::size_t size, const std::string& path) const {
    std::string bytes(size, '\0');
    std::size_t have = 0;
    while (have < size) {
      const ssize_t got = ::read(fd, bytes.data() + have, size - have);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return errno_error(named(path), errno_name(errno));
      if (got == 0) break;  // it shrank under our hands
      have += static_cast<std::size_t>(got);
    }
    bytes.resize(have);
    return bytes;
  }

  /// Follows no link at all and cannot leave the folder. One system call where the kernel has
  /// openat2 (5.6) and the container allows it, else one per component.
  int open_beneath(const std::string& path, int flags) {
    const char* name = path.empty() ? "." : path.c_str();
    if (have_openat2_) {
      open_how how{};
      how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
      how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
      const long fd = syscall(SYS_openat2, fd_, name, &how, sizeof how);
      if (fd >= 0 || (errno != ENOSYS && errno != EPERM)) return static_cast<int>(fd);
      have_openat2_ = false;
    }
    int at = fcntl(fd_, F_DUPFD_CLOEXEC, 0);
    const auto parts = split(name, '/');
    for (std::size_t i = 0; at >= 0 && i < parts.size(); ++i) {
      if (parts[i] == "..") errno = EXDEV;
      const int how = i + 1 == parts.size() ? flags : O_PATH | O_DIRECTORY | O_NOFOLLOW;
      const int next =
          parts[i] == ".." ? -1 : openat(at, std::string(parts[i]).c_str(), how | O_CLOEXEC);
      int problem = errno;
      // A link on the way is no folder here; openat2 would have said ELOOP.
      struct stat info {};
      if (next < 0 && problem == ENOTDIR &&
          fstatat(at, std::string(parts[i]).c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 &&
          S_ISLNK(info.st_mode)) {
        problem = ELOOP;
      }
      close(at);
      errno = problem;
      at = next;
    }
    return at;
  }

  std::string origin_;
  int fd_;
  bool have_openat2_ = true;
};

class SubStore : public SnapshotStore {
 public:
  SubStore(std::unique_ptr<SnapshotStore> store, std::string folder)
      : store_(std::move(store)), folder_(std::move(folder)) {}
  bool notices_links() const override { return store_->notices_links(); }
  Result<StoredEntry> look(const std::string& path) override { return store_->look(at(path)); }
  Result<std::string> read(const std::string& path, std::size_t limit) override {
    return store_->read(at(path), limit);
  }
  Result<std::vector<std::string>> list(const std::string& path) override {
    return store_->list(at(path));
  }

 private:
  std::string at(const std::string& path) const {
    return path.empty() ? folder_ : folder_ + "/" + path;
  }
  std::unique_ptr<SnapshotStore> store_;
  std::string folder_;
};

}  // namespace

Result<std::unique_ptr<SnapshotStore>> folder_store(const std::string& path) {
  const int fd = open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return errno_error(path, errno_name(errno));
  return std::unique_ptr<SnapshotStore>(std::make_unique<FolderStore>(path, fd));
}

std::unique_ptr<SnapshotStore> sub_store(std::unique_ptr<SnapshotStore> store, std::string folder) {
  if (folder.empty()) return store;
  return std::make_unique<SubStore>(std::move(store), std::move(folder));
}

}  // namespace rocvet
