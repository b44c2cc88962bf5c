#include "base/trusted_path.h"

#include <sys/stat.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

namespace rocvet {
namespace {

/// Of one file or folder. A sticky folder ("/tmp") lets nobody replace what is another's.
std::optional<Changer> changer_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return Changer{0, true};
  const bool sticky = S_ISDIR(info.st_mode) && (info.st_mode & S_ISVTX) != 0;
  const bool by_group = (info.st_mode & S_IWGRP) != 0 && info.st_gid != 0;
  if (!sticky && ((info.st_mode & S_IWOTH) != 0 || by_group)) {
    // Many distributions give each user a group of his own, with the same number.
    const bool own_group = (info.st_mode & S_IWOTH) == 0 && info.st_uid == info.st_gid;
    if (!own_group) return Changer{info.st_uid, true};
  }
  if (info.st_uid != 0) return Changer{info.st_uid, false};
  return std::nullopt;
}

}  // namespace

std::optional<Changer> who_else_changes(const std::vector<std::string>& paths) {
  std::optional<Changer> found;
  const auto walk = [&](std::string part) {
    for (; !part.empty(); part.erase(std::min(part.rfind('/'), part.size()))) {
      const std::optional<Changer> one = changer_of(part);
      if (!one) continue;
      const bool another = found && found->uid != one->uid;
      found = Changer{one->uid, one->anybody || another || (found && found->anybody)};
    }
  };
  for (const std::string& path : paths) {
    char resolved[PATH_MAX];
    if (!path.starts_with('/') || ::realpath(path.c_str(), resolved) == nullptr)
      return Changer{0, true};
    walk(path);
    if (path != resolved) walk(resolved);
  }
  return found;
}

}  // namespace rocvet
