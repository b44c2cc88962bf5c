// The small structured files of a snapshot.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/elf.h"
#include "source/source.h"

namespace rocvet {

struct SnapshotAbout {
  bool live = false;  ///< recorded from a live machine, which brings no outputs along
  std::vector<std::string> complete;  ///< below these a path that is not there does not exist
};

/// about.toml; `where` is named in errors, with line and column. A format other than 1 is an error.
Result<SnapshotAbout> parse_about(std::string_view text, const std::string& where);
/// process.toml; a key that is not there stays "not captured".
Result<ProcessFacts> parse_process(std::string_view text, const std::string& where);
std::string write_process(const ProcessFacts& facts);
/// A TOML basic string with its quotes.
std::string toml_quoted(const std::string& text);

/// The `extra` column of an elf line; of a file that is no ELF file {"error", "kind"}.
Result<ElfSummary> parse_elf_json(std::string_view json, const std::string& where);
std::string write_elf_json(const Result<ElfSummary>& elf);

/// "missing", "denied", "malformed", … and back; another word is Error::failed.
std::string_view to_word(Error::Kind kind);
Error::Kind error_kind(std::string_view word);

}  // namespace rocvet
