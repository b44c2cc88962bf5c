// A source that writes down every answer of another, errors included, so that a replay of the
// snapshot gives the same findings.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "source/forwarding.h"
#include "source/redaction.h"

namespace rocvet {

/// Everything known of one path, by its resolved name.
struct RecordedPath {
  std::optional<FileStat> stat;
  std::optional<std::string> content, target;
  FileKind kind = FileKind::other;  ///< of the content, by the path that was asked for
  std::string asked;                ///< that path
  bool listed = false;              ///< all names in it are recorded
  bool absent = false;
  std::string error;       ///< errno name of reading or listing it
  std::string open_error;  ///< errno name of opening it; "" when it opened
  bool opened = false;
  std::optional<Result<ElfSummary>> elf;
};

struct RecordedCommand {
  CommandOutput output;
  std::optional<Error> error;
};

/// What a snapshot is made of.
struct Recording {
  std::map<std::string, RecordedPath> paths;
  std::map<std::string, RecordedCommand> commands;
  ProcessFacts process;
  std::string source_kind;
};

class RecordingSource : public ForwardingSource {
 public:
  explicit RecordingSource(Source& inner);
  ~RecordingSource() override;

  Result<std::string> read(std::string_view path, std::size_t limit = 16u << 20) override;
  Result<std::string> read_as(FileKind kind, std::string_view path,
                              std::size_t limit = 16u << 20) override;
  Result<std::vector<std::string>> list(std::string_view path) override;
  Result<std::string> link(std::string_view path) override;
  Result<std::string> resolve(std::string_view path) override;
  Result<FileStat> lstat(std::string_view path) override;
  Result<FileStat> stat(std::string_view path) override;
  Result<Done> open_device(std::string_view path) override;
  Result<ElfSummary> elf(std::string_view path) override;
  Result<CommandOutput> run(std::string_view name) override;

  /// The output of something that is no command of the source.
  void add_output(const std::string& name, std::string text);
  const Recording& recording() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

struct SnapshotOptions {
  bool redact = true;
  std::uint64_t salt = 0;   ///< makes the stand-ins for ids repeatable (tests); 0: a random key
  std::string created;      ///< ISO 8601; "" leaves it out
  bool small_trees = true;  ///< also what no probe asks for today
  std::vector<std::string> commands;  ///< also these, by name
};

/// The files of a snapshot by their relative path, redacted.
struct SnapshotFiles {
  std::map<std::string, std::string> files;  ///< "about.toml", "files/sys/…", "cmd/dmesg"
  std::map<std::string, std::string> links;  ///< "files/…" -> relative target
};
/// What of a file's content may be written down (by its kind and the path that was asked for), and
/// what of a log.
struct RecordFilter {
  std::string (*content)(FileKind kind, std::string_view content, const std::string& path);
  std::string (*log)(std::string_view log);
};
/// `filter` is asked where the snapshot is redacted.
SnapshotFiles snapshot_files(const Recording& recording, const SnapshotOptions& options,
                             const RecordFilter& filter);

/// A folder, or by its name a .tar, .tar.gz or .tar.zst. It appears whole or not at all; something
/// that is already there is never replaced.
Result<Done> write_snapshot(const SnapshotFiles& snapshot, const std::string& out_path);

}  // namespace rocvet
