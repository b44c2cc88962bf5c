// What the dynamic loader said, wherever a program put its words into a line of its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// Names of libraries in "X: cannot open shared object file: No such file or directory" and in
/// ldd's "X => not found", without their folders, each once, in order, the first 100. What a
/// program says of a library that it can do without is left out.
std::vector<std::string> libraries_not_opened(const Context& context);

/// The program that the loader could not start for want of this library, with its folder: the path
/// before ": error while loading shared libraries: NAME"; "" when no line says so.
std::string program_without(const Context& context, std::string_view library);

/// "LIBRARY: version `GLIBCXX_3.4.30' not found (required by FILE)".
struct VersionNotFound {
  std::string library, version, required_by;
};
std::vector<VersionNotFound> versions_not_found(const Context& context);

/// Functions of ROCr that a linker or the loader did not find: "undefined reference to `hsa_init'",
/// "undefined symbol: hsa_amd_memory_pool_allocate", each once.
std::vector<std::string> rocr_functions_not_found(const Context& context);

}  // namespace rocvet
