// Names of what this process has open already.
#pragma once

#include <optional>
#include <string>

namespace rocvet::cli {

/// 1 for "/dev/stdout", N for "/dev/fd/N" and "/proc/self/fd/N"; nothing for other paths. Such a
/// name is written to through the descriptor: opened by name it is the file behind it, and to
/// replace that would replace the name itself.
std::optional<int> own_descriptor(const std::string& path);

}  // namespace rocvet::cli
