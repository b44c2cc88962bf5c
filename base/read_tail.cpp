#include "base/read_tail.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/errno_name.h"

namespace rocvet {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// What never ends is no log, and no device has as long a one as a program.
constexpr std::size_t kMostRead = 1u << 30, kMostOfDevice = 64u << 20;

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

/// What is ready, after at most `wait` (negative: without end).
short ready(int fd, milliseconds wait) {
  pollfd asked{fd, POLLIN, 0};
  return ::poll(&asked, 1, static_cast<int>(wait.count())) > 0 ? asked.revents : 0;
}

/// A pipe that answered a read with nothing.
class QuietPipe {
 public:
  QuietPipe(int fd, std::string path, Patience patience)
      : fd_(fd), path_(std::move(path)), patience_(patience) {}

  void heard() {
    opened_ = true;
    since_ = Clock::now();
  }

  /// After "no writer has it open": whether that is the end, or none has come yet.
  Result<bool> ended() {
    if (opened_) return true;
    const short events = ready(fd_, milliseconds(0));
    if ((events & POLLIN) != 0) return false;
    if ((events & POLLHUP) != 0) return true;  // one came, and left without a word
    if (waited() > patience_.for_writer)
      return Error{Error::Kind::timed_out, path_, "nobody has opened the other end of this pipe"};
    // That somebody opens it wakes no poll.
    ready(fd_, std::min(patience_.for_writer, milliseconds(50)));
    return false;
  }

  /// After "nothing yet": waits for more.
  Result<Done> wait() {
    if (!opened_) heard();
    const auto left = patience_.for_more - waited();
    if (left <= milliseconds(0)) {
      return Error{Error::Kind::timed_out, path_,
                   "nothing came through this pipe for " +
                       std::to_string(patience_.for_more.count() / 1000) + " s"};
    }
    ready(fd_, left);
    return Done{};
  }

 private:
  milliseconds waited() const {
    return std::chrono::duration_cast<milliseconds>(Clock::now() - since_);
  }

  int fd_;
  std::string path_;
  Patience patience_;
  bool opened_ = false;
  Clock::time_point since_ = Clock::now();
};

}  // namespace

Result<std::string> read_tail(const std::string& path, std::size_t most, Patience patience) {
  // O_NONBLOCK: neither the opening nor a read may wait for ever.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  struct stat info {};
  if (file.number < 0 || ::fstat(file.number, &info) != 0)
    return errno_error(path, errno_name(errno));
  if (S_ISDIR(info.st_mode))
    return Error{Error::Kind::failed, path, "cannot be read: it is a folder"};
  if (S_ISREG(info.st_mode) && info.st_size > static_cast<off_t>(most))
    static_cast<void>(::lseek(file.number, info.st_size - static_cast<off_t>(most), SEEK_SET));
  const bool pipe = S_ISFIFO(info.st_mode), terminal = ::isatty(file.number) == 1;
  QuietPipe quiet(file.number, path, patience);
  std::string text;
  std::size_t total = 0;
  const std::size_t end = S_ISCHR(info.st_mode) ? kMostOfDevice : kMostRead;
  char part[65536];
  for (;;) {
    const ssize_t got = ::read(file.number, part, sizeof part);
    if (got > 0) {
      quiet.heard();
      text.append(part, static_cast<std::size_t>(got));
      if (text.size() > 2 * most) text.erase(0, text.size() - most);
      total += static_cast<std::size_t>(got);
      if (total > end) return Error{Error::Kind::failed, path, "does not end"};
    } else if (got == 0) {
      if (!pipe) return text;
      const auto ended = quiet.ended();
      if (!ended) return ended.error();
      if (*ended) return text;
    } else if (errno == EAGAIN) {
      if (terminal) {
        ready(file.number, milliseconds(-1));
      } else if (!pipe) {
        return text;
      } else if (auto waited = quiet.wait(); !waited) {
        return waited.error();
      }
    } else if (errno != EINTR) {
      return errno_error(path, errno_name(errno));
    }
  }
}

}  // namespace rocvet
