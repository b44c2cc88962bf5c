#include "machine/read_loader_cache.h"

#include <set>

#include "base/path_walk.h"
#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kMaxLoaderCache = 32u << 20;
// A distribution has some ten files with some twenty folders.
constexpr std::size_t kMaxLoaderFiles = 256, kMaxLoaderFolders = 4096;
constexpr int kMaxIncludeDepth = 4;

/// /etc/ld.so.conf and what it includes, each file once: files that include each other, or one that
/// includes all of its folder sixty times, never end otherwise.
class FolderReader {
 public:
  explicit FolderReader(Source& source) : source_(source) {}

  std::vector<std::string> read() {
    include("/etc/ld.so.conf", 0);
    return std::move(out_);
  }

 private:
  void include(const std::string& file, int depth) {
    if (depth > kMaxIncludeDepth || files_.size() >= kMaxLoaderFiles || !files_.insert(file).second)
      return;
    const Result<std::string> text = source_.read_as(FileKind::loader_folders, file, 1u << 20);
    if (!text) return;
    for (const std::string_view whole : lines_of(*text)) {
      const std::string_view line = trim(whole.substr(0, whole.find('#')));
      const auto parts = words(line);
      if (parts.empty()) continue;
      if (parts[0] == "include") {
        for (std::size_t i = 1; i < parts.size(); ++i) include_all(file, parts[i], depth);
      } else if (parts[0] != "hwcap" && line.starts_with('/')) {
        add(std::string(line.substr(0, line.find('='))));  // "dir=libc5" of old times
      }
    }
  }

  void include_all(const std::string& file, std::string_view named, int depth) {
    const std::string pattern =
        named.starts_with('/') ? std::string(named) : join_path(parent_path(file), named);
    if (!patterns_.insert(pattern).second) return;
    for (const std::string& path :
         matching_paths(source_, parent_path(pattern), base_name(pattern)))
      include(path, depth + 1);
  }

  void add(std::string folder) {
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    if (out_.size() < kMaxLoaderFolders && folders_.insert(folder).second)
      out_.push_back(std::move(folder));
  }

  Source& source_;
  std::set<std::string> files_, patterns_, folders_;
  std::vector<std::string> out_;
};

}  // namespace

Result<LoaderCache> read_loader_cache(Source& source) {
  const Result<std::string> bytes = source.read("/etc/ld.so.cache", kMaxLoaderCache);
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
  return FolderReader(source).read();
}

}  // namespace rocvet
