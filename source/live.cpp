// The machine rocvet runs on.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>

#include "base/errno_name.h"
#include "base/path_walk.h"
#include "base/read_whole_file.h"
#include "base/text.h"
#include "formats/mounts.h"
#include "source/commands.h"
#include "source/disk_use.h"
#include "source/kernel_ring.h"
#include "source/process_facts.h"
#include "source/source.h"

namespace rocvet {
namespace {

/// Names of users or groups by number, from the file alone: a network database may hang.
std::map<std::uint32_t, std::string> names_by_id(const std::string& file) {
  std::map<std::uint32_t, std::string> names;
  const Result<std::string> text = read_whole_file(file, 16u << 20);
  if (!text) return names;
  for (std::string_view line : split(*text, '\n')) {
    const auto fields = split(line, ':');
    if (fields.size() < 3) continue;
    if (const auto id = parse_number(fields[2])) {
      names.emplace(static_cast<std::uint32_t>(*id), fields[0]);
    }
  }
  return names;
}

FileStat to_file_stat(const struct stat& info) {
  FileStat out;
  if (S_ISREG(info.st_mode)) out.type = FileStat::Type::file;
  if (S_ISDIR(info.st_mode)) out.type = FileStat::Type::dir;
  if (S_ISLNK(info.st_mode)) out.type = FileStat::Type::link;
  if (S_ISCHR(info.st_mode)) out.type = FileStat::Type::char_device;
  if (S_ISBLK(info.st_mode)) out.type = FileStat::Type::block_device;
  out.mode = info.st_mode & 07777;
  out.uid = info.st_uid;
  out.gid = info.st_gid;
  if (out.type == FileStat::Type::file) out.size = static_cast<std::uint64_t>(info.st_size);
  if (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode)) {
    out.major = major(info.st_rdev);
    out.minor = minor(info.st_rdev);
  }
  return out;
}

class Live : public Source {
 public:
  explicit Live(std::string root)
      : root_(std::move(root)),
        process_(live_process_facts()),
        walk_([this](const std::string& path) { return look(path); }) {
    while (root_.ends_with('/')) root_.pop_back();
  }

  Result<std::string> read(std::string_view path, std::size_t limit) override {
    const Result<std::string> real = on_disk(path, true);
    if (!real) return real;
    return read_whole_file(*real, limit, std::string(path));
  }
  Result<std::string> read_head(std::string_view path, std::size_t bytes) override {
    const Result<std::string> real = on_disk(path, true);
    if (!real) return real;
    return read_file_head(*real, bytes, std::string(path));
  }

  Result<std::vector<std::string>> list(std::string_view path) override {
    const Result<std::string> real = on_disk(path, true);
    if (!real) return real.error();
    DIR* folder = opendir(real->c_str());
    if (folder == nullptr) return errno_error(std::string(path), errno_name(errno));
    std::vector<std::string> names;
    errno = 0;
    while (const dirent* entry = readdir(folder)) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    const int problem = errno;
    closedir(folder);
    if (problem != 0) return errno_error(std::string(path), errno_name(problem));
    std::sort(names.begin(), names.end());
    return names;
  }

  Result<std::string> link(std::string_view path) override {
    const Result<std::string> real = on_disk(path, false);
    if (!real) return real;
    return read_link(*real, path);
  }

  Result<std::string> resolve(std::string_view path) override {
    if (!root_.empty()) return inside_root(path, true);
    char* real = realpath(std::string(path).c_str(), nullptr);
    if (real == nullptr) return errno_error(std::string(path), errno_name(errno));
    std::string out(real);
    std::free(real);
    return out;
  }

  Result<FileStat> lstat(std::string_view path) override { return ask(path, false); }
  Result<FileStat> stat(std::string_view path) override { return ask(path, true); }

