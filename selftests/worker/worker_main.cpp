// The worker's side: opens one device, runs its tests, writes what happens on fd 3. It may crash or
// hang at any point; the parent has what was written until then.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <thread>

#include "base/confine.h"
#include "base/text.h"
#include "selftests/deep/probes.h"
#include "selftests/gpu/nvml.h"
#include "selftests/gpu/rocm_library.h"
#include "selftests/worker/protocol.h"

namespace rocvet {
namespace {

constexpr int kEvents = 3;

void tell(const worker::Event& event) {
  const std::string line = worker::encode(event) + "\n";
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t wrote = write(kEvents, line.data() + done, line.size() - done);
    if (wrote < 0 && errno != EINTR) _exit(1);  // the parent is gone
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
}

Result<std::unique_ptr<gpu::Runtime>> open_runtime(const worker::Job& job) {
  if (job.runtime == "hip") return gpu::hip_runtime();
  if (job.runtime == "hsa") return gpu::hsa_runtime();
  if (job.runtime == "kfd") return gpu::kfd_runtime();
  if (job.runtime == "cuda") return gpu::cuda_runtime();
  return gpu::host_runtime({.seed = job.params.seed});
}

void note(const std::string& text) {
  tell(worker::Noted{text});
}

void run_test(const SelfTest& test, const DeviceRun& run, const Params& params, bool alone) {
  const std::string id(test.id);
  if (const auto reason = test.why_skip(run)) {
    tell(worker::Skipped{id, *reason});
    return;
  }
  if (test.own_process && !alone) return;
  tell(worker::Began{id});
  auto measurement = test.run(run, params);
  std::fflush(nullptr);  // what libraries printed comes before what is told of them
  if (measurement) {
    tell(worker::Measured{id, *measurement});
  } else if (measurement.is(Error::Kind::unsupported)) {
    tell(worker::Skipped{id, measurement.error().text()});
  } else {
    tell(worker::Failed{id, measurement.error()});
  }
}

/// A test that is alone may compile much through ROCm: anew, since what comes from a cache proves
/// nothing, and so that nothing is left in the user's home folder. Before HIP, which reads it
/// first.
void turn_caches_off(const worker::Job& job) {
  const bool alone =
      job.tests.size() == 1 && std::ranges::any_of(all_selftests(), [&](const SelfTest* test) {
        return test->own_process && test->id == job.tests.front();
      });
  if (alone) ::setenv("AMD_COMGR_CACHE", "0", 1);
}

/// Tells of NVIDIA's GPUs for as long as the parent wants to know: it ends by being killed.
int watch() {
  auto nvml = gpu::Nvml::open();
  if (!nvml) return tell(worker::Refused{nvml.error(), ""}), 0;
  while (true) {
    tell(worker::Watched{nvml->sample()});
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

int work(const worker::Job& job) {
  const auto began = std::chrono::steady_clock::now();
  const auto is_over = [&] {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began;
    return job.stop_after_s > 0 && passed.count() > job.stop_after_s;
  };
  if (job.runtime == "nvml") return watch();
  turn_caches_off(job);
  gpu::add_library_folders(job.library_folders);
  auto runtime = open_runtime(job);
  if (!runtime) return tell(worker::Refused{runtime.error(), ""}), 0;
  const auto count = (*runtime)->device_count();
  if (!count) return tell(worker::Refused{count.error(), ""}), 0;
  if (job.index < 0) return tell(worker::Counted{*count}), 0;
  if (job.index >= *count) {
    tell(worker::Refused{
        missing(job.runtime + ":" + std::to_string(job.index),
                "there is no such device: the runtime sees " + std::to_string(*count)),
        ""});
    return 0;
  }
  (*runtime)->on_long_wait(note);
  const std::string bdf = (*runtime)->bus_id(job.index);
  const auto device = (*runtime)->use_device(job.index);
  if (!device) return tell(worker::Refused{device.error(), bdf}), 0;
  const auto stream = (*runtime)->create_stream();
  if (!stream) return tell(worker::Refused{stream.error(), bdf}), 0;
  tell(worker::Opened{*device, (*runtime)->library(), (*runtime)->version()});
  const DeviceRun run{**runtime, *device, *stream, note,
                      [](bool begins) { tell(worker::Timing{begins}); }};
  if (job.params.warm) run.loaded_s = std::numeric_limits<double>::infinity();
  for (const SelfTest* test : all_selftests()) {
    if (is_over()) break;
    if (std::ranges::find(job.tests, test->id) != job.tests.end()) {
      run_test(*test, run, job.params, job.tests.size() == 1);
    }
  }
  tell(worker::Finished{});
  return 0;
}

}  // namespace

int worker_main(int argc, char** argv) {
  // argv: __worker JOB PARENT-PID
  if (argc != 3) return 3;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (parse_number(argv[2]) != static_cast<unsigned long long>(getppid()))
    return 3;  // the parent died before that took effect
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  fcntl(kEvents, F_SETFD, FD_CLOEXEC);
  give_up_administration();
  if (std::string_view(argv[1]).starts_with("deep\n")) {
    if (!deep::run_job(argv[1])) return 3;
    _exit(0);  // what the libraries do at exit is not what was asked
  }
  const auto job = worker::decode_job(argv[1]);
  if (!job) return 3;
  return work(*job);
}

}  // namespace rocvet
