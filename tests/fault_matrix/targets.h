// What the probes ask of a machine: all that can be faulty.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "source/forwarding.h"
#include "tests/fault_matrix/canonical.h"
#include "tests/fault_matrix/fault.h"

namespace rocvet {

/// One thing that is asked about: a canonical path, "cmd:NAME" or "process:FIELD".
struct Target {
  std::string name;
  bool content = false, names = false, elf = false;  ///< was read (a file, a folder, a library)
  bool looked = false;                               ///< only looked at: stat, link, open
  bool answered = false;                             ///< at least one answer was no error
  std::vector<Fault> faults() const;
};

/// Passes every question on and notes it.
class AskedSource : public ForwardingSource {
 public:
  AskedSource(Source& inner, CanonicalPaths& paths) : ForwardingSource(inner), paths_(paths) {}
  /// All that was asked, by name, with the fields of the process.
  std::vector<Target> targets() const;

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

 private:
  template <typename T>
  Result<T> note(std::string_view path, bool follow, bool Target::*how, Result<T> answer);

  CanonicalPaths& paths_;
  std::map<std::string, Target> asked_;
};

}  // namespace rocvet