  Result<Done> open_device(std::string_view path) override {
    const Result<std::string> real = on_disk(path, true);
    if (!real) return open_error(std::string(path), real.is_missing() ? "ENOENT" : "ELOOP");
    // Only a device is ever opened for writing.
    struct stat info {};
    if (::stat(real->c_str(), &info) != 0) {
      return open_error(std::string(path), errno_name(errno));
    }
    if (!S_ISCHR(info.st_mode) && !S_ISBLK(info.st_mode)) {
      return open_error(std::string(path), "ENODEV");
    }
    const int fd = open(real->c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return open_error(std::string(path), errno_name(errno));
    close(fd);
    return Done{};
  }

  Result<ElfSummary> elf(std::string_view path) override {
    const Result<std::string> real = on_disk(path, true);
    if (!real) return real.error();
    Result<ElfSummary> summary = read_elf_file(*real);
    if (summary || root_.empty()) return summary;
    Error error = summary.error();  // the machine's path, not the fixture's
    if (error.where == *real) error.where = std::string(path);
    return error;
  }

  Result<CommandOutput> run(std::string_view name) override {
    const Command* command = find_command(name);
    if (command == nullptr) {
      return Error{Error::Kind::unsupported, std::string(name), "is not among rocvet's commands"};
    }
    if (!root_.empty()) {  // a tree cannot run anything: its answers, where it has some, are files
      return missing(std::string(name), "is not installed");
    }
    // The same texts, without starting a process for them.
    if (name == "dmesg") return read_kernel_ring();
    if (name == "df") return read_disk_use(read_mounts(*this));
    return run_command(name, command->argv, command->limit);
  }

  const ProcessFacts& process() override { return process_; }
  std::string kind() const override { return "live"; }
  std::string origin() const override { return root_; }

 private:
  /// Where the path lies on this machine's disk. With a root every link is followed inside it.
  Result<std::string> on_disk(std::string_view path, bool follow_last) {
    if (root_.empty()) return std::string(path);
    const Result<std::string> inside = inside_root(path, follow_last);
    return inside ? root_ + *inside : inside;
  }

  /// An error names the path that was asked for, as the kernel's answer to it would.
  Result<std::string> inside_root(std::string_view path, bool follow_last) {
    Result<std::string> inside = walk_.resolve(path, follow_last);
    if (inside) return inside;
    Error error = inside.error();
    error.where = std::string(path);
    return error;
  }

  static Result<std::string> read_link(const std::string& real, std::string_view path) {
    char target[4096];
    const ssize_t length = readlink(real.c_str(), target, sizeof target);
    if (length < 0) return errno_error(std::string(path), errno_name(errno));
    return std::string(target, static_cast<std::size_t>(length));
  }

  Result<PathWalk::Step> look(const std::string& path) const {
    struct stat info {};
    const std::string real = root_ + path;
    if (::lstat(real.c_str(), &info) != 0) return errno_error(path, errno_name(errno));
    if (!S_ISLNK(info.st_mode)) return PathWalk::Step{};
    return read_link(real, path).transform([](const std::string& target) {
      return PathWalk::Step{true, target};
    });
  }

  Result<FileStat> ask(std::string_view path, bool follow) {
    const Result<std::string> real = on_disk(path, follow);
    if (!real) return real.error();
    struct stat info {};
    const int failed = follow ? ::stat(real->c_str(), &info) : ::lstat(real->c_str(), &info);
    if (failed != 0) return errno_error(std::string(path), errno_name(errno));
    FileStat out = to_file_stat(info);
    if (!names_read_) {
      users_ = names_by_id(root_ + "/etc/passwd");
      groups_ = names_by_id(root_ + "/etc/group");
      names_read_ = true;
    }
    if (const auto user = users_.find(*out.uid); user != users_.end()) out.owner = user->second;
    if (const auto group = groups_.find(*out.gid); group != groups_.end()) {
      out.group = group->second;
    }
    return out;
  }

  std::string root_;
  ProcessFacts process_;
  PathWalk walk_;
  bool names_read_ = false;
  std::map<std::uint32_t, std::string> users_, groups_;
};

}  // namespace

std::unique_ptr<Source> live_source(std::string root) {
  return std::make_unique<Live>(std::move(root));
}

}  // namespace rocvet
