// The machine rocvet runs on.
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <map>
#include <utility>

#include "base/errno_name.h"
#include "base/text.h"
#include "base/trusted_path.h"
#include "formats/mounts.h"
#include "source/commands.h"
#include "source/disk_use.h"
#include "source/file_calls.h"
#include "source/file_reader.h"
#include "source/hung_places.h"
#include "source/kernel_ring.h"
#include "source/process_facts.h"
#include "source/source.h"

namespace rocvet {
namespace {

/// Names of users or groups by number, from the file alone: a network database may hang.
std::map<std::uint32_t, std::string> names_by_id(const Result<std::string>& text) {
  std::map<std::uint32_t, std::string> names;
  if (!text) return names;
  for (std::string_view line : split(*text, '\n')) {
    const auto fields = split(line, ':');
    if (fields.size() < 3) continue;
    if (const auto id = parse_number(fields[2]); id && std::in_range<std::uint32_t>(*id)) {
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
  Live(std::string root, std::unique_ptr<FileReader> reader)
      : root_(std::move(root)),
        reader_(std::move(reader)),
        process_(live_process_facts()),
        walk_([this](const std::string& path) { return look_at(root_ + path); }) {
    while (root_.ends_with('/')) root_.pop_back();
  }

  Result<std::string> read(std::string_view path, std::size_t limit) override {
    return bytes_of(FileCall::What::read, path, limit);
  }
  Result<std::string> read_head(std::string_view path, std::size_t bytes) override {
    return bytes_of(FileCall::What::head, path, bytes);
  }

  Result<std::vector<std::string>> list(std::string_view path) override {
    return bytes_of(FileCall::What::list, path, 0).transform([](const std::string& bytes) {
      std::vector<std::string> names;
      for (const std::string_view name : split(bytes, '\0')) {
        if (!name.empty()) names.emplace_back(name);
      }
      return names;
    });
  }

  Result<std::string> link(std::string_view path) override {
    return bytes_of(FileCall::What::link, path, 0);
  }

  Result<std::string> resolve(std::string_view path) override {
    if (!root_.empty()) return inside_root(path, true);
    return bytes_of(FileCall::What::resolve, path, 0);
  }

  Result<FileStat> lstat(std::string_view path) override {
    return info_of(FileCall::What::lstat, path);
  }
  Result<FileStat> stat(std::string_view path) override {
    return info_of(FileCall::What::stat, path);
  }

  Result<Done> open_device(std::string_view path) override {
    if (!root_.empty()) {
      const Result<std::string> real = inside_root(path, true);
      if (!real) return open_error(std::string(path), real.is_missing() ? "ENOENT" : "ELOOP");
    }
    return ask(FileCall::What::open_device, path, 0).transform([](const FileReply&) {
      return Done{};
    });
  }

  Result<ElfSummary> elf(std::string_view path) override {
    const Result<std::string> real = on_disk(path, true);
    if (!real) return real.error();
    // Headers and notes are read here, once it is seen that the file answers.
    if (const Result<FileReply> there = ask(FileCall::What::touch, path, 0); !there) {
      return there.error();
    }
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
    if (name == "df") {
      return read_disk_use(read_mounts(*this), [this](const std::string& path) {
        return ask(FileCall::What::use, path, 0);
      });
    }
    std::string distrusted;
    const std::string program = program_of(command->argv.front(), distrusted);
    if (program.empty() && !distrusted.empty())
      return Error{Error::Kind::denied, std::string(name), distrusted};
    return run_command(name, program, command->argv, command->limit);
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

  /// What is asked, of this machine's disk; an error names the path that was asked for.
  Result<FileReply> ask(FileCall::What what, std::string_view path, std::size_t limit) {
    const Result<std::string> real = on_disk(path, follows_last(what));
    if (!real) return real.error();
    const FileCall call{what, *real, limit};
    // Of another process /proc/self would tell of that one; it never waits.
    const bool at_once = !reader_ || path.starts_with("/proc/self/");
    Result<FileReply> reply = at_once ? make_file_call(call) : reader_->ask(call);
    if (reply) return reply;
    Error error = reply.error();
    error.where = std::string(path);
    return error;
  }

  Result<std::string> bytes_of(FileCall::What what, std::string_view path, std::size_t limit) {
    Result<FileReply> reply = ask(what, path, limit);
    if (!reply) return reply.error();
    return std::move(reply->bytes);
  }

  Result<FileStat> info_of(FileCall::What what, std::string_view path) {
    const Result<FileReply> reply = ask(what, path, 0);
    if (!reply) return reply.error();
    FileStat out = to_file_stat(reply->info);
    if (!names_read_) {
      users_ = names_by_id(read("/etc/passwd", 16u << 20));
      groups_ = names_by_id(read("/etc/group", 16u << 20));
      names_read_ = true;
    }
    if (const auto user = users_.find(reply->info.st_uid); user != users_.end())
      out.owner = user->second;
    if (const auto group = groups_.find(reply->info.st_gid); group != groups_.end()) {
      out.group = group->second;
    }
    return out;
  }

  /// Root runs only what root alone could have put there; `distrusted` says what it did not run.
  std::string program_of(std::string_view name, std::string& distrusted) {
    return find_program(name, [&](const std::string& path) {
      if (!ask(FileCall::What::executable, path, 0)) return false;
      const auto changer = geteuid() == 0 ? who_else_changes({path}) : std::nullopt;
      if (changer)
        distrusted = path + " is not run as root: " + describe(*changer) + " could have changed it";
      return !changer;
    });
  }

  std::string root_;
  std::unique_ptr<FileReader> reader_;  ///< none: asked by this process
  ProcessFacts process_;
  PathWalk walk_;
  bool names_read_ = false;
  std::map<std::uint32_t, std::string> users_, groups_;
};

}  // namespace

std::unique_ptr<Source> live_source(std::string root) {
  return std::make_unique<Live>(std::move(root), nullptr);
}

std::unique_ptr<Source> live_source_with_deadline() {
  return std::make_unique<Live>("", std::make_unique<FileReader>());
}

}  // namespace rocvet
