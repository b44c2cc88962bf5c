// Shared libraries by name: which family a file belongs to, and which families make ROCm's runtime.
#pragma once

#include <string>
#include <string_view>

namespace rocvet {

struct LibraryName {
  std::string family;   ///< "amdhip64" of "libamdhip64.so.6.2.41133"
  std::string version;  ///< "6.2.41133"; "" of a bare ".so"
  /// The first number of the version, "" without one.
  std::string major() const { return version.substr(0, version.find('.')); }
};

/// "libfoo-bar.so.1.2" -> {"foo-bar", "1.2"}; an empty family when it is no library's name. A hash
/// that auditwheel put into the name ("libamdhip64-1a2b3c4d.so.6") is left out of the family.
LibraryName parse_library_name(std::string_view file);

/// ROCm's runtime and libraries that decide whether a program runs: HIP, HSA, comgr, SMI, hipRTC,
/// BLAS, MIOpen, RCCL … Only these are read in a folder of ROCm.
bool is_rocm_library(std::string_view family);

/// Libraries of ROCm with hundreds of bundles and nothing to ask them: their ELF headers are not
/// read (rocSOLVER alone costs more than the rest together).
bool is_left_unread(std::string_view family);

/// ROCm's, or the C++ runtime, or what ROCm's runtime loads: what a replay of the loader reports.
bool is_watched_library(std::string_view family);

}  // namespace rocvet
