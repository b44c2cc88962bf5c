// One name for each thing of a machine, by whatever links it is reached.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "source/source.h"

namespace rocvet {

class CanonicalPaths {
 public:
  explicit CanonicalPaths(Source& source) : source_(source) {}
  /// The path with every link resolved; of a path that ends in one, the link itself unless
  /// `follow`. What is not there keeps its name below what is.
  const std::string& of(std::string_view path, bool follow);

 private:
  std::string found(const std::string& path, bool follow);

  Source& source_;
  std::unordered_map<std::string, std::string> followed_, links_;
};

}  // namespace rocvet
