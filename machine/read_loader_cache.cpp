#include "machine/read_loader_cache.h"

#include <algorithm>

#include "base/path_walk.h"
#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kMaxCache = 32u << 20;

void include(Source& source, std::string_view file, int depth, std::vector<std::string>& out) {
  const Result<std::string> text = source.read_as(FileKind::loader_folders, file, 1u << 20);
  if (!text || depth > 4) return;
  for (const std::string_view whole : lines_of(*text)) {
    const std::string_view line = trim(whole.substr(0, whole.find('#')));
    const auto parts = words(line);
    if (parts.empty()) continue;
    if (parts[0] == "include") {
      for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::string pattern = parts[i].starts_with('/')
                                        ? std::string(parts[i])
                                        : join_path(parent_path(file), parts[i]);
        const auto found = matching_paths(source, parent_path(pattern), base_name(pattern));
        for (const std::string& path : found) include(source, path, depth + 1, out);
      }
    } else if (parts[0] != "hwcap" && line.starts_with('/')) {
      std::string folder(line.substr(0, line.find('=')));  // "dir=libc5" of old times
      while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
      if (std::find(out.begin(), out.end(), folder) == out.end()) out.push_back(folder);
    }
  }
}

}  // namespace

Result<LoaderCache> read_loader_cache(Source& source) {
  const Result<std::string> bytes = source.read("/etc/ld.so.cache", kMaxCache);
  if (bytes) {
    auto cache = parse_loader_cache(*bytes, "/etc/ld.so.cache");
    if (cache) return cache;
  }
  const Result<CommandOutput> listed = source.run("ldconfig-p");
  if (listed && listed->status == 0) return parse_ldconfig(listed->out);
  if (bytes) return parse_loader_cache(*bytes, "/etc/ld.so.cache");
  return bytes.error();
}

std::vector<std::string> read_loader_folders(Source& source) {
  std::vector<std::string> out;
  include(source, "/etc/ld.so.conf", 0, out);
  return out;
}

}  // namespace rocvet
