// Where facts come from: the live machine, or a snapshot of one. Probes see nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/elf.h"
#include "source/file_kind.h"

namespace rocvet {

struct FileStat {
  enum class Type { file, dir, link, char_device, block_device, other };
  Type type = Type::other;
  std::uint32_t mode = 0;  ///< permission bits, e.g. 0660
  std::optional<std::uint32_t> uid, gid;
  std::string owner, group;  ///< names; empty when unknown
  std::optional<std::uint64_t> size;
  std::uint32_t major = 0, minor = 0;  ///< device numbers of char and block devices
};

struct CommandOutput {
  std::string out;  ///< stdout as captured
  int status = 0;   ///< exit status; 128+N when signal N ended it
};

/// The process rocvet runs in (or the snapshot was taken in). Unknown fields are errors or empty.
struct ProcessFacts {
  Result<std::uint32_t> uid, gid;
  Result<std::string> user;
  Result<std::vector<std::uint32_t>> groups;               ///< supplementary gids, effective
  Result<std::string> uid_map, gid_map;                    ///< as in /proc/self/uid_map
  Result<std::string> cgroup;                              ///< as in /proc/self/cgroup
  Result<int> seccomp;                                     ///< /proc/self/status Seccomp
  Result<std::uint64_t> capabilities;                      ///< CapEff
  Result<std::map<std::string, std::string>> environment;  ///< allow-listed names only
  /// name -> {soft, hard}; UINT64_MAX is unlimited. Names: nofile memlock nproc stack as core.
  Result<std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>> limits;
};

class Source {
 public:
  virtual ~Source() = default;

  /// The whole of a file, at most `limit` bytes (more is Error::failed "larger than …").
  virtual Result<std::string> read(std::string_view path, std::size_t limit = 16u << 20) = 0;
  /// The same of a file whose path does not say what it is (kind_of_file), since a configuration
  /// names it: the one who asks knows what a snapshot may keep of it.
  virtual Result<std::string> read_as(FileKind kind, std::string_view path,
                                      std::size_t limit = 16u << 20) {
    static_cast<void>(kind);
    return read(path, limit);
  }
  /// The first `bytes` of a file: for long files of /proc that the kernel makes while one reads.
  virtual Result<std::string> read_head(std::string_view path, std::size_t bytes) {
    return read(path).transform([&](const std::string& text) { return text.substr(0, bytes); });
  }
  /// Names in a directory, sorted, without . and ..
  virtual Result<std::vector<std::string>> list(std::string_view path) = 0;
  /// The target of a symbolic link as stored (may be relative).
  virtual Result<std::string> link(std::string_view path) = 0;
  /// The path with every symbolic link resolved.
  virtual Result<std::string> resolve(std::string_view path) = 0;
  /// Of the thing itself; a link is not followed.
  virtual Result<FileStat> lstat(std::string_view path) = 0;
  /// A link is followed.
  virtual Result<FileStat> stat(std::string_view path) = 0;
  /// Opens a device read-write as this user and closes it again. An Error's `what` begins with the
  /// errno name ("EACCES", "ENOMEM", …).
  virtual Result<Done> open_device(std::string_view path) = 0;
  /// What an ELF file is, read without running it (headers and notes only, never the whole file).
  virtual Result<ElfSummary> elf(std::string_view path) = 0;
  /// One of the outside commands in source/commands.h by its name ("dmesg", "lspci-vvnn" …);
  /// no shell, LC_ALL=C, a time limit.
  virtual Result<CommandOutput> run(std::string_view name) = 0;
  /// Names of the command outputs that a snapshot brings along, with their extension, sorted; a
  /// live machine has none. Those that are not in the table can be had with run() too.
  virtual std::vector<std::string> outputs() { return {}; }
  virtual const ProcessFacts& process() = 0;
  /// "live" or "snapshot", and the path of the snapshot.
  virtual std::string kind() const = 0;
  virtual std::string origin() const = 0;

  bool exists(std::string_view path) { return lstat(path).has_value(); }
};

/// The machine rocvet runs on. `root` is put before every path (tests; "" for the real one).
std::unique_ptr<Source> live_source(std::string root = "");
/// The same without a root: what gives no answer within some seconds is Error::timed_out, at once
/// wherever the same mount or device would have to answer. It starts a process.
std::unique_ptr<Source> live_source_with_deadline();
/// A folder, .tar, .tar.gz or .tar.zst, as architecture section 5; hostile input is an Error.
Result<std::unique_ptr<Source>> snapshot_source(const std::string& path);
/// The same from the bytes of an archive; `origin` is named in errors.
Result<std::unique_ptr<Source>> snapshot_from_memory(std::string_view archive,
                                                     const std::string& origin);
/// No machine at all: whatever is asked was not captured.
std::unique_ptr<Source> no_source();

}  // namespace rocvet
