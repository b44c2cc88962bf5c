#include "source/file_reader.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/children.h"
#include "base/read_whole_file.h"
#include "source/redirect.h"

namespace rocvet {
namespace {

using Clock = std::chrono::steady_clock;

struct CallHead {
  FileCall::What what;
  std::uint32_t path_size;
  std::uint64_t limit;
};
struct ReplyHead {
  bool good;
  Error::Kind kind;
  std::uint64_t size;  ///< of the bytes, or of the error's words, which follow
  struct stat info;
  struct statvfs use;
};

bool send_all(int socket, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

enum class Got { all, ended, too_late };

/// Waits until `deadline`, or for ever without one.
Got receive_all(int socket, void* data, std::size_t size, const Clock::time_point* deadline) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    if (deadline != nullptr) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - Clock::now());
      pollfd waiting{socket, POLLIN, 0};
      const int ready =
          poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
      if (ready == 0) return Got::too_late;
      if (ready < 0 && errno == EINTR) continue;
    }
    const ssize_t got = recv(socket, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Got::ended;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return Got::all;
}

/// In the child: nothing of the parent's stays open (whoever reads our output would wait for the
/// child's end too), no signal is held, and it ends with its parent.
void become_child(int input, pid_t parent) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != parent) _exit(0);
  redirect(input, STDIN_FILENO);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  redirect(null, STDOUT_FILENO);
  redirect(null, STDERR_FILENO);
  if (close_range(3, ~0U, 0) == 0) return;
  for (int fd = 3; fd < 1024; ++fd) close(fd);  // before Linux 5.9
}

/// Reads calls from standard input, which is the socket, and answers them there.
[[noreturn]] void serve(const HungPlaces& hung) {
  CallHead head{};
  FileCall call;
  while (receive_all(STDIN_FILENO, &head, sizeof head, nullptr) == Got::all) {
    call.what = head.what;
    call.limit = head.limit;
    call.path.resize(head.path_size);
    if (receive_all(STDIN_FILENO, call.path.data(), call.path.size(), nullptr) != Got::all) break;
    Result<FileReply> reply = Error{};
    if (const auto place = hung.empty() ? std::nullopt : hung.in_the_way(call)) {
      reply = Error{Error::Kind::timed_out, call.path, "ETIMEDOUT: " + *place + " does not answer"};
    } else {
      reply = make_file_call(call);
    }
    ReplyHead answer{};
    answer.good = reply.has_value();
    if (!reply) answer.kind = reply.error().kind;
    const std::string& bytes = reply ? reply->bytes : reply.error().what;
    answer.size = bytes.size();
    if (reply) {
      answer.info = reply->info;
      answer.use = reply->use;
    }
    if (!send_all(STDIN_FILENO, &answer, sizeof answer) ||
        !send_all(STDIN_FILENO, bytes.data(), bytes.size())) {
      break;
    }
  }
  _exit(0);
}

/// Waits at most 200 ms for a killed child.
void bury(pid_t child) {
  kill(child, SIGKILL);
  for (int i = 0; i < 200 && waitpid(child, nullptr, WNOHANG) == 0; ++i) usleep(1000);
  child_ended(child);
}

std::vector<Mount> mounts_now() {
  const auto text = read_whole_file("/proc/self/mounts", 16u << 20);  // the kernel's own; no wait
  return text ? parse_mounts(*text) : std::vector<Mount>{};
}

}  // namespace

FileReader::~FileReader() {
  stop();
}

bool FileReader::start() {
  if (child_ > 0) return true;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  const pid_t parent = getpid();
  child_ = start_child([&] {
    const pid_t pid = fork();
    if (pid == 0) {
      become_child(ends[1], parent);
      serve(hung_);
    }
    return pid;
  });
  close(ends[1]);
  socket_ = ends[0];
  if (child_ < 0) stop();
  return child_ > 0;
}

void FileReader::stop() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  if (child_ > 0) bury(child_);
  child_ = -1;
}

void FileReader::leave() {
  ++waits_;
  stop();
}

std::chrono::milliseconds FileReader::patience() const {
  if (waits_ == 0) return first_patience_;
  return waits_ < 4 ? first_patience_ / 2 : first_patience_ / 8;
}

void FileReader::note_hung(const FileCall& call) {
  // A second child goes the same way step by step, and is seen where it stops.
  constexpr std::size_t kSize = 8192;
  void* memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return hung_.add(call.path, mounts_now());
  char* const place = static_cast<char*>(memory);
  const pid_t parent = getpid();
  const pid_t walker = start_child([&] {
    const pid_t pid = fork();
    if (pid == 0) {
      become_child(open("/dev/null", O_RDONLY | O_CLOEXEC), parent);
      const auto note = [&](const std::string& at) -> Result<Done> {
        if (at.size() < kSize) std::memcpy(place, at.c_str(), at.size() + 1);
        return Done{};
      };
      const auto real = walk_to(call.path, follows_last(call.what), note);
      if (real) static_cast<void>(note(*real));
      _exit(0);
    }
    return pid;
  });
  if (walker > 0) {
    for (int i = 0; i < 500 && waitpid(walker, nullptr, WNOHANG) == 0; ++i) usleep(1000);
    bury(walker);
  }
  place[kSize - 1] = '\0';
  hung_.add(*place == '\0' ? call.path : std::string(place), mounts_now());
  munmap(memory, kSize);
}

Result<FileReply> FileReader::ask(const FileCall& call) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (!start()) return make_file_call(call);
    const CallHead head{call.what, static_cast<std::uint32_t>(call.path.size()), call.limit};
    const Clock::time_point deadline = Clock::now() + patience();
    ReplyHead answer{};
    std::string bytes;
    Got got = Got::ended;
    if (send_all(socket_, &head, sizeof head) &&
        send_all(socket_, call.path.data(), call.path.size())) {
      got = receive_all(socket_, &answer, sizeof answer, &deadline);
    }
    if (got == Got::all) {
      bytes.resize(answer.size);
      got = receive_all(socket_, bytes.data(), bytes.size(), &deadline);
    }
    if (got == Got::all) {
      if (!answer.good) return Error{answer.kind, call.path, std::move(bytes)};
      return FileReply{std::move(bytes), answer.info, answer.use};
    }
    if (got == Got::too_late) {
      const auto waited = std::to_string(patience().count()) + " ms";
      leave();
      note_hung(call);
      return Error{Error::Kind::timed_out, call.path, "ETIMEDOUT: no answer within " + waited};
    }
    stop();  // somebody killed it: once more
  }
  return Error{Error::Kind::failed, call.path, "whoever was to read it ended twice"};
}

}  // namespace rocvet
