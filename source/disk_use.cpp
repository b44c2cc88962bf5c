#include "source/disk_use.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

namespace rocvet {

bool is_local_file_system(std::string_view type) {
  constexpr std::string_view kRemote[] = {
      "nfs", "nfs4", "cifs",   "smb3",      "smbfs",    "lustre", "gpfs", "ceph",  "beegfs",
      "afs", "9p",   "autofs", "glusterfs", "orangefs", "ocfs2",  "gfs2", "wekafs"};
  if (type.starts_with("fuse")) return false;
  return std::find(std::begin(kRemote), std::end(kRemote), type) == std::end(kRemote);
}

std::vector<Mount> read_mounts(Source& source) {
  for (const char* path : {"/proc/self/mounts", "/proc/mounts"}) {
    if (const Result<std::string> text = source.read(path)) return parse_mounts(*text);
  }
  return {};
}

CommandOutput read_disk_use(
    const std::vector<Mount>& mounts,
    const std::function<Result<FileReply>(const std::string& path)>& use_of) {
  std::string out = "Filesystem Type 1024-blocks Used Available Capacity Mounted on\n";
  std::set<dev_t> seen;  // bind mounts show one disk many times
  for (const Mount& mount : mounts) {
    if (!is_local_file_system(mount.type)) continue;
    // Both would break the line that is written below.
    if (mount.device.find_first_of(" \t\n") != std::string::npos) continue;
    if (mount.path.find('\n') != std::string::npos) continue;
    const Result<FileReply> reply = use_of(mount.path);
    if (!reply || !seen.insert(reply->info.st_dev).second) continue;
    const struct statvfs& use = reply->use;
    if (use.f_blocks == 0) continue;
    const auto kib = [&](std::uint64_t blocks) { return blocks * use.f_frsize / 1024; };
    const std::uint64_t used = kib(use.f_blocks - use.f_bfree);
    const std::uint64_t available = kib(use.f_bavail);
    const std::uint64_t base = used + available;
    const std::uint64_t percent = base == 0 ? 100 : (used * 100 + base - 1) / base;
    out += mount.device + " " + mount.type + " " + std::to_string(kib(use.f_blocks)) + " " +
           std::to_string(used) + " " + std::to_string(available) + " " + std::to_string(percent) +
           "% " + mount.path + "\n";
  }
  return {out, 0};
}

}  // namespace rocvet
