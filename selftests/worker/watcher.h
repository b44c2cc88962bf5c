// The watcher of NVIDIA's GPUs as the parent sees it: a process that says every 50 ms what the
// driver's library tells. When it hangs, there is nothing to tell, and the run goes on.
#pragma once

#include <poll.h>

#include <optional>
#include <string>
#include <vector>

#include "selftests/judge/gpu_sample.h"
#include "selftests/worker/process.h"

namespace rocvet::worker {

class Watcher {
 public:
  explicit Watcher(const std::string& program);
  void add_to(std::vector<pollfd>& watched) const;
  /// Takes what it said since the last call.
  void read_new();
  /// Waits until it has said something, or has nothing to say, at most `limit_s`.
  void wait_for_first(double limit_s);
  /// Samples of one GPU that came between two moments of the monotonic clock, in seconds.
  std::vector<GpuSample> samples(const std::string& bdf, double from_s, double to_s) const;

  /// Samples from before that moment are not asked for any more.
  void forget_before(double time_s);

 private:
  struct Moment {
    double time_s;
    std::vector<GpuSample> gpus;
  };
  std::optional<Process> process_;
  std::vector<Moment> moments_;
};

}  // namespace rocvet::worker
