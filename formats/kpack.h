// Device code kept apart from the libraries: the .kpack archives of ROCm 7's multi-architecture
// packages. A library that was split has a section .rocm_kpack_ref that says where its archives
// are. Source: ROCm/TheRock RFC0008, stellaraccident/rocm-kpack@ae4f1c2:
// docs/multi_arch_packaging_with_kpack.md (appendix: file format).
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace rocvet {

/// True for the first bytes of an archive ("KPAK").
bool is_kpack(std::string_view head);

/// The gfx targets of an archive, as its table of contents says: those for `binary` ("lib/x.so.1"),
/// or all for "". Kernels are not read. Nothing is added when the table is damaged.
void add_kpack_targets(Bytes& bytes, std::string_view binary, std::set<std::string>& targets);

/// What a section .rocm_kpack_ref holds: {"kernel_name": …, "kpack_search_paths": […]}.
struct KpackReference {
  std::string binary;              ///< the library's name in the archives
  std::vector<std::string> paths;  ///< relative to the library's folder; others are not opened
};
Result<KpackReference> parse_kpack_reference(std::string_view section);

/// Targets in the archives that a library refers to. A path with "@GFXARCH@" stands for all that
/// fit it. What is not there or no archive is left out.
void add_referenced_targets(const KpackReference& reference, const std::string& library,
                            std::set<std::string>& targets);

}  // namespace rocvet
