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
/// and writers of the file and of each folder on the way to it, through every link. A link itself
/// cannot be rewritten; its owner can replace it where the folder is sticky ("/tmp"). Nothing where
/// only root can.
std::optional<Changer> who_else_changes(const std::vector<std::string>& paths);

/// The same of a folder and of what lies directly in it. A folder with more than 16384 entries is
/// anybody's.
std::optional<Changer> who_else_changes_inside(const std::string& folder);

/// Puts what one place tells to what is known of others.
void add_changer(std::optional<Changer>& found, const std::optional<Changer>& one);

/// For a sentence: "user ada", "user 1007", "more than one user".
std::string describe(const Changer& changer);

}  // namespace rocvet
