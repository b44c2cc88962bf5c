// What a worker and its parent say to each other: the job as one argument, then a line of JSON for
// each event.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "selftests/judge/gpu_sample.h"
#include "selftests/selftest.h"

namespace rocvet::worker {

struct Job {
  std::string
      runtime;    ///< "hip", "hsa", "kfd", "cuda", "host"; "nvml": watch NVIDIA's GPUs until killed
  int index = 0;  ///< of the device; -1: only count the devices
  /// A test that wants a process of its own runs only when it is alone here; among others it may
  /// be skipped, and is left otherwise.
  std::vector<std::string> tests;
  Params params;
  std::vector<std::string> library_folders;  ///< as in TestRequest
  double stop_after_s = 0;                   ///< no test begins later; 0: all are run
};

struct Counted {  ///< how many devices the runtime has
  int devices = 0;
};
struct Opened {  ///< the device answers
  gpu::DeviceInfo device;
  std::string library, version;  ///< of the runtime
};
struct Refused {  ///< runtime or device could not be used; nothing follows
  Error error;
  std::string bdf;  ///< of the device, when that much is known
};
struct Began {
  std::string test;
};
struct Noted {  ///< worth knowing of the test that runs, whatever becomes of it
  std::string text;
};
struct Timing {  ///< what the test times begins, or has ended
  bool begins = false;
};
struct Watched {  ///< by a watcher: all its GPUs at one moment
  std::vector<GpuSample> gpus;
};
struct Measured {
  std::string test;
  Measurement measurement;
};
struct Skipped {
  std::string test, reason;
};
struct Failed {  ///< a call failed: no answer to judge
  std::string test;
  Error error;
};
struct Finished {};  ///< all tests were run; the worker leaves now

using Event = std::variant<Counted, Opened, Refused, Began, Noted, Timing, Watched, Measured,
                           Skipped, Failed, Finished>;

std::string encode(const Job& job);
Result<Job> decode_job(const std::string& text);
/// One line, without its end.
std::string encode(const Event& event);
/// Error::malformed: the line is no event.
Result<Event> decode_event(const std::string& line);

}  // namespace rocvet::worker
