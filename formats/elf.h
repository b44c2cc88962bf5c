// What can be known of an ELF file without loading it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rocvet {

struct ElfSummary {
  std::string soname;
  std::string interpreter;
  std::vector<std::string> needed;   ///< DT_NEEDED in order
  std::vector<std::string> rpath;    ///< DT_RPATH, split at ':', $ORIGIN as written
  std::vector<std::string> runpath;  ///< DT_RUNPATH, likewise
  /// Offload targets of the code objects inside ("gfx90a:sramecc+:xnack-"), sorted, unique.
  std::vector<std::string> gfx;
  std::vector<std::string> needs_versions;    ///< "GLIBC_2.34", "GLIBCXX_3.4.30", "hip_4.2" …
  std::vector<std::string> defines_versions;  ///< as needs_versions
  bool has_cuda = false;                      ///< CUDA fat binaries inside
  bool is_64_bit = true;
  bool operator==(const ElfSummary&) const = default;
};

/// Reads a file of the live machine by pieces, never the whole; every offset is checked. A bundle
/// or code object that stands alone (rocBLAS's .co and .hsaco files) is read too: only `gfx` is
/// filled.
Result<ElfSummary> read_elf_file(const std::string& path);
/// The same on bytes in memory; `where` is named in errors.
Result<ElfSummary> read_elf(std::string_view bytes, std::string_view where);

}  // namespace rocvet
