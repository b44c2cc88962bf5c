// Places of the live file system that gave no answer, and what else they take with them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/path_walk.h"
#include "formats/mounts.h"
#include "source/file_calls.h"

namespace rocvet {

class HungPlaces {
 public:
  /// A call that got stuck at `path` (without links): nothing on the same mount will answer; in
  /// /sys, no attribute that the same device's driver makes.
  void add(std::string_view path, const std::vector<Mount>& mounts);
  bool empty() const { return folders_.empty() && devices_.empty(); }
  /// The place that a call would have to wait for; it is not touched. `call.path` has links.
  std::optional<std::string> in_the_way(const FileCall& call) const;

 private:
  std::vector<std::string> folders_, devices_;
};

/// What a walk along links finds at a path of the live file system.
Result<PathWalk::Step> look_at(const std::string& path);

/// The path without links, found step by step: `arrived` hears of each place before it is looked
/// at, and may refuse it.
Result<std::string> walk_to(const std::string& path, bool follow_last,
                            const std::function<Result<Done>(const std::string&)>& arrived);

/// Whether the call looks through a link that the path ends with.
bool follows_last(FileCall::What what);

}  // namespace rocvet
