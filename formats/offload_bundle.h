// What code objects an offload bundle holds, in every form compilers have written.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace rocvet {

/// Collects the targets of the bundles of one file: plain "__CLANG_OFFLOAD_BUNDLE__", compressed
/// "CCOB" of versions 1 to 3 (zlib or zstd; only the first block is unpacked, that holds the
/// names), LLVM's offload binaries (0x10FF10AD), and AMD code objects standing alone. Damaged parts
/// are skipped. Memory stays below 1 MiB, and what all sections of the file hold together is
/// bounded by its size: of a file whose records lie over each other the rest is left out. Sources:
/// https://clang.llvm.org/docs/ClangOffloadBundler.html, llvm/include/llvm/Object/OffloadBinary.h.
class BundleReader {
 public:
  /// Both are referred to as long as this lives.
  BundleReader(Bytes& bytes, std::set<std::string>& targets);

  /// Those that lie one behind another in [begin, end), offsets in the file; but for what an
  /// earlier call has read.
  void add(std::uint64_t begin, std::uint64_t end);

 private:
  void add_part(std::uint64_t begin, std::uint64_t end);

  Bytes& bytes_;
  std::set<std::string>& targets_;
  std::uint64_t records_left_;
  std::map<std::uint64_t, std::uint64_t> done_;  ///< begin to end, none over another
};

/// The same of a file with one section.
void add_bundle_targets(Bytes& bytes, std::uint64_t begin, std::uint64_t end,
                        std::set<std::string>& targets);

/// True when the text begins with a bundle's magic.
bool is_bundle(std::string_view head);

}  // namespace rocvet
