// Starts a worker for each device, listens to all of them, and ends whatever does not end by
// itself.
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <set>

#include "machine/text.h"
#include "selftests/judge/sampler.h"
#include "selftests/selftest.h"
#include "selftests/worker/child.h"
#include "selftests/worker/kernel_messages.h"
#include "selftests/worker/message.h"
#include "selftests/worker/outcome.h"

namespace rocvet {
namespace {

using namespace worker;

constexpr double kOpen_s = 30;  // to load a runtime and open a device
constexpr int kPoll_ms = 100;
constexpr int kMostRestarts = 3;  // workers lost on one device before the rest is given up
constexpr std::size_t kOutputKept = 64u << 10;
constexpr double kLongestTest_s = 300;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

/// Ctrl-C: workers are in groups of their own and do not get it, so we must end them.
class InterruptGuard {
 public:
  InterruptGuard() {
    interrupted = false;
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = true; };
    ::sigaction(SIGINT, &action, &interrupt_);
    ::sigaction(SIGTERM, &action, &terminate_);
  }
  ~InterruptGuard() {
    ::sigaction(SIGINT, &interrupt_, nullptr);
    ::sigaction(SIGTERM, &terminate_, nullptr);
  }

 private:
  struct sigaction interrupt_ {
  }, terminate_{};
};

struct DeviceName {
  std::string text, runtime;
  int index = 0;
};

Result<DeviceName> parse_device(const std::string& text) {
  static const std::vector<std::string> kRuntimes = {"hip", "cuda", "host"};
  const std::size_t colon = text.find(':');
  DeviceName name{text, text.substr(0, colon), 0};
  if (std::find(kRuntimes.begin(), kRuntimes.end(), name.runtime) == kRuntimes.end()) {
    return malformed("device", "'" + text + "' is none of hip:N, cuda:N, host" +
                                   did_you_mean(name.runtime, kRuntimes));
  }
  if (colon == std::string::npos) return name;
  const auto index = parse_number(text.substr(colon + 1));
  if (!index || *index > 1023 || name.runtime == "host")
    return malformed("device", "'" + text + "' is none of hip:N, cuda:N, host");
  name.index = static_cast<int>(*index);
  return name;
}

Result<std::vector<std::string>> select_tests(const std::vector<std::string>& patterns) {
  std::vector<std::string> names, chosen;
  for (const SelfTest* test : all_selftests()) names.emplace_back(test->id);
  if (patterns.empty()) return names;
  std::set<std::string> wanted;
  for (const std::string& pattern : patterns) {
    bool matched = false;
    for (const std::string& name : names) {
      if (glob_match(pattern, name)) matched = wanted.insert(name).second || true;
    }
    if (!matched)
      return malformed("", "no self-test matches '" + pattern + "'" + did_you_mean(pattern, names));
  }
  std::copy_if(names.begin(), names.end(), std::back_inserter(chosen),
               [&](const std::string& name) { return wanted.count(name) > 0; });
  return chosen;
}

/// One device: its worker of the moment, what is still to run, what came of it.
class DeviceJob {
 public:
  DeviceJob(DeviceName name, std::vector<std::string> tests, const TestRequest& request,
            double test_deadline_s)
      : name_(std::move(name)),
        pending_(std::move(tests)),
        request_(request),
        test_deadline_s_(test_deadline_s) {
    start();
  }

  bool done() const { return done_; }
  std::vector<TestResult> take_results() { return std::move(results_); }
  void add_to(std::vector<pollfd>& fds) const {
    if (!child_) return;
    if (child_->result_fd() >= 0) fds.push_back({child_->result_fd(), POLLIN, 0});
    if (child_->output_fd() >= 0) fds.push_back({child_->output_fd(), POLLIN, 0});
  }

  /// Reads what is there and acts on ends and deadlines.
  void step(double budget_end_s);
  /// Ends the worker; what has not run says `reason`.
  void stop(const std::string& reason);

 private:
  void start();
  void listen();
  void handle(const Message& message);
  void begin_test(const std::string& test);
  void end_test(TestResult result);
  void lose_worker(BadEnd end);
  void give_up(const std::string& reason);
  std::string current_or_runtime() const {
    return current_.empty() ? "runtime." + name_.runtime : current_;
  }

