#include "selftests/worker/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "machine/text.h"
#include "selftests/worker/message.h"

namespace rocvet::worker {
namespace {

constexpr int kGrace_ms = 300, kDeath_ms = 3000, kStep_ms = 10;

std::string slurp(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Pipe {
  int read = -1, write = -1;
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0];
    write = ends[1];
    return true;
  }
  void close() const {
    if (read >= 0) ::close(read);
    if (write >= 0) ::close(write);
  }
};

/// Only async-signal-safe calls from here on: other threads of the parent may hold locks.
[[noreturn]] void become(char* const* arguments, const Pipe& results, const Pipe& output,
                         pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGINT, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output.write, STDOUT_FILENO);
  ::dup2(output.write, STDERR_FILENO);
  // The pipe's own number may be 3: dup2 onto itself would keep the close-on-exec flag.
  if (results.write == kResultFd) {
    ::fcntl(kResultFd, F_SETFD, 0);
  } else {
    ::dup2(results.write, kResultFd);
  }
  ::execv(arguments[0], arguments);
  ::_exit(127);
}

}  // namespace

Child::Child(pid_t pid, int result_fd, int output_fd)
    : pid_(pid), result_fd_(result_fd), output_fd_(output_fd) {}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      result_fd_(std::exchange(other.result_fd_, -1)),
      output_fd_(std::exchange(other.output_fd_, -1)),
      status_(other.status_) {}

Child::~Child() {
  close_result();
  close_output();
  if (pid_ <= 0 || status_) return;
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, nullptr, WNOHANG);
}

Result<Child> Child::start(const std::vector<std::string>& arguments) {
  Pipe results, output;
  if (!results.open() || !output.open()) {
    const Error error{Error::Kind::failed, "pipe", std::strerror(errno)};
    results.close();
    output.close();
    return error;
  }
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) {
    const Error error{Error::Kind::failed, "fork", std::strerror(errno)};
    results.close();
    output.close();
    return error;
  }
  if (pid == 0) become(argv.data(), results, output, parent);
  ::setpgid(pid, pid);  // in both, as either may run first
  ::close(results.write);
  ::close(output.write);
  ::fcntl(results.read, F_SETFL, O_NONBLOCK);
  ::fcntl(output.read, F_SETFL, O_NONBLOCK);
  return Child(pid, results.read, output.read);
}

bool Child::drain(int fd, std::string& into, std::size_t limit) {
  char buffer[1 << 16];
  // Bounded, so that a child that never stops writing cannot hold the parent here.
  for (int i = 0; i < 64; ++i) {
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count == 0) return false;
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    into.append(buffer, static_cast<std::size_t>(count));
    if (into.size() > 2 * limit) into.erase(0, into.size() - limit);
  }
  return true;
}

void Child::close_result() {
  if (result_fd_ >= 0) ::close(std::exchange(result_fd_, -1));
}

void Child::close_output() {
  if (output_fd_ >= 0) ::close(std::exchange(output_fd_, -1));
}

std::optional<int> Child::try_wait() {
  int status = 0;
  if (!status_ && pid_ > 0 && ::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
  return status_;
}

std::optional<int> Child::kill() {
  const auto wait_for = [this](int limit_ms) {
    for (int waited = 0; waited < limit_ms; waited += kStep_ms) {
      if (try_wait()) return true;
      ::usleep(kStep_ms * 1000);
    }
    return try_wait().has_value();
  };
  if (try_wait()) {
    ::kill(-pid_, SIGKILL);  // what the child left behind in its group
    return status_;
  }
  ::kill(-pid_, SIGTERM);
  wait_for(kGrace_ms);
  ::kill(-pid_, SIGKILL);
  wait_for(kDeath_ms);
  return status_;
}

std::string signal_text(int signal) {
  const char* name = ::sigabbrev_np(signal);
  const char* words = ::sigdescr_np(signal);
  if (name == nullptr || words == nullptr) return "signal " + std::to_string(signal);
  return lower(words) + " (SIG" + name + ")";
}

std::string process_state(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid) + "/";
  const std::string stat = slurp(folder + "stat");
  const std::size_t close = stat.rfind(')');
  std::string out =
      close == std::string::npos || close + 2 >= stat.size() ? "?" : stat.substr(close + 2, 1);
  const std::string channel = slurp(folder + "wchan");
  if (!channel.empty() && channel != "0") out += ", in " + channel;
  return out;
}

}  // namespace rocvet::worker
