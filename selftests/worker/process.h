// One worker process as its parent sees it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "selftests/selftest.h"

namespace rocvet::worker {

class Process {
 public:
  /// Starts `program __worker job` in a process group of its own, its standard input empty.
  static Result<Process> start(const std::string& program, const std::string& job);
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  /// Kills what still runs, and waits for it no longer than a moment.
  ~Process();

  /// What poll() should watch; closed ones are -1.
  int events_fd() const { return events_; }
  int stdout_fd() const { return stdout_; }
  int stderr_fd() const { return stderr_; }

  /// Reads what is there, without waiting. Returns the complete lines of events.
  std::vector<std::string> read_available();
  /// Kills the whole group.
  void kill();
  /// True once the process has ended; `end()` then says how.
  bool reap();
  const WorkerEnd& end() const { return end_; }
  /// The last lines it wrote to stderr, or, when that is empty, to stdout.
  std::string tail() const;
  pid_t pid() const { return pid_; }
  /// It cannot be killed: forget it without waiting.
  void abandon() { ended_ = true; }

 private:
  Process() = default;
  void close_pipes();

  pid_t pid_ = -1;
  bool ended_ = false;
  int events_ = -1, stdout_ = -1, stderr_ = -1;
  std::string line_, out_tail_, err_tail_;
  WorkerEnd end_;
};

}  // namespace rocvet::worker