  DeviceName name_;
  std::vector<std::string> pending_;
  const TestRequest& request_;
  double test_deadline_s_;
  std::optional<Child> child_;
  std::unique_ptr<Sampler> sampler_;
  KernelMessages kernel_;
  gpu::DeviceInfo device_;
  std::string current_, line_, output_;
  double deadline_ = 0;
  int lost_ = 0;
  bool done_ = false, ended_ = false;
  std::vector<TestResult> results_;
};

void DeviceJob::start() {
  if (pending_.empty()) {
    done_ = true;
    return;
  }
  std::vector<std::string> arguments = {
      request_.worker_program,
      "__worker",
      name_.runtime,
      std::to_string(name_.index),
      std::to_string(static_cast<int>(request_.params.size)),
      std::to_string(request_.params.seed),
      std::to_string(static_cast<int>(request_.params.time_limit_s))};
  arguments.insert(arguments.end(), pending_.begin(), pending_.end());
  line_.clear();
  output_.clear();
  current_.clear();
  ended_ = false;
  deadline_ = now_s() + kOpen_s;
  auto child = Child::start(arguments);
  if (!child) {
    results_.push_back(not_run("runtime." + name_.runtime, name_.text, child.error().text()));
    give_up("no worker could be started");
    return;
  }
  child_.emplace(std::move(*child));
}

void DeviceJob::begin_test(const std::string& test) {
  current_ = test;
  deadline_ = now_s() + test_deadline_s_;
  if (request_.progress) request_.progress(name_.text, test, false);
  if (!device_.bdf.empty())
    sampler_ =
        std::make_unique<Sampler>(SampledDevice{.folder = "/sys/bus/pci/devices/" + device_.bdf});
}

void DeviceJob::end_test(TestResult result) {
  result.gpu = device_;
  if (sampler_) result.observed = sampler_->finish();
  sampler_.reset();
  pending_.erase(std::remove(pending_.begin(), pending_.end(), result.id), pending_.end());
  if (request_.progress) request_.progress(name_.text, result.id, true);
  results_.push_back(std::move(result));
  current_.clear();
  deadline_ = now_s() + kOpen_s;
}

void DeviceJob::handle(const Message& message) {
  switch (message.kind) {
    case Message::Kind::device:
      device_ = message.device;
      break;
    case Message::Kind::begin:
      begin_test(message.test);
      break;
    case Message::Kind::skip:
    case Message::Kind::result:
    case Message::Kind::error:
      end_test(outcome_of(message, name_.text));
      break;
    case Message::Kind::fatal: {
      TestResult result = outcome_of(message, name_.text);
      result.id = "runtime." + name_.runtime;
      result.verdict = Verdict::fail;
      results_.push_back(std::move(result));
      ended_ = true;
      child_->kill();
      child_.reset();
      give_up("");
      break;
    }
    case Message::Kind::end:
      ended_ = true;
      break;
    case Message::Kind::count:
      break;
  }
}

void DeviceJob::listen() {
  const bool more_output =
      child_->output_fd() < 0 || Child::drain(child_->output_fd(), output_, kOutputKept);
  if (!more_output) child_->close_output();
  const bool more =
      child_->result_fd() >= 0 && Child::drain(child_->result_fd(), line_, kLongestLine);
  std::size_t end;
  while (!done_ && child_ && (end = line_.find('\n')) != std::string::npos) {
    const auto message = decode(std::string_view(line_).substr(0, end));
    line_.erase(0, end + 1);
    if (!message) {
      lose_worker({.kind = BadEnd::Kind::garbage});
      return;
    }
    handle(*message);
  }
  if (!more && child_) child_->close_result();
}

void DeviceJob::step(double budget_end_s) {
  if (done_ || !child_) return;
  listen();
  if (done_ || !child_) return;
  if (child_->result_fd() < 0) {
    // Its end of the pipe is closed: it has ended or is about to.
    if (ended_ && pending_.empty()) {
      child_->kill();
      child_.reset();
      done_ = true;
      return;
    }
    BadEnd end{.kind = BadEnd::Kind::died};
    for (int i = 0; i < 50 && !end.wait_status; ++i) {
      end.wait_status = child_->try_wait();
      if (!end.wait_status) ::poll(nullptr, 0, 10);
    }
    if (child_->output_fd() >= 0) Child::drain(child_->output_fd(), output_, kOutputKept);
    lose_worker(std::move(end));
    return;
  }
  const double now = now_s();
  if (now >= budget_end_s) {
    lose_worker({.kind = BadEnd::Kind::budget});
  } else if (now >= deadline_) {
    lose_worker({.kind = BadEnd::Kind::deadline,
                 .deadline_s = current_.empty() ? kOpen_s : test_deadline_s_});
  }
}

void DeviceJob::lose_worker(BadEnd end) {
  const std::string test = current_or_runtime();
  const bool opened = !current_.empty() || !device_.arch.empty();
  if (end.kind != BadEnd::Kind::died || !end.wait_status) {
    const bool by_itself = end.kind == BadEnd::Kind::died;
    end.wait_status = child_->kill();
    if (!end.wait_status) {
      end.kind = BadEnd::Kind::wedged;
      end.state = process_state(child_->pid());
    } else if (!by_itself) {
      end.killed_by_us = true;
    }
  } else {
    child_->kill();  // the rest of its group
  }
  end.output = output_;
  end.kernel_lines = kernel_.take();
  const BadEnd::Kind kind = end.kind;
  child_.reset();
  TestResult result = outcome_of(end, test, name_.text);
  if (kind == BadEnd::Kind::wedged) result.summary = name_.text + ": " + result.summary;
  end_test(std::move(result));
  ++lost_;
  if (kind == BadEnd::Kind::wedged) {
    give_up("the GPU is wedged");
  } else if (kind == BadEnd::Kind::budget) {
    give_up("the time budget is used up");
  } else if (!opened) {
    give_up("");  // the runtime itself fails; asking again would give the same
  } else if (lost_ >= kMostRestarts) {
    give_up(std::to_string(lost_) + " workers were lost on this device");
  } else {
    start();
  }
}

void DeviceJob::give_up(const std::string& reason) {
  // Without a reason of their own the tests that did not run add nothing to the failure above.
  if (!reason.empty()) {
    for (const std::string& test : pending_) results_.push_back(not_run(test, name_.text, reason));
  }
  pending_.clear();
  done_ = true;
}

void DeviceJob::stop(const std::string& reason) {
  if (child_) child_->kill();
  child_.reset();
  sampler_.reset();
  give_up(reason);
}

/// The devices of a runtime, asked in a worker; a failure is a result like any other.
std::vector<DeviceName> count_devices(const std::string& runtime, const TestRequest& request,
                                      std::vector<TestResult>& results) {
  auto child = Child::start({request.worker_program, "__worker", runtime, "count", "0", "0", "0"});
  const std::string id = "runtime." + runtime;
  if (!child) {
    results.push_back(not_run(id, runtime, child.error().text()));
    return {};
  }
  std::string line, output;
  const double end = now_s() + kOpen_s;
  bool open = true;
  while (open && !interrupted && line.find('\n') == std::string::npos && now_s() < end) {
    pollfd fds[] = {{child->result_fd(), POLLIN, 0}, {child->output_fd(), POLLIN, 0}};
    ::poll(fds, 2, kPoll_ms);
    open = Child::drain(child->result_fd(), line, kLongestLine);
    Child::drain(child->output_fd(), output, kOutputKept);
  }
  const auto message = decode(std::string_view(line).substr(0, line.find('\n')));
  if (!message ||
      (message->kind != Message::Kind::count && message->kind != Message::Kind::fatal)) {
    BadEnd bad{.kind = open && line.empty() ? BadEnd::Kind::deadline
                       : line.empty()       ? BadEnd::Kind::died
                                            : BadEnd::Kind::garbage,
               .deadline_s = kOpen_s};
    for (int i = 0; i < 50 && !open && !child->try_wait(); ++i) ::poll(nullptr, 0, 10);
    bad.wait_status = child->kill();
    bad.output = output;
    results.push_back(outcome_of(bad, id, runtime));
    return {};
  }
  child->kill();
  if (message->kind == Message::Kind::fatal) {
    TestResult result = outcome_of(*message, runtime);
    result.id = id;
    result.verdict = Verdict::fail;
    results.push_back(std::move(result));
    return {};
  }
  std::vector<DeviceName> names;
  for (int i = 0; i < std::min(message->number, 1024); ++i)
    names.push_back({runtime + ":" + std::to_string(i), runtime, i});
  if (names.empty()) {
    TestResult result = not_run(id, runtime, "");
    result.verdict = Verdict::fail;
    result.summary = "the runtime reports no device";
    results.push_back(std::move(result));
  }
  return names;
}

}  // namespace

