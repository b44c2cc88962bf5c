// A child process that may do anything: crash, hang, ignore signals, flood its output.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "machine/result.h"

namespace rocvet::worker {

class Child {
 public:
  /// `arguments[0]` is the program. Standard output and error go to `output_fd`, messages to
  /// `result_fd`; both are non-blocking. The child leads a process group of its own.
  static Result<Child> start(const std::vector<std::string>& arguments);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  /// Kills the group and reaps what can be reaped.
  ~Child();

  int result_fd() const { return result_fd_; }
  int output_fd() const { return output_fd_; }
  pid_t pid() const { return pid_; }

  /// Reads what is there; false at the end of the stream. `tail` keeps the last bytes.
  static bool drain(int fd, std::string& into, std::size_t limit);
  void close_result();
  void close_output();

  /// The wait status once it has ended.
  std::optional<int> try_wait();
  /// SIGKILL to the group, after SIGTERM and a short grace; nullopt when it does not die: a process
  /// in uninterruptible sleep inside the kernel.
  std::optional<int> kill();

 private:
  Child(pid_t pid, int result_fd, int output_fd);
  pid_t pid_;
  int result_fd_, output_fd_;
  std::optional<int> status_;
};

/// "segmentation fault (SIGSEGV)"
std::string signal_text(int signal);
/// State and kernel wait channel of a process, for the report: "D, in kfd_ioctl".
std::string process_state(pid_t pid);

}  // namespace rocvet::worker
