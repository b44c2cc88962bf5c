// The trees that AMD's packages of one release make below /opt.
#pragma once

#include <string_view>

namespace rocvet {

inline constexpr std::string_view kReleaseTrees = "/opt/rocm-";

/// The tree of one release that a file lies in, or that the path is ("/opt/rocm-6.1.3"); "" outside
/// of such a tree.
constexpr std::string_view release_tree_of(std::string_view path) {
  return path.starts_with(kReleaseTrees) ? path.substr(0, path.find('/', kReleaseTrees.size()))
                                         : std::string_view();
}

/// "6.1.3" of "/opt/rocm-6.1.3".
constexpr std::string_view release_of_tree(std::string_view tree) {
  return tree.starts_with(kReleaseTrees) ? tree.substr(kReleaseTrees.size()) : std::string_view();
}

}  // namespace rocvet
