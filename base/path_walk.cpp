#include "base/path_walk.h"

#include <vector>

#include "base/errno_name.h"
#include "base/text.h"

namespace rocvet {
namespace {

constexpr std::size_t kPathMax = 4096;  // PATH_MAX, with the 0 at its end
// Each resolved folder is remembered under every way that leads to it; the links of a tree decide
// how many those are. A hundred thousand with paths of a hundred bytes fit.
constexpr std::size_t kMaxRemembered = 32u << 20;
constexpr std::size_t kEntryBytes = 128;  // of the map, beside the two paths
// Linux gives up after 40 links; so a loop ends here too. Hostile links can nest deep paths in each
// other: the stack is finite, and so is the time. A real path has some ten components.
constexpr int kMostLinks = 40, kMostDepth = 400, kMostSteps = 1000;

}  // namespace

std::string clean_path(std::string_view path) {
  std::vector<std::string_view> kept;
  for (std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (!kept.empty()) kept.pop_back();
    } else {
      kept.push_back(part);
    }
  }
  std::string out;
  for (std::string_view part : kept) {
    out += '/';
    out += part;
  }
  return out.empty() ? "/" : out;
}

std::string_view parent_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos || slash == 0 ? std::string_view("/")
                                                       : path.substr(0, slash);
}

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string join_path(std::string_view path, std::string_view name) {
  std::string out(path);
  if (!out.ends_with('/')) out += '/';
  out += name;
  return out;
}

Result<std::string> PathWalk::resolve(std::string_view path, bool follow_last) {
  Budget budget{.links = kMostLinks, .depth = kMostDepth, .steps = kMostSteps};
  return walk(path, follow_last, budget);
}

void PathWalk::remember(std::string_view path, const std::string& folder) {
  const std::size_t bytes = path.size() + folder.size() + kEntryBytes;
  if (bytes > kMaxRemembered - remembered_bytes_) {
    folders_.clear();
    remembered_bytes_ = 0;
  }
  if (folders_.emplace(path, folder).second) remembered_bytes_ += bytes;
}

Result<std::string> PathWalk::walk(std::string_view path, bool follow_last, Budget& budget) {
  if (path.size() > kPathMax) return errno_error(std::string(path.substr(0, 64)), "ENAMETOOLONG");
  // The kernel resolves ".." after the link before it, so text must not be cleaned beforehand.
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  if (path.empty() || path == "/") return std::string("/");
  const std::string_view last = base_name(path);
  const std::string_view parent = parent_path(path);

  std::string folder = "/";
  if (parent != "/") {
    if (const auto known = folders_.find(std::string(parent)); known != folders_.end()) {
      folder = known->second;
    } else {
      if (--budget.depth < 0 || --budget.steps < 0) return errno_error(std::string(path), "ELOOP");
      Result<std::string> resolved = walk(parent, true, budget);
      ++budget.depth;
      if (!resolved) return resolved;
      folder = std::move(*resolved);
      remember(parent, folder);
    }
  }
  if (last.empty() || last == ".") return folder;
  if (last == "..") return std::string(parent_path(folder));
  std::string here = join_path(folder, last);
  if (!follow_last) return here;
  const Result<Step> step = look_(here);
  if (!step) return step.error();
  if (!step->is_link) return here;
  if (--budget.links < 0) return errno_error(here, "ELOOP");
  if (step->target.size() >= kPathMax) return errno_error(here.substr(0, 64), "ENAMETOOLONG");
  return walk(step->target.starts_with('/') ? step->target : join_path(folder, step->target), true,
              budget);
}

}  // namespace rocvet
