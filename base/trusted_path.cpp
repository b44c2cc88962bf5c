#include "base/trusted_path.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>

#include "base/path_walk.h"
#include "base/text.h"

namespace rocvet {
namespace {

constexpr int kMostLinksFollowed = 40;  // as Linux follows
constexpr std::size_t kMostEntries = 16384;
constexpr Changer kUnknown{0, true};

/// The numbers of the kernel's maps of a user namespace: inside, outside, how many.
bool maps_host_root() {
  std::ifstream map("/proc/self/uid_map");
  if (!map) return true;
  unsigned long inside = 0, outside = 0, count = 0;
  while (map >> inside >> outside >> count) {
    if (outside == 0 && count > 0) return true;
  }
  return false;
}

/// In a user namespace the host's root is nobody, whom nothing in there can become.
bool is_hosts_root(uid_t uid) {
  constexpr uid_t kOverflow = 65534;  // /proc/sys/kernel/overflowuid, which nobody changes
  static const bool elsewhere = !maps_host_root();
  return elsewhere && uid == kOverflow;
}

/// Whether all users and groups stand in local files: those of a directory nobody can list.
bool accounts_are_local() {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen("/etc/nsswitch.conf", "re"),
                                                   std::fclose);
  if (!file) return true;  // glibc then asks the files
  char line[1024];
  while (std::fgets(line, sizeof line, file.get()) != nullptr) {
    const std::string_view text = trim(std::string_view(line));
    if (!text.starts_with("passwd:") && !text.starts_with("group:")) continue;
    for (const std::string_view word : words(text.substr(text.find(':') + 1))) {
      if (word != "files" && word != "systemd" && word != "altfiles" && !word.starts_with('['))
        return false;
    }
  }
  return true;
}

/// Whether somebody besides root and the system's own accounts is in the group: Debian gives
/// /usr/local to "staff", in which nobody is.
bool has_members(gid_t gid) {
  constexpr uid_t kFirstPerson = 1000;
  if (is_hosts_root(gid)) return false;
  const group* entry = ::getgrgid(gid);
  if (entry == nullptr || (entry->gr_mem != nullptr && entry->gr_mem[0] != nullptr)) return true;
  const std::unique_ptr<FILE, int (*)(FILE*)> users(std::fopen("/etc/passwd", "re"), std::fclose);
  if (!users || (gid != 0 && !accounts_are_local())) return true;
  while (const passwd* user = ::fgetpwent(users.get())) {
    if (user->pw_gid == gid && user->pw_uid >= kFirstPerson) return true;
  }
  return false;
}

/// Of one file or folder, by its own owner, mode and access list. A sticky folder ("/tmp") lets
/// nobody replace what is another's.
std::optional<Changer> changer_of(const std::string& path, const struct stat& info) {
  const bool sticky = S_ISDIR(info.st_mode) && (info.st_mode & S_ISVTX) != 0;
  const bool by_all = (info.st_mode & S_IWOTH) != 0;
  const bool by_group = (info.st_mode & S_IWGRP) != 0;
  // With a list, the bits of the group are the most that anybody on it may do.
  const bool by_list =
      by_group && ::lgetxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
  // Many distributions give each user a group of his own, with the same number.
  const bool own_group = info.st_uid == info.st_gid && info.st_uid != 0;
  if (!sticky && (by_all || by_list || (by_group && !own_group && has_members(info.st_gid))))
    return Changer{info.st_uid, true};
  if (info.st_uid != 0 && !is_hosts_root(info.st_uid)) return Changer{info.st_uid, false};
  return std::nullopt;
}

std::optional<std::string> target_of(const std::string& link) {
  std::string target(4096, '\0');
  const ssize_t length = ::readlink(link.c_str(), target.data(), target.size());
  if (length <= 0 || static_cast<std::size_t>(length) == target.size()) return std::nullopt;
  target.resize(static_cast<std::size_t>(length));
  return target;
}

/// Goes the way that the kernel goes, and asks about each step. False: it leads nowhere.
bool walk(const std::string& path, std::optional<Changer>& found) {
  std::string here = "/", rest = path;
  struct stat folder {};
  if (::lstat("/", &folder) != 0) return false;
  add_changer(found, changer_of("/", folder));
  for (int links = 0;;) {
    const std::size_t begin = rest.find_first_not_of('/');
    if (begin == rest.npos) return true;
    const std::size_t end = std::min(rest.find('/', begin), rest.size());
    const std::string name = rest.substr(begin, end - begin);
    rest.erase(0, end);
    if (name == ".") continue;
    const std::string next = name == ".." ? std::string(parent_path(here)) : join_path(here, name);
    struct stat info {};
    if (::lstat(next.c_str(), &info) != 0) return false;
    if (!S_ISLNK(info.st_mode)) {
      add_changer(found, changer_of(next, info));
      here = next;
      folder = info;
      continue;
    }
    const bool replaceable = (folder.st_mode & S_ISVTX) != 0 && info.st_uid != 0;
    if (replaceable) add_changer(found, Changer{info.st_uid, false});
    const auto target = target_of(next);
    if (!target || ++links > kMostLinksFollowed || rest.size() > 65536) return false;
    rest = *target + "/" + rest;
    if (!target->starts_with('/')) continue;
    here = "/";
    if (::lstat("/", &folder) != 0) return false;
  }
}

}  // namespace

std::optional<Changer> who_else_changes(const std::vector<std::string>& paths) {
  std::optional<Changer> found;
  for (const std::string& path : paths) {
    if (!path.starts_with('/') || !walk(path, found)) return kUnknown;
  }
  return found;
}

std::optional<Changer> who_else_changes_inside(const std::string& folder) {
  std::optional<Changer> found;
  if (!folder.starts_with('/') || !walk(folder, found)) return kUnknown;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  if (!entries) return kUnknown;
  std::size_t seen = 0;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (++seen > kMostEntries) return kUnknown;
    // A link that leads nowhere runs nothing.
    static_cast<void>(walk(join_path(folder, name), found));
  }
  return found;
}

void add_changer(std::optional<Changer>& found, const std::optional<Changer>& one) {
  if (!one) return;
  const bool another = found && found->uid != one->uid;
  found = Changer{one->uid, one->anybody || another || (found && found->anybody)};
}

std::string describe(const Changer& changer) {
  if (changer.anybody) return "more than one user";
  const passwd* entry = ::getpwuid(changer.uid);
  return "user " + (entry != nullptr ? std::string(entry->pw_name) : std::to_string(changer.uid));
}

}  // namespace rocvet