Result<std::vector<TestResult>> run_selftests(const TestRequest& request) {
  auto tests = select_tests(request.ids);
  if (!tests) return tests.error();
  std::vector<DeviceName> devices;
  for (const std::string& text : request.devices) {
    auto name = parse_device(text);
    if (!name) return name.error();
    devices.push_back(std::move(*name));
  }
  const InterruptGuard guard;
  std::vector<TestResult> results;
  if (devices.empty()) devices = count_devices("hip", request, results);
  const double budget_end = now_s() + request.time_budget_s;
  const double test_deadline = request.test_deadline_s > 0
                                   ? request.test_deadline_s
                                   : std::min(kLongestTest_s, request.time_budget_s / 2);
  std::vector<std::unique_ptr<DeviceJob>> jobs;
  for (const DeviceName& device : devices)
    jobs.push_back(std::make_unique<DeviceJob>(device, *tests, request, test_deadline));
  const auto all_done = [&] {
    return std::all_of(jobs.begin(), jobs.end(), [](const auto& job) { return job->done(); });
  };
  while (!all_done() && !interrupted) {
    std::vector<pollfd> fds;
    for (const auto& job : jobs) job->add_to(fds);
    ::poll(fds.data(), fds.size(), kPoll_ms);
    for (const auto& job : jobs) job->step(budget_end);
  }
  if (interrupted) {
    for (const auto& job : jobs) job->stop("interrupted");
    return Error{Error::Kind::failed, "", "interrupted"};
  }
  for (const auto& job : jobs) {
    for (TestResult& result : job->take_results()) results.push_back(std::move(result));
  }
  return results;
}

}  // namespace rocvet
