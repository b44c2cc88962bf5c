#include "base/confine.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rocvet {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;  // no filter
#endif

// What only an administrator does.
constexpr int kAdministration[] = {
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_swapon,
    SYS_swapoff,
    SYS_setns,
    SYS_unshare,
    SYS_bpf,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_acct,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_quotactl,
    SYS_open_by_handle_at,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_syslog,
#ifdef SYS_mount_setattr
    SYS_mount_setattr,
#endif
#ifdef SYS_quotactl_fd
    SYS_quotactl_fd,
#endif
#ifdef SYS_fsconfig
    SYS_fsconfig,
    SYS_fspick,
#endif
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef SYS_iopl
    SYS_iopl,
    SYS_ioperm,
#endif
#ifdef SYS_move_mount
    SYS_move_mount,
    SYS_open_tree,
    SYS_fsopen,
    SYS_fsmount,
#endif
};

// What a reader of files never does.
constexpr int kBeyondReading[] = {
    SYS_execve,
    SYS_execveat,
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_perf_event_open,
    SYS_mknodat,
    SYS_userfaultfd,
#ifndef __SANITIZE_ADDRESS__  // which looks for leaks by it
    SYS_ptrace,
#endif
    // Whose a file is and who may use it; fchmod is for our own new ones.
    SYS_fchmodat,
    SYS_fchownat,
    SYS_fchown,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_utimensat,
#ifdef SYS_chmod
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
#ifdef SYS_mknod
    SYS_mknod,
#endif
    452,  // fchmodat2, setxattrat and removexattrat, which the headers of old systems do not name
    463,
    466,
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup,
#endif
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
};

using Calls = std::vector<int>;

template <typename List>
void append(Calls& calls, const List& more) {
  calls.insert(calls.end(), std::begin(more), std::end(more));
}

/// From now on these system calls fail with EPERM, and those of another instruction set too: what
/// is numbered otherwise there would slip through.
void refuse(const Calls& calls) {
  if (kArchitecture == 0) return;
  const auto statement = [](std::uint16_t code, std::uint32_t value) {
    return sock_filter{code, 0, 0, value};
  };
  const std::uint32_t refused = SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA);
  std::vector<sock_filter> program = {
      statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, kArchitecture},
      statement(BPF_RET | BPF_K, refused),
      statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
#if defined(__x86_64__)
  // x32, which has the same architecture and a bit set in the number.
  program.push_back({BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000u});
  program.push_back(statement(BPF_RET | BPF_K, refused));
#endif
  // A child may not get namespaces of its own either. What clone3 is asked for lies in memory,
  // where no filter sees it; without it glibc takes clone.
  constexpr std::uint32_t kNamespaces = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
                                        CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWCGROUP;
  const std::uint32_t unknown = SECCOMP_RET_ERRNO | (ENOSYS & SECCOMP_RET_DATA);
  constexpr std::uint32_t kClone3 = 435;
  program.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, kClone3});
  program.push_back(statement(BPF_RET | BPF_K, unknown));
  program.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 4, static_cast<std::uint32_t>(SYS_clone)});
  program.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)));
  program.push_back({BPF_JMP | BPF_JSET | BPF_K, 0, 1, kNamespaces});
  program.push_back(statement(BPF_RET | BPF_K, refused));
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  for (const int call : calls) {
    program.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<std::uint32_t>(call)});
    program.push_back(statement(BPF_RET | BPF_K, refused));
  }
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

// Without the ones that only newer kernels know, which each version of the interface adds to.
constexpr std::uint64_t kWriting = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                   LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                   LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                   LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                   LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
constexpr std::uint64_t kRefer = 1ull << 13;     // version 2: into another folder
constexpr std::uint64_t kTruncate = 1ull << 14;  // version 3

long landlock_version() {
  return syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

void allow_below(int rules, const std::string& place, std::uint64_t access) {
  const int fd = open(place.c_str(), O_PATH | O_CLOEXEC);
  if (fd < 0) return;
  struct stat info {};
  // A file can be written, but nothing be made below it.
  const bool is_folder = fstat(fd, &info) == 0 && S_ISDIR(info.st_mode);
  if (!is_folder) access &= LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate;
  const landlock_path_beneath_attr rule{access, fd};
  syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(fd);
}

void write_only_below(std::span<const std::string> writable) {
  const long version = landlock_version();
  if (version < 1) return;
  std::uint64_t writing = kWriting;
  if (version >= 2) writing |= kRefer;
  if (version >= 3) writing |= kTruncate;
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = writing | LANDLOCK_ACCESS_FS_EXECUTE;
  const int rules = static_cast<int>(
      syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0));
  if (rules < 0) return;
  for (const std::string& place : writable) allow_below(rules, place, writing);
  // What stands open already may be opened once more by a name of it (/dev/stdout): a terminal, the
  // file that a shell made of our output.
  for (const char* place :
       {"/dev/null", "/dev/full", "/dev/tty", "/proc/self/fd/1", "/proc/self/fd/2"})
    allow_below(rules, place, LANDLOCK_ACCESS_FS_WRITE_FILE | (writing & kTruncate));
  syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
}

}  // namespace

void give_up_new_privileges() {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

void give_up_administration() {
  give_up_new_privileges();
  Calls calls;
  append(calls, kAdministration);
  refuse(calls);
}

void become_reader(std::span<const std::string> writable) {
  give_up_new_privileges();
  write_only_below(writable);
  Calls calls;
  append(calls, kAdministration);
  append(calls, kBeyondReading);
  refuse(calls);
}

}  // namespace rocvet
