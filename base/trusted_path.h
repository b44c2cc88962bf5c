// Who else could have put something at a path that a privileged process is about to run.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace rocvet {

struct Changer {
  uid_t uid = 0;
  bool anybody = false;  ///< more than this user, or it cannot be told
};

/// Who besides root could change what is at one of `paths` or put something else there: the owners
/// of the files and of the folders above them, as the paths are written and where their links lead.
/// Nothing where only root can.
std::optional<Changer> who_else_changes(const std::vector<std::string>& paths);

}  // namespace rocvet
