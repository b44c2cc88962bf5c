// Following symbolic links inside a tree that is not the root of this process.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"

namespace rocvet {

/// "/a//b/./c/../d" -> "/a/b/d"; never above "/". Links are not looked at.
std::string clean_path(std::string_view path);
/// "/a/b" -> "/a"; "/a" -> "/".
std::string_view parent_path(std::string_view path);
std::string_view base_name(std::string_view path);
/// The path and `name` below it, with one slash between.
std::string join_path(std::string_view path, std::string_view name);

/// Resolves links by walking component by component: a link never leads out of the tree, since its
/// target is taken from the tree's own root. Resolved folders are remembered, up to 32 MiB of them.
class PathWalk {
 public:
  struct Step {
    bool is_link = false;
    std::string target;  ///< of a link
  };
  /// What is at a path whose parent has no links in it; an Error when nothing is.
  using Look = std::function<Result<Step>(const std::string& path)>;

  explicit PathWalk(Look look) : look_(std::move(look)) {}

  /// The path with every link resolved; the last component's too when `follow_last`.
  /// A component that does not exist is the Look's Error; more than 40 links, and a path or target
  /// longer than PATH_MAX, are Error::failed.
  Result<std::string> resolve(std::string_view path, bool follow_last);

 private:
  struct Budget {
    int links, depth, steps;
  };
  Result<std::string> walk(std::string_view path, bool follow_last, Budget& budget);
  void remember(std::string_view path, const std::string& folder);

  Look look_;
  std::unordered_map<std::string, std::string> folders_;
  std::size_t remembered_bytes_ = 0;
};

}  // namespace rocvet
