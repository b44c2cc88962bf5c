// A machine with one fault: one file, folder, command or fact of the process does not answer as it
// should.
#pragma once

#include <optional>
#include <string>

#include "source/forwarding.h"
#include "tests/fault_matrix/canonical.h"
#include "tests/fault_matrix/targets.h"

namespace rocvet {

class FaultSource : public ForwardingSource {
 public:
  FaultSource(Source& inner, CanonicalPaths& paths, const Target& target, Fault fault);

  Result<std::string> read(std::string_view path, std::size_t limit) override;
  Result<std::string> read_as(FileKind kind, std::string_view path, std::size_t limit) override;
  Result<std::string> read_head(std::string_view path, std::size_t bytes) override;
  Result<std::vector<std::string>> list(std::string_view path) override;
  Result<std::string> link(std::string_view path) override;
  Result<std::string> resolve(std::string_view path) override;
  Result<FileStat> lstat(std::string_view path) override;
  Result<FileStat> stat(std::string_view path) override;
  Result<Done> open_device(std::string_view path) override;
  Result<ElfSummary> elf(std::string_view path) override;
  Result<CommandOutput> run(std::string_view name) override;
  const ProcessFacts& process() override { return process_; }

 private:
  enum class Reach { none, below, itself };
  Reach reach(std::string_view path, bool follow);
  /// The error that the fault makes of reading the path, or only of looking at it.
  std::optional<Error> read_error(std::string_view path);
  std::optional<Error> look_error(std::string_view path, bool follow);
  std::optional<Error> error_at(Reach reach, bool reads, std::string_view path) const;
  bool spoils(std::string_view path) { return reach(path, true) == Reach::itself; }

  CanonicalPaths& paths_;
  const Target& target_;
  Fault fault_;
  std::uint64_t seed_;
  ProcessFacts process_;
};

}  // namespace rocvet
