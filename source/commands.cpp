#include "source/commands.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "base/children.h"
#include "base/confine.h"
#include "base/errno_name.h"
#include "source/redirect.h"

namespace rocvet {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMaxOutput = 64u << 20;
constexpr const char* kFolders[] = {"/usr/sbin", "/usr/bin",       "/sbin",
                                    "/bin",      "/usr/local/bin", "/opt/rocm/bin"};

/// Only what a command needs: a stray LD_PRELOAD or PYTHONPATH must not change its answer. What is
/// part of ROCm or loads it is asked as the user would ask; never as root, which the user's folders
/// must not reach: `sudo` may leave HOME as it was, and rpm does what ~/.rpmmacros says.
std::vector<std::string> child_environment(std::string_view name) {
  std::vector<std::string> out = {
      "LC_ALL=C", "PATH=/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/bin:/opt/rocm/bin", "TERM=dumb"};
  const bool rocm = name == "rocminfo" || name == "clinfo";
  for (const char* variable :
       {"HOME", "HSA_OVERRIDE_GFX_VERSION", "ROCM_PATH", "LD_LIBRARY_PATH"}) {
    const std::string_view word = variable;
    if (word == "LD_LIBRARY_PATH" && !rocm) continue;
    if (geteuid() == 0 && word != "HSA_OVERRIDE_GFX_VERSION") continue;
    if (const char* value = getenv(variable)) out.push_back(std::string(variable) + "=" + value);
  }
  return out;
}

/// Closes the descriptor when it goes out of scope.
struct Fd {
  int fd = -1;
  explicit Fd(int value) : fd(value) {}
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }
  void reset() {
    if (fd >= 0) close(fd);
    fd = -1;
  }
};

[[noreturn]] void exec_child(const std::string& program, char* const* argv, char* const* envp,
                             int out, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);  // whatever ends rocvet ends it too
  if (getppid() != parent) _exit(127);
  setpgid(0, 0);
  const int null = open("/dev/null", O_RDWR);
  redirect(null, STDIN_FILENO);
  redirect(out, STDOUT_FILENO);
  redirect(null, STDERR_FILENO);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  give_up_new_privileges();
  signal(SIGXFSZ, SIG_DFL);
  execve(program.c_str(), argv, envp);
  _exit(127);
}

/// Waits at most `grace` for a killed child: one stuck in the kernel must not hang rocvet too.
bool reap(pid_t child, int& status, std::chrono::milliseconds grace) {
  const auto deadline = std::chrono::steady_clock::now() + grace;
  for (;;) {
    const pid_t got = waitpid(child, &status, WNOHANG);
    if (got == child || (got < 0 && errno != EINTR)) return got == child;
    if (std::chrono::steady_clock::now() >= deadline) return false;
    const timespec pause{0, 500'000};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace

std::string find_program(std::string_view program,
                         const std::function<bool(const std::string& path)>& runs) {
  if (program.starts_with("/")) return std::string(program);
  for (const char* folder : kFolders) {
    std::string path = std::string(folder) + "/" + std::string(program);
    if (runs(path)) return path;
  }
  return "";
}

Result<CommandOutput> run_command(std::string_view name, const std::string& program,
                                  std::span<const char* const> argv,
                                  std::chrono::milliseconds limit) {
  const std::string where(name);
  if (program.empty()) {
    return missing(where, std::string(argv.front()) + " is not installed");
  }
  std::vector<char*> arguments;
  for (const char* word : argv) arguments.push_back(const_cast<char*>(word));
  arguments.push_back(nullptr);
  std::vector<std::string> environment = child_environment(name);
  std::vector<char*> variables;
  for (std::string& entry : environment) variables.push_back(entry.data());
  variables.push_back(nullptr);

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno_error(where, errno_name(errno));
  Fd reader(ends[0]), writer(ends[1]);
  const pid_t parent = getpid();
  const pid_t child = start_child([&] {
    const pid_t pid = fork();
    if (pid == 0) exec_child(program, arguments.data(), variables.data(), writer.fd, parent);
    return pid;
  });
  if (child < 0) return errno_error(where, errno_name(errno));
  setpgid(child, child);  // both sides set it: whichever comes first
  writer.reset();

  const auto deadline = std::chrono::steady_clock::now() + limit;
  CommandOutput output;
  bool in_time = true, too_much = false;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      in_time = false;
      break;
    }
    pollfd waiting{reader.fd, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) break;
    if (ready <= 0) continue;
    char buffer[65536];
    const ssize_t got = read(reader.fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    if (output.out.size() + static_cast<std::size_t>(got) > kMaxOutput) {
      too_much = true;
      break;
    }
    output.out.append(buffer, static_cast<std::size_t>(got));
  }
  int status = 0;
  if (in_time && !too_much) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    in_time = reap(child, status, std::max(left, 1ms));
  }
  if (!in_time || too_much) {
    kill(-child, SIGKILL);
    reap(child, status, 100ms);
    child_ended(child);
    if (too_much) return too_large(where, kMaxOutput);
    return Error{Error::Kind::timed_out, where,
                 "no answer within " + std::to_string(limit.count()) + " ms"};
  }
  child_ended(child);
  output.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (output.status == 127 && output.out.empty()) {
    return missing(where, program + " could not be started");
  }
  return output;
}

std::span<const Command> all_commands() {
  // A new command needs a reason: which fact no file tells.
  static const std::vector<Command> kAll = {
      {"clinfo", {"clinfo", "--raw"}, 10s},      // what OpenCL sees
      {"df", {"df", "-PkTl"}, 3s},               // free space; a dead NFS server must not be asked
      {"dkms-status", {"dkms", "status"}, 10s},  // where /var/lib/dkms is not readable
      {"dmesg", {"dmesg"}, 3s},                  // the kernel log when /dev/kmsg is closed
      {"journalctl-k", {"journalctl", "-k", "-b", "--no-pager", "-o", "short-monotonic"}, 10s},
      {"ldconfig-p", {"ldconfig", "-p"}, 3s},         // the loader's cache is binary
      {"lspci-vvnn", {"lspci", "-D", "-vvnn"}, 10s},  // snapshots for people
      {"mokutil-sb-state", {"mokutil", "--sb-state"}, 3s},
      {"rocminfo", {"rocminfo"}, 20s},  // where there is no KFD (WSL2)
      {"rpm-qa", {"rpm", "-qa"}, 20s},  // rpm's database has no stable file format
      {"uname", {"uname", "-a"}, 2s},
      {"systemctl-show",  // when a model server was started
       {"systemctl", "show", "*ollama*.service", "*llama*.service", "*vllm*.service",
        "*lemonade*.service", "*kobold*.service", "*sglang*.service", "*comfyui*.service",
        "*localai*.service", "*whisper*.service", "-p",
        "Id,MainPID,ExecMainStartTimestampMonotonic"},
       3s},
      {"systemd-detect-virt", {"systemd-detect-virt"}, 3s},
  };
  return kAll;
}

const Command* find_command(std::string_view name) {
  for (const Command& command : all_commands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

}  // namespace rocvet
