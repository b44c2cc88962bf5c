// What code objects an offload bundle holds, in every form compilers have written.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "base/bytes.h"

namespace rocvet {

/// Collects the targets of the bundles that lie one behind another in [begin, end): plain
/// "__CLANG_OFFLOAD_BUNDLE__", compressed "CCOB" of versions 1 to 3 (zlib or zstd; only the first
/// block is unpacked, that holds the names), LLVM's offload binaries (0x10FF10AD), and AMD code
/// objects standing alone. Damaged parts are skipped; memory stays below 1 MiB.
/// Sources: https://clang.llvm.org/docs/ClangOffloadBundler.html,
/// llvm/include/llvm/Object/OffloadBinary.h.
void add_bundle_targets(Bytes& bytes, std::uint64_t begin, std::uint64_t end,
                        std::set<std::string>& targets);

/// True when the text begins with a bundle's magic.
bool is_bundle(std::string_view head);

}  // namespace rocvet
