#include "tests/fault_matrix/canonical.h"

#include "base/path_walk.h"

namespace rocvet {

const std::string& CanonicalPaths::of(std::string_view path, bool follow) {
  auto& known = follow ? followed_ : links_;
  std::string key(path);
  if (const auto at = known.find(key); at != known.end()) return at->second;
  std::string real = found(clean_path(path), follow);
  return known.emplace(std::move(key), std::move(real)).first->second;
}

std::string CanonicalPaths::found(const std::string& path, bool follow) {
  if (path == "/") return path;
  if (follow) {
    if (auto real = source_.resolve(path)) return *real;
  }
  return join_path(std::string(of(parent_path(path), true)), base_name(path));
}

}  // namespace rocvet
