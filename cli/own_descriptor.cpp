#include "cli/own_descriptor.h"

#include "base/path_walk.h"
#include "base/text.h"

namespace rocvet::cli {

std::optional<int> own_descriptor(const std::string& path) {
  const std::string name = path.starts_with('/') ? clean_path(path) : path;
  if (name == "/dev/stdout") return 1;
  if (name == "/dev/stderr") return 2;
  constexpr int kMost = 1 << 20;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!name.starts_with(folder)) continue;
    const auto number = parse_number(name.substr(folder.size()));
    if (number && *number < kMost) return static_cast<int>(*number);
  }
  return std::nullopt;
}

}  // namespace rocvet::cli
