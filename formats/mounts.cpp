#include "formats/mounts.h"

#include "base/text.h"

namespace rocvet {
namespace {

std::string unescape_mount(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto octal = [&](std::size_t at) {
      return at < text.size() && text[at] >= '0' && text[at] <= '7' ? text[at] - '0' : -1;
    };
    if (text[i] == '\\' && octal(i + 1) >= 0 && octal(i + 2) >= 0 && octal(i + 3) >= 0) {
      out += static_cast<char>(octal(i + 1) * 64 + octal(i + 2) * 8 + octal(i + 3));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::vector<Mount> parse_mounts(std::string_view text) {
  std::vector<Mount> mounts;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string_view> parts = words(line);
    if (parts.size() < 4) continue;
    mounts.push_back({unescape_mount(parts[0]), unescape_mount(parts[1]), std::string(parts[2]),
                      std::string(parts[3])});
  }
  return mounts;
}

const Mount* mount_of(const std::vector<Mount>& mounts, std::string_view path) {
  const Mount* best = nullptr;
  for (const Mount& mount : mounts) {
    const std::string_view at = mount.path;
    const bool above = at == "/" || path == at ||
                       (path.starts_with(at) && path.size() > at.size() && path[at.size()] == '/');
    // Of two mounts on one place the later one is seen.
    if (above && (best == nullptr || at.size() >= best->path.size())) best = &mount;
  }
  return best;
}

}  // namespace rocvet
