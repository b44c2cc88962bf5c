#include "selftests/worker/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/children.h"
#include "selftests/worker/environment.h"

namespace rocvet::worker {
namespace {

constexpr std::size_t kTailBytes = 4096, kLongestLine = 1 << 20;

struct Pipe {
  int read = -1, write = -1;
  bool open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0];
    // Out of the way of 1 to 3, which the child makes of its ends one after the other.
    write = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
    close(ends[1]);
    fcntl(read, F_SETFL, O_NONBLOCK);
    return write >= 0;
  }
  void close_write() {
    if (write >= 0) close(write);
    write = -1;
  }
};

/// Appends what can be read now; closes `fd` at its end.
void drain(int& fd, std::string& to) {
  char buffer[16384];
  while (fd >= 0) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got > 0) {
      to.append(buffer, static_cast<std::size_t>(got));
      if (to.size() > 4 * kLongestLine) return;  // the caller makes room first
    } else if (got < 0 && errno == EINTR) {
      continue;
    } else if (got < 0 && errno == EAGAIN) {
      return;
    } else {
      close(fd);
      fd = -1;
    }
  }
}

void keep_tail(std::string& text) {
  if (text.size() > kTailBytes) text.erase(0, text.size() - kTailBytes);
}

}  // namespace

Result<Process> Process::start(const std::string& program, const std::string& job) {
  const auto broken = [](const char* call) {
    return Error{Error::Kind::failed, call, std::strerror(errno)};
  };
  Pipe events, out, err;
  if (!events.open() || !out.open() || !err.open()) return broken("pipe");

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write, 1);
  posix_spawn_file_actions_adddup2(&actions, err.write, 2);
  posix_spawn_file_actions_adddup2(&actions, events.write, 3);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A session of its own has no terminal: nothing can be typed into the caller's (TIOCSTI).
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  for (const int one : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) sigaddset(&signals, one);
  posix_spawnattr_setsigdefault(&attributes, &signals);

  std::string name = program, verb = "__worker", argument = job, parent = std::to_string(getpid());
  char* arguments[] = {name.data(), verb.data(), argument.data(), parent.data(), nullptr};
  std::vector<std::string> environment = worker_environment();
  std::vector<char*> variables;
  for (std::string& entry : environment) variables.push_back(entry.data());
  variables.push_back(nullptr);
  Process process;
  int status = 0;
  start_child([&] {
    status = posix_spawn(&process.pid_, program.c_str(), &actions, &attributes, arguments,
                         variables.data());
    return status == 0 ? process.pid_ : -1;
  });
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  for (Pipe* pipe : {&events, &out, &err}) pipe->close_write();
  process.events_ = events.read;
  process.stdout_ = out.read;
  process.stderr_ = err.read;
  if (status != 0) {
    process.ended_ = true;
    errno = status;
    return broken(program.c_str());
  }
  return process;
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      ended_(std::exchange(other.ended_, true)),
      events_(std::exchange(other.events_, -1)),
      stdout_(std::exchange(other.stdout_, -1)),
      stderr_(std::exchange(other.stderr_, -1)),
      line_(std::move(other.line_)),
      out_tail_(std::move(other.out_tail_)),
      err_tail_(std::move(other.err_tail_)),
      end_(std::move(other.end_)) {}

Process::~Process() {
  if (pid_ > 0 && !ended_) {
    kill();
    for (int i = 0; i < 50 && !reap(); ++i) poll(nullptr, 0, 10);
  }
  close_pipes();
}

void Process::close_pipes() {
  for (int* fd : {&events_, &stdout_, &stderr_}) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }
}

std::vector<std::string> Process::read_available() {
  drain(stdout_, out_tail_);
  drain(stderr_, err_tail_);
  keep_tail(out_tail_);
  keep_tail(err_tail_);
  drain(events_, line_);
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end; (end = line_.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(line_.substr(begin, end - begin));
  line_.erase(0, begin);
  if (line_.size() > kLongestLine) lines.push_back(std::exchange(line_, ""));
  return lines;
}

void Process::kill() {
  // The group may be gone already, or hold only what the worker left behind.
  if (pid_ > 0) ::kill(-pid_, SIGKILL);
}

bool Process::reap() {
  if (ended_) return true;
  int status = 0;
  const pid_t got = waitpid(pid_, &status, WNOHANG);
  if (got == 0 || (got < 0 && errno == EINTR)) return false;
  if (got == pid_ && WIFSIGNALED(status)) end_.signal = WTERMSIG(status);
  if (got == pid_ && WIFEXITED(status)) end_.exit = WEXITSTATUS(status);
  ended_ = true;
  kill();  // children that outlived it
  child_ended(pid_);
  return true;
}

std::string Process::tail() const {
  const std::string& text = err_tail_.empty() ? out_tail_ : err_tail_;
  std::string clean;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (code >= 0x20 || byte == '\n' || byte == '\t') clean += byte;
  }
  while (!clean.empty() && clean.back() == '\n') clean.pop_back();
  constexpr std::size_t kShown = 1500;
  return clean.size() > kShown ? "…" + clean.substr(clean.size() - kShown) : clean;
}

}  // namespace rocvet::worker
