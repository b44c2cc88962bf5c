// Every way in which a HIP runtime can let a worker down: the run must end within its deadline,
// with the right finding, and leave no process behind.
#include <dirent.h>
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "selftests/selftest.h"
#include "selftests/soak/run_soak.h"

namespace rocvet {
namespace {

struct Outcome {
  std::vector<TestResult> results;
  double seconds = 0;

  const TestResult* find(const std::string& id) const {
    for (const TestResult& result : results) {
      if (result.id == id) return &result;
    }
    return nullptr;
  }
  int count(Verdict verdict) const {
    int count = 0;
    for (const TestResult& result : results) count += result.verdict == verdict;
    return count;
  }
  /// Everything that the failing results say.
  std::string words() const {
    std::string all;
    for (const TestResult& result : results) {
      if (result.verdict == Verdict::fail || result.verdict == Verdict::unknown) {
        all += result.id + ": " + result.summary + "\n";
        if (result.worker) all += result.worker->stderr_tail + "\n";
      }
    }
    return all;
  }
};

int cases = 0;

Outcome run(const std::string& command, std::vector<std::string> ids = {"bandwidth.copy"},
            double deadline_s = 1.5, std::vector<std::string> devices = {"hip:0"},
            double budget_s = 60) {
  ++cases;
  ::setenv("ROCVET_FAKE_HIP", command.c_str(), 1);
  ::setenv("LD_LIBRARY_PATH", ROCVET_FAKE_HIP_FOLDER, 1);
  TestRequest request;
  request.ids = std::move(ids);
  request.devices = std::move(devices);
  request.params.size = Size::tiny;
  request.test_deadline_s = deadline_s;
  request.time_budget_s = budget_s;
  request.worker_program = ROCVET_PROGRAM;
  const auto start = std::chrono::steady_clock::now();
  auto results = run_selftests(request);
  REQUIRE(results);
  return {std::move(*results),
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

const std::vector<std::string> kCalls = {"hipInit",
                                         "hipGetDeviceCount",
                                         "hipSetDevice",
                                         "hipGetDevicePropertiesR0600",
                                         "hipMemGetInfo",
                                         "hipMalloc",
                                         "hipMemcpy",
                                         "hipMemset",
                                         "hipModuleLoadData",
                                         "hipModuleGetFunction",
                                         "hipModuleLaunchKernel",
                                         "hipStreamCreateWithFlags",
                                         "hipEventCreateWithFlags",
                                         "hipEventRecord",
                                         "hipEventSynchronize",
                                         "hipEventElapsedTime",
                                         "hipDeviceSynchronize",
                                         "hipFree",
                                         "hipModuleUnload",
                                         "hipEventDestroy"};
/// Failing to give something back is not worth a verdict.
bool gives_back(const std::string& call) {
  return call == "hipFree" || call == "hipModuleUnload" || call == "hipEventDestroy";
}

}  // namespace

TEST_CASE("a healthy fake passes") {
  const Outcome outcome = run("", {"*"}, 60);
  CAPTURE(outcome.words());
  CHECK(outcome.count(Verdict::fail) == 0);
  CHECK(outcome.count(Verdict::unknown) == 0);
  CHECK(outcome.count(Verdict::pass) >= 20);
}

TEST_CASE("a call that crashes names the signal") {
  for (const std::string& call : kCalls) {
    CAPTURE(call);
    const Outcome outcome = run(call + "=crash");
    CHECK(outcome.count(Verdict::fail) == 1);
    CHECK(outcome.words().find("SIGSEGV") != std::string::npos);
    CHECK(outcome.seconds < 10);
  }
}

TEST_CASE("a call that aborts names the signal and what was written last") {
  for (const std::string& call : kCalls) {
    CAPTURE(call);
    const Outcome outcome = run(call + "=abort");
    CHECK(outcome.count(Verdict::fail) == 1);
    CHECK(outcome.words().find("SIGABRT") != std::string::npos);
    CHECK(outcome.words().find("Assertion `healthy' failed") != std::string::npos);
  }
}

TEST_CASE("a call that ends the process names the status") {
  for (const std::string& call : kCalls) {
    CAPTURE(call);
    const Outcome outcome = run(call + "=exit");
    CHECK(outcome.count(Verdict::fail) == 1);
    CHECK(outcome.words().find("ended with status 7") != std::string::npos);
  }
}

TEST_CASE("an error status is named in words") {
  for (const std::string& call : kCalls) {
    if (gives_back(call)) continue;
    CAPTURE(call);
    const Outcome outcome = run(call + "=719");
    CHECK(outcome.count(Verdict::fail) == 1);
    CHECK(outcome.words().find("hipErrorLaunchFailure (719): the kernel faulted") !=
          std::string::npos);
  }
  for (const int status : {1, 2, 100, 209, 303, 700, 999}) {
    CAPTURE(status);
    const Outcome outcome = run("hipModuleLoadData=" + std::to_string(status));
    CHECK(outcome.words().find("(" + std::to_string(status) + ")") != std::string::npos);
  }
}

TEST_CASE("a call that never returns is cut off at the deadline") {
  for (const std::string& call : kCalls) {
    CAPTURE(call);
    const Outcome outcome = run(call + "=hang", {"bandwidth.copy"}, 0.7);
    CHECK(outcome.count(Verdict::fail) == 1);
    CHECK(outcome.words().find("no answer within") != std::string::npos);
    CHECK(outcome.seconds < 6);
  }
}

TEST_CASE("what a budget of a second cut off is not known to hang") {
  for (const std::string call : {"hipInit", "hipDeviceSynchronize"}) {
    CAPTURE(call);
    const Outcome outcome = run(call + "=hang", {"bandwidth.copy"}, 0, {"hip:0"}, 1.4);
    CAPTURE(outcome.words());
    CHECK(outcome.count(Verdict::fail) == 0);
    CHECK(outcome.count(Verdict::unknown) >= 1);
    CHECK(outcome.words().find("half of the time budget") != std::string::npos);
    CHECK(outcome.words().find("no answer") == std::string::npos);
    CHECK(outcome.seconds < 6);
  }
}

TEST_CASE("worse ways to hang") {
  for (const std::string way : {"sleep", "stubborn", "children"}) {
    for (const std::string call : {"hipInit", "hipModuleLaunchKernel"}) {
      CAPTURE(way);
      CAPTURE(call);
      const Outcome outcome = run(call + "=" + way, {"bandwidth.copy"}, 0.7);
      CHECK(outcome.count(Verdict::fail) == 1);
      CHECK(outcome.words().find("no answer within") != std::string::npos);
      CHECK(outcome.seconds < 6);
    }
  }
}

TEST_CASE("garbage on stdout harms nothing; on the pipe it ends the worker") {
  const Outcome noise = run("hip*=garbage");
  CAPTURE(noise.words());
  CHECK(noise.count(Verdict::pass) == 1);
  CHECK(noise.count(Verdict::fail) == 0);
  const Outcome pipe = run("hipMalloc=pipe");
  CHECK(pipe.count(Verdict::fail) == 1);
  CHECK(pipe.words().find("where an event was due") != std::string::npos);
}

TEST_CASE("memory that runs out is a result") {
  const Outcome outcome = run("hipMalloc=memory");
  CHECK(outcome.count(Verdict::fail) == 1);
  CHECK(outcome.seconds < 10);
}

TEST_CASE("wrong results fail and show no speed") {
  for (const std::string how : {"corrupt", "offset"}) {
    for (const std::string id : {"bandwidth.copy", "gemm.fp32", "gemm.fp16", "attention.fp32"}) {
      CAPTURE(how);
      CAPTURE(id);
      const Outcome outcome = run(how, {id}, 30);
      const TestResult* result = outcome.find(id);
      REQUIRE(result != nullptr);
      CHECK(result->verdict == Verdict::fail);
      CHECK(result->summary.starts_with("wrong result"));
      CHECK_FALSE(result->performance);
    }
  }
}

TEST_CASE("devices are counted") {
  const Outcome none = run("devices=0", {"bandwidth.copy"}, 5, {});
  CHECK(none.count(Verdict::fail) == 1);
  CHECK(none.words().find("sees no device") != std::string::npos);
  const Outcome many = run("devices=64", {"launch.latency"}, 50, {});
  CAPTURE(many.words());
  CHECK(many.count(Verdict::pass) == 64);
  const Outcome beyond = run("devices=2", {"bandwidth.copy"}, 5, {"hip:2"});
  CHECK(beyond.count(Verdict::fail) == 1);
  CHECK(beyond.words().find("there is no such device") != std::string::npos);
}

TEST_CASE("a number of devices without sense is not believed") {
  for (const char* devices : {"devices=3000", "devices=-5", "devices=2147483647"}) {
    CAPTURE(devices);
    const Outcome outcome = run(devices, {"bandwidth.copy"}, 5, {"hip"});
    CHECK(outcome.results.size() == 1);
    CHECK(outcome.words().find("makes no sense") != std::string::npos);
  }
}

TEST_CASE("what a library says without end costs no memory") {
  const auto used_kib = [] {
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    return use.ru_maxrss;
  };
#if defined(__SANITIZE_ADDRESS__)
  constexpr long kMost = 512 * 1024;  // it keeps 256 MiB of what is freed
#else
  constexpr long kMost = 64 * 1024;
#endif
  const long before = used_kib();
  CHECK(run("hipMalloc=flood", {"bandwidth.copy"}, 2).seconds < 20);
  CHECK(used_kib() - before < kMost);
}

TEST_CASE("a test that dies does not lose the others") {
  // Each of them loads two modules, its own and the patterns': the third load is the second test's.
  const Outcome outcome =
      run("hipModuleLoadData@3=crash", {"bandwidth.copy", "bandwidth.triad", "bandwidth.write"}, 5);
  CHECK(outcome.count(Verdict::pass) == 2);
  CHECK(outcome.count(Verdict::fail) == 1);
}

TEST_CASE("the budget ends a run, and says so") {
  ::setenv("ROCVET_FAKE_HIP", "hipModuleLaunchKernel=hang", 1);
  ::setenv("LD_LIBRARY_PATH", ROCVET_FAKE_HIP_FOLDER, 1);
  TestRequest request;
  request.ids = {"bandwidth.*"};
  request.devices = {"hip:0"};
  request.params.size = Size::tiny;
  request.time_budget_s = 1;
  request.test_deadline_s = 30;
  request.worker_program = ROCVET_PROGRAM;
  const auto results = run_selftests(request);
  ++cases;
  REQUIRE(results);
  for (const TestResult& result : *results) {
    CAPTURE(result.id);
    CHECK(result.verdict == Verdict::unknown);
    CHECK(result.summary.find("budget") != std::string::npos);
  }
}

TEST_CASE("a process that cannot be killed is named, and the run ends") {
  const Outcome outcome = run("hipModuleLaunchKernel=wedge", {"bandwidth.*"}, 1);
  CAPTURE(outcome.words());
  CHECK(outcome.words().find("hip:0 wedged") != std::string::npos);
  CHECK(outcome.seconds < 30);
}

TEST_CASE("a signal that was ignored from the start ends nothing") {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGHUP, SIG_IGN);  // nohup
    if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(9);
    execl(ROCVET_PROGRAM, "rocvet", "test", "bandwidth.copy", "gemm.fp32", "--device=host",
          static_cast<char*>(nullptr));
    _exit(9);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(child, SIGHUP);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

namespace {

/// rocvet with these arguments on a fake that hangs, interrupted: no worker is left, and what was
/// found until then is told.
std::string interrupted(std::vector<std::string> arguments) {
  ++cases;
  ::setenv("ROCVET_FAKE_HIP", "hipModuleLaunchKernel=hang", 1);
  ::setenv("LD_LIBRARY_PATH", ROCVET_FAKE_HIP_FOLDER, 1);
  std::vector<char*> argv;
  for (std::string& one : arguments) argv.push_back(one.data());
  argv.push_back(nullptr);
  int report[2];
  REQUIRE(pipe(report) == 0);
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    dup2(report[1], STDOUT_FILENO);
    close(report[0]);
    close(report[1]);
    execv(ROCVET_PROGRAM, argv.data());
    _exit(9);
  }
  close(report[1]);
  usleep(1'500'000);
  // The worker is the only child of ours that is a child of `child`.
  const auto workers = [&] {
    int count = 0;
    DIR* processes = opendir("/proc");
    if (processes == nullptr) return -1;
    while (const dirent* entry = readdir(processes)) {
      const std::string path = std::string("/proc/") + entry->d_name + "/stat";
      if (FILE* file = std::fopen(path.c_str(), "r")) {
        char line[512] = {};
        if (std::fgets(line, sizeof line, file) != nullptr) {
          const std::string text = line;
          const std::size_t end = text.rfind(')');
          count += end != text.npos && std::atoi(text.c_str() + end + 4) == child;
        }
        std::fclose(file);
      }
    }
    closedir(processes);
    return count;
  };
  CHECK(workers() == 1);
  kill(child, SIGINT);
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGINT);
  CHECK(workers() == 0);
  std::string told;
  char part[4096];
  for (ssize_t got; (got = read(report[0], part, sizeof part)) > 0;)
    told.append(part, static_cast<std::size_t>(got));
  close(report[0]);
  return told;
}

}  // namespace

TEST_CASE("an interrupt leaves no worker, and a report of what was found") {
  const std::string test = interrupted({"rocvet", "test", "memory.pattern", "bandwidth.copy",
                                        "--device=hip:0", "--size=tiny", "--format=json"});
  CHECK(test.find("interrupted; the worker was killed") != test.npos);
  CHECK(test.find("\"verdict\": \"unknown\"") != test.npos);
  const std::string ladder = interrupted({"rocvet", "ladder", "--no-color"});
  CHECK(ladder.find("the libraries") != ladder.npos);
  CHECK(ladder.find("interrupted before it began") != ladder.npos);
  MESSAGE(cases << " faults in all");
}

namespace {

/// A soak of the fake; `changes_after`: of so many tests that ended, after which it misbehaves.
SoakRun soak(double for_s, int changes_after, const std::string& command, double deadline_s = 1.5) {
  ++cases;
  ::setenv("ROCVET_FAKE_HIP", changes_after == 0 ? command.c_str() : "", 1);
  ::setenv("LD_LIBRARY_PATH", ROCVET_FAKE_HIP_FOLDER, 1);
  TestRequest request;
  request.ids = {"bandwidth.copy", "memory.pattern"};
  request.devices = {"hip:0"};
  request.params.size = Size::tiny;
  request.test_deadline_s = deadline_s;
  request.worker_program = ROCVET_PROGRAM;
  request.repeat.for_s = for_s;
  int ended = 0;
  request.progress = [&](const std::string&, const std::string&, bool done) {
    ended += done ? 1 : 0;
    if (ended == changes_after) ::setenv("ROCVET_FAKE_HIP", command.c_str(), 1);
  };
  auto run = run_soak(request);
  REQUIRE(run);
  REQUIRE(run->soak.gpus.size() == 1);
  return std::move(*run);
}

int rounds(const SoakRun& run) {
  int sum = 0;
  for (const SoakTest& test : run.soak.gpus.front().tests) sum += test.rounds;
  return sum;
}

}  // namespace

TEST_CASE("a soak repeats the tests until its time is over") {
  const SoakRun run = soak(5, 0, "", 60);
  CHECK(rounds(run) > 4);
  CHECK(run.soak.gpus.front().ended.empty());
  CHECK(run.soak.gpus.front().errors.empty());
  CHECK(run.soak.lasted_s >= 5);
  CHECK(run.soak.lasted_s < 10);
  CHECK(run.results.size() == 2);
}

TEST_CASE("a GPU that is lost in the middle ends its soak, and keeps what it had") {
  for (const std::string call : {"hipInit=100", "hipGetDeviceCount=100", "hipSetDevice=crash"}) {
    CAPTURE(call);
    const SoakRun run = soak(30, 4, call);
    const SoakGpu& gpu = run.soak.gpus.front();
    CHECK(gpu.ended == "the device could not be used");
    CHECK(rounds(run) >= 4);
    CHECK(gpu.errors.size() == 1);
    CHECK(run.soak.lasted_s < 25);
  }
}

TEST_CASE("a kernel that hangs ends the soak of its GPU") {
  const SoakRun run = soak(60, 4, "hipDeviceSynchronize=hang");
  const SoakGpu& gpu = run.soak.gpus.front();
  CHECK(gpu.ended.find("no answer within") != std::string::npos);
  REQUIRE(gpu.errors.size() == 1);
  CHECK(gpu.errors.front().test == "bandwidth.copy");
  CHECK(rounds(run) >= 5);
  CHECK(run.soak.lasted_s < 30);
}

TEST_CASE("workers that crash are counted, and not for ever") {
  const SoakRun run = soak(60, 4, "hipMalloc=crash");
  const SoakGpu& gpu = run.soak.gpus.front();
  CHECK(gpu.ended.find("too many workers died") != std::string::npos);
  CHECK(gpu.errors.size() > 4);
  CHECK(gpu.errors.front().what.find("SIGSEGV") != std::string::npos);
  CHECK(run.soak.lasted_s < 30);
}

}  // namespace rocvet
