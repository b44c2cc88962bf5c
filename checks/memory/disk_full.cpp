#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kDiskFullDoc = R"(
## What it looks for
Free space and inodes on /, /boot, /var, /tmp, the home and the caches' file systems. Any other full
one counts where a program or a person misses room on the disk.

## Why it matters
Compilation caches, package installation and logs fail: "No space left on device".

## How to mend it
`df -h`; free space or move the caches (MIOPEN_USER_DB_PATH, TRITON_CACHE_DIR, TMPDIR).

## Not this
/dev/shm: RV701.

## References
- https://man7.org/linux/man-pages/man1/df.1.html
)";

/// Loop mounts and read-only images are always full.
bool counts(const FileSystemUse& use) {
  if (use.type == "squashfs" || use.type == "iso9660" || use.type == "erofs" ||
      use.path.find("/snap/") == 0 || use.path.starts_with("/boot/"))
    return false;
  return use.type != "overlay" || use.path == "/";
}

/// Whether programs of ROCm write there wherever they run.
bool matters_always(std::string_view path) {
  return path == "/" || path == "/boot" || path == "/var" || path == "/tmp" ||
         path.starts_with("/home") || path == "/opt" || path == "/usr";
}

/// A full disk of data is nobody's fault as long as nobody misses the room.
bool is_missed(const Context& context, const FileSystemUse& use) {
  constexpr std::string_view kRoom[] = {"disk space", "disk full", "free space", "no space"};
  if (use.type.starts_with("fuse.")) return false;  // of an AppImage: full by its nature
  return has_app_error(context, "no-space") || someone_complains_of(context, kRoom);
}

std::vector<Finding> run_disk_full(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.file_systems) return {unknown(machine.file_systems.error())};
  // A kernel and its initramfs fill /boot by design; what is left need not hold another pair.
  constexpr std::uint64_t kNothing = 64u << 20, kNothingInBoot = 4u << 20;
  std::vector<Finding> findings;
  for (const FileSystemUse& use : *machine.file_systems) {
    if (!counts(use) || use.size_bytes < (std::uint64_t{256} << 20)) continue;
    const bool no_inodes = use.free_inodes && *use.free_inodes == 0 && use.type != "btrfs" &&
                           use.type != "vfat" && use.type != "zfs";
    const std::uint64_t nothing = use.path == "/boot" ? kNothingInBoot : kNothing;
    if (use.available_bytes >= nothing && !no_inodes) continue;
    if (!matters_always(use.path) && !is_missed(context, use)) continue;
    findings.push_back(failing(use.path + " is full")
                           .about(use.path)
                           .saw(use.path + ": " + std::to_string(use.available_bytes >> 20) +
                                " MiB of " + std::to_string(use.size_bytes >> 30) + " GiB left" +
                                (no_inodes ? ", no inodes" : ""))
                           .fix({Step("df -h {}", use.path)}));
  }
  return or_pass(std::move(findings), "no file system that matters is full");
}

}  // namespace

extern const Check kDiskFull;
constinit const Check kDiskFull{.code = "RV1005",
                                .id = "disk-full",
                                .topic = "memory",
                                .title = "A file system is full",
                                .doc = kDiskFullDoc,
                                .run = run_disk_full};

}  // namespace rocvet
