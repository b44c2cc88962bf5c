// A source that remembers what another could not answer although it is, or may be, there, and takes
// no answer of a size that no machine has (source/plausible.h).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "source/source.h"

namespace rocvet {

/// Something of the machine that could not be looked at.
struct Unread {
  std::string place;  ///< a path, or "cmd:NAME" for a command's output
  Error error;        ///< denied, timed_out or failed
};

/// It exists, or may, and was not seen. What a thing is (a folder, too long, no ELF file) is an
/// answer.
bool was_not_seen(const Error& error);

class WatchedSource : public Source {
 public:
  explicit WatchedSource(Source& inner) : inner_(inner) {}

  Result<std::string> read(std::string_view path, std::size_t limit = 16u << 20) override;
  Result<std::string> read_as(FileKind kind, std::string_view path,
                              std::size_t limit = 16u << 20) override;
  Result<std::string> read_head(std::string_view path, std::size_t bytes) override;
  Result<std::vector<std::string>> list(std::string_view path) override;
  Result<std::string> link(std::string_view path) override;
  Result<std::string> resolve(std::string_view path) override;
  Result<FileStat> lstat(std::string_view path) override;
  Result<FileStat> stat(std::string_view path) override;
  /// Not noted: that this user may not open a device is itself the answer.
  Result<Done> open_device(std::string_view path) override { return inner_.open_device(path); }
  Result<ElfSummary> elf(std::string_view path) override;
  Result<CommandOutput> run(std::string_view name) override;
  std::vector<std::string> outputs() override { return inner_.outputs(); }
  const ProcessFacts& process() override { return inner_.process(); }
  std::string kind() const override { return inner_.kind(); }
  std::string origin() const override { return inner_.origin(); }

  /// In the order in which they were asked for, each place once.
  std::vector<Unread> take() { return std::move(unread_); }

 private:
  template <typename T>
  Result<T> noted(std::string_view place, Result<T> answer);

  Source& inner_;
  std::vector<Unread> unread_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace rocvet
