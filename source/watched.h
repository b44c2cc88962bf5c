// A source that remembers what another could not answer although it is, or may be, there, and takes
// no answer of a size that no machine has (source/plausible.h).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "source/forwarding.h"
#include "source/unread.h"

namespace rocvet {

class WatchedSource : public ForwardingSource {
 public:
  using ForwardingSource::ForwardingSource;

  Result<std::string> read(std::string_view path, std::size_t limit = 16u << 20) override;
  Result<std::string> read_as(FileKind kind, std::string_view path,
                              std::size_t limit = 16u << 20) override;
  Result<std::string> read_head(std::string_view path, std::size_t bytes) override;
  Result<std::vector<std::string>> list(std::string_view path) override;
  Result<std::string> link(std::string_view path) override;
  Result<std::string> resolve(std::string_view path) override;
  Result<FileStat> lstat(std::string_view path) override;
  Result<FileStat> stat(std::string_view path) override;
  // open_device is not watched: that this user may not open a device is itself the answer.
  Result<ElfSummary> elf(std::string_view path) override;
  Result<CommandOutput> run(std::string_view name) override;

  /// In the order in which they were asked for, each place once.
  std::vector<Unread> take() { return std::move(unread_); }

 private:
  template <typename T>
  Result<T> noted(std::string_view place, Result<T> answer);

  std::vector<Unread> unread_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace rocvet
