// The parent's side: a worker for each device, all at once; whatever a worker does becomes results.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <deque>
#include <list>
#include <memory>
#include <thread>

#include "base/now_s.h"
#include "base/text.h"
#include "selftests/judge/sampler.h"
#include "selftests/result.h"
#include "selftests/select.h"
#include "selftests/worker/interruption.h"
#include "selftests/worker/process.h"
#include "selftests/worker/protocol.h"
#include "selftests/worker/watcher.h"

namespace rocvet {
namespace {

using worker::Interruption;
using worker::Process;

/// What the kernel logs from now on, where this user may read it.
class NewKernelLines {
 public:
  NewKernelLines() : fd_(open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
    if (fd_ >= 0) lseek(fd_, 0, SEEK_END);
  }
  NewKernelLines(const NewKernelLines&) = delete;
  ~NewKernelLines() {
    if (fd_ >= 0) close(fd_);
  }
  std::vector<std::string> read_new() {
    std::vector<std::string> lines;
    char record[8192];
    ssize_t got;
    while (fd_ >= 0 && lines.size() < 20 && (got = read(fd_, record, sizeof record)) > 0) {
      std::string text(record, static_cast<std::size_t>(got));
      text = text.substr(text.find(';') + 1);
      lines.push_back("kernel log: " + text.substr(0, text.find('\n')));
    }
    return lines;
  }

 private:
  int fd_;
};

/// Half of the default budget: what is silent for so long will not answer.
constexpr double kHangSeconds = 30;

/// Before an interruption takes its course, the terminal is as it was.
struct EndOfProgress {
  const TestRequest& request;
  ~EndOfProgress() {
    if (request.progress) request.progress("", "", true);
  }
};

/// Of a whole run.
struct Times {
  double began = 0, until = 0, test_deadline_s = 0;
  double hang_s = 0;        ///< without a word for so long: a hang, and no budget that was short
  double repeat_until = 0;  ///< 0: the tests run once
};

/// One device, the worker that has it now, and what is left to do.
class DeviceTests {
 public:
  DeviceTests(DeviceName device, const std::vector<const SelfTest*>& tests,
              const TestRequest& request, const Times& times, int threads, worker::Watcher* watcher)
      : device_(std::move(device)),
        request_(request),
        threads_(threads),
        watcher_(watcher),
        times_(times) {
    if (device_.index >= 0) all_ = tests;
    left_.assign(all_.begin(), all_.end());
    start();
  }

  bool active() const { return process_.has_value(); }
  double deadline() const { return deadline_; }
  void add_to(std::vector<pollfd>& watched) const {
    for (const int fd : {process_->events_fd(), process_->stdout_fd(), process_->stderr_fd()}) {
      if (fd >= 0) watched.push_back({fd, POLLIN, 0});
    }
  }

  /// Reads, reaps, watches the clock. Call often.
  void step(NewKernelLines& kernel_log) {
    read_events();
    if (process_->reap()) {
      read_events();  // what it wrote last
      process_ended(kernel_log);
    } else if (now_s() > deadline_) {
      if (dying_) {
        wedged();
      } else {
        hung_ = finished_ || waited_long_enough();
        cut_ = !hung_;
        give_up_on_worker(cut_                     ? cut_reason()
                          : reason_to_die_.empty() ? "no answer within " + waited()
                                                   : reason_to_die_);
      }
    }
  }

  /// When the tests are repeated nothing is collected: what is settled goes to the one who asked.
  void hand_on() {
    if (!repeats() || (process_ && is_alone()))
      return;  // how that one leaves is part of its result
    for (TestResult& result : results)
      request_.repeat.take(std::move(result), now_s() - times_.began);
    results.clear();
  }

  /// The budget is spent or the user wants to leave: what was not run is not known.
  void stop(const std::string& why) {
    if (process_ && !dying_) {
      stopped_ = why;
      give_up_on_worker(why);
    } else {
      stopped_ = why;
    }
  }

  /// What else this device is to do, once it has ended.
  void more(const std::vector<const SelfTest*>& tests) {
    left_.assign(tests.begin(), tests.end());
    if (lost_) return skip_rest("the device could not be used");
    if (!stopped_.empty()) return skip_rest(stopped_, Verdict::unknown);
    if (!left_.empty()) start();
  }

  std::vector<TestResult> results;
  std::optional<int> counted;

 private:
  // The kernel's driver gives a queue that hangs 9 s to be preempted (queue_preemption_timeout_ms)
  // and then resets the GPU, before a process that is dead can leave.
  static constexpr double kReapSeconds = 5, kReapSecondsOfAmd = 12;
  static constexpr int kMostRestarts = 8;
  // A library that says more is not believed: each device costs a process. 8 GPUs make 64
  // partitions.
  static constexpr int kMostDevices = 256;
  static constexpr std::size_t kMostNotes = 64, kLongestNote = 1024;  // of one test

  bool repeats() const { return times_.repeat_until > 0 && !all_.empty(); }
  bool is_alone() const { return batch_.size() == 1 && batch_.front()->own_process; }

  void start() {
    // Vendor libraries run alone, one after the other, when all else is done.
    const bool all_alone =
        std::ranges::all_of(left_, [](const SelfTest* test) { return test->own_process; });
    batch_.assign(left_.begin(), all_alone && !left_.empty() ? left_.begin() + 1 : left_.end());
    worker::Job job{device_.runtime, device_.index, {}, request_.params, request_.library_folders};
    for (const SelfTest* test : batch_) job.tests.emplace_back(test->id);
    if (job.params.size == Size::tiny) job.params.time_limit_s = 0;
    job.params.threads = threads_;
    job.params.warm = rounds_ > 0;
    if (repeats()) job.stop_after_s = std::max(times_.repeat_until - now_s(), 0.001);
    current_ = nullptr;
    notes_.clear();
    reason_to_die_.clear();
    opened_ = finished_ = refused_ = dying_ = hung_ = cut_ = false;
    auto process = Process::start(request_.worker_program, worker::encode(job));
    if (!process) {
      add("device", Verdict::unknown, "the worker did not start: " + process.error().text());
      skip_rest("the worker did not start");
      return;
    }
    process_.emplace(std::move(*process));
    set_deadline();
    if (started_ == 0) started_ = now_s();
  }

  void set_deadline() {
    began_ = now_s();
    deadline_ = began_ + times_.test_deadline_s;
  }
  std::string waited() const { return fixed(now_s() - began_, 1) + " s"; }
  /// A budget of seconds leaves a test less than what a healthy one may take.
  bool waited_long_enough() const {
    double enough = times_.hang_s;
    if (current_ != nullptr && current_->deadline_s > 0)
      enough = std::min(enough, current_->deadline_s);
    return deadline_ - began_ > 0.99 * enough;  // sums of times are not exact
  }
  std::string cut_reason() const {
    return "not finished within " + waited() + ", half of the time budget";
  }

  void read_events() {
    for (const std::string& line : process_->read_available()) {
      if (dying_) continue;
      const auto event = worker::decode_event(line);
      if (!event) {
        reason_to_die_ = event.error().text();
        give_up_on_worker(reason_to_die_);
        return;
      }
      std::visit([this](const auto& one) { handle(one); }, *event);
    }
  }

  void handle(const worker::Counted& event) {
    finished_ = true;
    if (event.devices < 0 || event.devices > kMostDevices) {
      add("device", Verdict::fail,
          "the " + device_.runtime + " runtime says that there are " +
              std::to_string(event.devices) + " devices, which makes no sense");
      return;
    }
    counted = event.devices;
  }
  void handle(const worker::Opened& event) {
    opened_ = true;
    opened_device_ = event.device;
    const gpu::DeviceInfo& device = event.device;
    description_ = device.name + " (" + device.arch +
                   (device.bdf.empty() ? "" : ", " + device.bdf) + ")" +
                   (event.library.empty() ? "" : " through " + event.library) + " " + event.version;
    through_ = std::string(trim(event.library + " " + event.version));
    set_deadline();
  }
  void handle(const worker::Refused& event) {
    if (refused_) return;  // said once
    refused_ = finished_ = lost_ = true;
    opened_device_.bdf = event.bdf;
    test_began_ = now_s();
    // What root does not load was not looked at.
    const bool withheld = event.error.kind == Error::Kind::denied;
    TestResult& result =
        add("device", withheld ? Verdict::unknown : Verdict::fail, event.error.text());
    if (watcher_ != nullptr && !event.bdf.empty()) {
      watcher_->wait_for_first(2);
      result.observed = observed();
    }
    skip_rest("the device could not be used");
  }
  void handle(const worker::Began& event) {
    const auto at = find_left(event.test);
    if (at == left_.end()) return;  // it was not asked for
    current_ = *at;
    any_began_ = true;
    notes_.clear();
    test_began_ = now_s();
    timing_began_ = timing_ended_ = 0;
    set_deadline();
    if (current_->deadline_s > 0 && request_.params.size != Size::full) {
      deadline_ = began_ + std::min(times_.test_deadline_s, current_->deadline_s);
    }
    if (watcher_ == nullptr && !opened_device_.bdf.empty() && !sampler_hung_) {
      SampledDevice sampled;
      sampled.folder = "/sys/bus/pci/devices/" + lower(opened_device_.bdf);
      sampler_ = std::make_unique<Sampler>(std::move(sampled));
    }
    if (request_.progress) request_.progress(device_.text(), event.test, false);
  }
  void handle(const worker::Noted& event) {
    if (notes_.size() < kMostNotes) notes_.push_back(event.text.substr(0, kLongestNote));
  }
  void handle(const worker::Timing& event) {
    (event.begins ? timing_began_ : timing_ended_) = now_s();
    if (sampler_) sampler_->timing(event.begins);
  }
  void handle(const worker::Watched&) {}  // a watcher's word, not a worker's
  void handle(const worker::Measured& event) {
    worker::Measured seen = event;
    if (request_.params.size == Size::tiny && !seen.measurement.samples.empty()) {
      seen.measurement.samples.clear();
      seen.measurement.metric += ": right; too small to speak of speed";
    }
    done(event.test, result_of(device_.text(), seen));
  }
  void handle(const worker::Skipped& event) { done(event.test, result_of(device_.text(), event)); }
  void handle(const worker::Failed& event) {
    TestResult result = result_of(device_.text(), event);
    result.gpu = opened_device_;
    explain(result);
    const std::string tail = process_->tail();
    if (!tail.empty()) result.evidence.push_back("the runtime wrote: " + tail);
    done(event.test, std::move(result));
  }
  void handle(const worker::Finished&) {
    finished_ = true;
    set_deadline();  // to leave
  }

  std::deque<const SelfTest*>::iterator find_left(const std::string& id) {
    return std::ranges::find_if(left_, [&](const SelfTest* test) { return test->id == id; });
  }
  /// The current test is over, however it went.
  void drop_current() {
    if (current_ != nullptr && request_.progress)
      request_.progress(device_.text(), std::string(current_->id), true);
    if (const auto at = std::ranges::find(left_, current_); at != left_.end()) left_.erase(at);
  }
  void take_notes(TestResult& result) {
    result.evidence.insert(result.evidence.end(), notes_.begin(), notes_.end());
    notes_.clear();
  }
  void explain(TestResult& result) {
    if (current_ != nullptr && current_->explain != nullptr)
      current_->explain(result, process_->tail());
  }

  void done(const std::string& test, TestResult result) {
    const auto at = find_left(test);
    if (at == left_.end()) return;  // it was not asked for
    left_.erase(at);
    take_notes(result);
    if (request_.progress) request_.progress(device_.text(), test, true);
    if (result.verdict != Verdict::pass && result.verdict != Verdict::skip) {
      result.evidence.push_back("on " + description_);
    }
    result.gpu = opened_device_;
    result.through = through_;
    if (sampler_) result.observed = sampler_->finish();
    // Its thread stays behind: not one for each test of a run that lasts.
    if (sampler_ && repeats()) sampler_hung_ = result.observed->cut_short;
    if (current_ != nullptr &&
        current_->id == test) {  // it began: a test that cannot run here does not
      if (watcher_ != nullptr) result.observed = observed();
      result.seconds.emplace_back("total", now_s() - test_began_);
    }
    sampler_.reset();
    if (result.performance) result.performance->regime = to_string(request_.params.regime);
    results.push_back(std::move(result));
    current_ = nullptr;
    set_deadline();
  }

  /// What the watcher saw of this GPU before its worker came, and during the test that ends now.
  Telemetry observed() const {
    watcher_->read_new();
    const double now = now_s(), ended = timing_ended_ > 0 ? timing_ended_ : now;
    const std::string& bdf = opened_device_.bdf;
    std::vector<GpuSample> timed;
    if (timing_began_ > 0) timed = watcher_->samples(bdf, timing_began_, ended);
    // Loads of processes are told with a delay: what came shortly before counts as well.
    return summarize(watcher_->samples(bdf, 0, started_),
                     watcher_->samples(bdf, std::max(test_began_ - 0.2, started_), now), timed,
                     {static_cast<int>(process_->pid())});
  }

  void give_up_on_worker(const std::string& reason) {
    reason_to_die_ = reason;
    dying_ = true;
    process_->kill();
    const bool amd =
        device_.runtime == "hip" || device_.runtime == "hsa" || device_.runtime == "kfd";
    deadline_ = now_s() + (amd ? kReapSecondsOfAmd : kReapSeconds);
  }

  /// Where it happened: the test that ran, or the device when none did.
  std::string place() const { return current_ == nullptr ? "device" : std::string(current_->id); }

  void process_ended(NewKernelLines& kernel_log) {
    const WorkerEnd end = process_->end();
    if (finished_ && is_alone()) return left_badly(end);
    const bool clean = !dying_ && finished_ && end.exit == 0;
    if (!clean) {
      WorkerEnd shown = end;
      shown.stderr_tail = process_->tail();
      std::string what =
          dying_ ? reason_to_die_ + "; the worker was killed" : "the worker was " + describe(end);
      if (!dying_ && !end.signal) what = "the worker " + describe(end);
      if (finished_)
        what += ", after its last test";
      else if (current_ == nullptr && !opened_)
        what += ", while it opened the device";
      TestResult& result = add(place(), verdict_of_end(), what);
      result.worker = shown;
      take_notes(result);
      if (stopped_.empty() && !cut_) explain(result);
      for (std::string& line : kernel_log.read_new()) result.evidence.push_back(std::move(line));
      drop_current();
    }
    sampler_.reset();
    const bool device_lost = !opened_ && !finished_;
    lost_ = lost_ || device_lost;
    process_.reset();
    if (refused_ || (left_.empty() && !repeats())) return;
    if (!stopped_.empty()) return skip_rest(stopped_, Verdict::unknown);
    if (device_lost)
      return cut_ ? skip_rest("the device was not opened within half of the time budget",
                              Verdict::unknown)
                  : skip_rest("the device could not be used");
    // What a library does to its own process says nothing of the device.
    const bool its_own = current_ != nullptr && current_->own_process;
    if (hung_ && repeats() && !its_own) return skip_rest(reason_to_die_);
    if (!finished_ && !its_own && ++restarts_ > kMostRestarts) {
      return skip_rest("not run: too many workers died on this device", Verdict::unknown);
    }
    if (finished_) drop_unrun();
    go_on();
  }

  bool is_time_over() const { return repeats() && now_s() > times_.repeat_until; }

  /// With what is left; when the tests are repeated, with all of them again after the last.
  void go_on() {
    if (is_time_over()) return left_.clear();
    if (left_.empty() && repeats()) {
      if (!any_began_) return;  // nothing of it can run here
      left_.assign(all_.begin(), all_.end());
      any_began_ = false;
      ++rounds_;
    }
    if (!left_.empty()) start();
  }

  /// The worker says that it is done: what it should have run and did not is not known.
  void drop_unrun() {
    if (is_time_over()) return;
    for (const SelfTest* test : batch_) {
      const auto at = std::ranges::find(left_, test);
      if (at == left_.end() || (test->own_process && batch_.size() > 1)) continue;
      left_.erase(at);
      add(std::string(test->id), Verdict::unknown, "the worker did not run it");
    }
  }

  /// A test in a process of its own has its result; the process may still end badly.
  void left_badly(const WorkerEnd& end) {
    if (end.exit != 0 && !results.empty() && results.back().id == batch_.front()->id) {
      TestResult& result = results.back();
      const std::string how = dying_ ? reason_to_die_ + " from the process when it left"
                                     : std::string("the process ") + (end.signal ? "was " : "") +
                                           describe(end) + " when it left";
      result.evidence.push_back(how);
      result.worker = end;
      result.worker->stderr_tail = process_->tail();
      if (result.verdict == Verdict::pass) {
        result.verdict = Verdict::warn;
        result.summary += ", but " + how;
      }
    }
    sampler_.reset();
    process_.reset();
    if (!stopped_.empty()) return skip_rest(stopped_, Verdict::unknown);
    drop_unrun();
    go_on();
  }

  /// A test that was cut short by the budget is not known; everything else is a failure.
  Verdict verdict_of_end() const {
    return !stopped_.empty() || cut_ ? Verdict::unknown : Verdict::fail;
  }

  void wedged() {
    TestResult& result =
        add(place(), Verdict::fail,
            device_.text() +
                " wedged: its process cannot be killed, the driver or the hardware "
                "does not answer");
    result.worker = WorkerEnd{};
    result.worker->stderr_tail = process_->tail();
    result.evidence.push_back(reason_to_die_);
    take_notes(result);
    drop_current();
    process_->abandon();
    process_.reset();
    lost_ = true;
    skip_rest("the device is wedged", Verdict::unknown);
  }

  TestResult& add(std::string id, Verdict verdict, std::string summary) {
    TestResult result;
    result.id = std::move(id);
    result.device = device_.text();
    result.verdict = verdict;
    result.summary = std::move(summary);
    result.gpu = opened_device_;
    result.through = through_;
    if (!description_.empty()) result.evidence.push_back("on " + description_);
    return results.emplace_back(std::move(result));
  }
  void skip_rest(const std::string& why, Verdict verdict = Verdict::skip) {
    if (repeats()) {
      left_.clear();
      hand_on();
      if (stopped_.empty()) request_.repeat.gave_up(device_.text(), why, now_s() - times_.began);
      return;
    }
    while (!left_.empty()) {
      add(std::string(left_.front()->id), verdict, why);
      left_.pop_front();
    }
  }

  DeviceName device_;
  const TestRequest& request_;
  int threads_;
  worker::Watcher* watcher_;  ///< null: the sampler tells of this device, if anything does
  Times times_;
  double began_ = 0, deadline_ = 0;
  double started_ = 0, test_began_ = 0, timing_began_ = 0, timing_ended_ = 0;
  std::vector<const SelfTest*> all_;    ///< of a round
  std::deque<const SelfTest*> left_;    ///< to be done, the batch included
  std::vector<const SelfTest*> batch_;  ///< what the worker of now was asked for
  const SelfTest* current_ = nullptr;
  std::vector<std::string> notes_;  ///< of the current test
  std::optional<Process> process_;
  gpu::DeviceInfo opened_device_;
  std::unique_ptr<Sampler> sampler_;
  std::string reason_to_die_, stopped_, description_, through_;
  bool opened_ = false, finished_ = false, refused_ = false, dying_ = false, hung_ = false;
  bool cut_ = false;  ///< what it was at had too little of the budget to tell
  bool sampler_hung_ = false, any_began_ = false;
  bool lost_ = false;  ///< no worker can use the device any more
  int restarts_ = 0, rounds_ = 0;
};

/// Workers share the cores; more than a few threads each would only wait for memory.
int threads_of_each(std::size_t workers) {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return static_cast<int>(std::clamp<std::size_t>(cores / std::max<std::size_t>(workers, 1), 1, 8));
}

/// Runs all until they end or the budget is spent.
void run_all(std::list<DeviceTests>& all, const Times& times, NewKernelLines& kernel_log,
             worker::Watcher* watcher = nullptr) {
  bool stopped = false;
  while (true) {
    std::vector<pollfd> watched;
    double next = times.until;
    for (const DeviceTests& one : all) {
      if (!one.active()) continue;
      one.add_to(watched);
      next = std::min(next, one.deadline());
    }
    if (watcher != nullptr) watcher->add_to(watched);
    const bool any = std::ranges::any_of(all, [](const auto& one) { return one.active(); });
    if (!any) return;
    // The end of a process does not wake poll() while a child of its own holds its pipes.
    const double wait_s = std::clamp(next - now_s(), 0.0, watched.size() < 3 ? 0.02 : 0.2);
    poll(watched.data(), watched.size(), static_cast<int>(wait_s * 1000) + 1);
    if (watcher != nullptr) watcher->read_new();
    if (watcher != nullptr && times.repeat_until > 0)
      watcher->forget_before(now_s() - 2 * times.test_deadline_s);
    for (DeviceTests& one : all) {
      if (one.active()) one.step(kernel_log);
      one.hand_on();
    }
    if (!stopped && (now_s() > times.until || Interruption::seen())) {
      stopped = true;
      for (DeviceTests& one : all) {
        one.stop(Interruption::seen() ? "interrupted" : "not finished: the time budget is spent");
      }
    }
  }
}

}  // namespace

Result<std::vector<TestResult>> run_selftests(const TestRequest& request) {
  auto tests = select_tests(request.ids);
  if (!tests) return tests.error();
  if (request.of != TestRequest::Of::all) {
    const bool libraries = request.of == TestRequest::Of::libraries;
    std::erase_if(*tests, [&](const SelfTest* test) { return test->own_process != libraries; });
  }
  std::vector<DeviceName> devices;
  for (const std::string& text : request.devices) {
    auto device = parse_device(text);
    if (!device) return device.error();
    devices.push_back(std::move(*device));
  }
  if (devices.empty()) devices.push_back({"hip", -1});

  Times times;
  times.began = now_s();
  times.until = times.began + request.time_budget_s;
  times.hang_s = request.test_deadline_s > 0 ? request.test_deadline_s : kHangSeconds;
  times.test_deadline_s = request.test_deadline_s > 0
                              ? request.test_deadline_s
                              : std::clamp(request.time_budget_s / 2, 1.0, 300.0);
  if (request.repeat.for_s > 0) {
    times.repeat_until = times.began + request.repeat.for_s;
    times.until = times.repeat_until + times.test_deadline_s;
  }
  Interruption interruption;
  NewKernelLines kernel_log;
  const EndOfProgress end_of_progress{request};
  std::vector<TestResult> results;
  const auto take = [&](std::list<DeviceTests>& from) {
    for (DeviceTests& one : from) {
      one.hand_on();
      std::ranges::move(one.results, std::back_inserter(results));
    }
  };

  // "hip" alone means each of its devices: ask how many there are.
  std::vector<DeviceName> single;
  for (const DeviceName& device : devices) {
    if (device.index >= 0) {
      single.push_back(device);
      continue;
    }
    std::list<DeviceTests> counting;
    counting.emplace_back(device, *tests, request, times, 1, nullptr);
    run_all(counting, times, kernel_log);
    take(counting);
    const int count = counting.front().counted.value_or(0);
    for (int i = 0; i < count; ++i) single.push_back({device.runtime, i});
    if (counting.front().counted == 0) {
      TestResult& none = results.emplace_back();
      none.id = "device";
      none.device = device.runtime;
      none.verdict = Verdict::fail;
      none.summary = "the " + device.runtime + " runtime sees no device";
    }
  }
  // NVIDIA's GPUs have no telemetry in sysfs; their library is asked by a process of its own, which
  // looks before the workers come.
  std::optional<worker::Watcher> watcher;
  if (std::ranges::count(single, "cuda", &DeviceName::runtime) > 0) {
    watcher.emplace(request.worker_program);
    watcher->wait_for_first(2);
  }
  const int threads = threads_of_each(single.size());
  // What works on several GPUs would disturb what is timed on one: it comes last, one after the
  // other.
  std::vector<const SelfTest*> together;
  if (single.size() > 1 && times.repeat_until == 0) {
    const auto first = std::stable_partition(
        tests->begin(), tests->end(), [](const SelfTest* test) { return !test->all_devices; });
    together.assign(first, tests->end());
    tests->erase(first, tests->end());
  }
  std::list<DeviceTests> all;
  for (const DeviceName& device : single) {
    if (Interruption::seen()) break;
    worker::Watcher* its = device.runtime == "cuda" && watcher ? &*watcher : nullptr;
    all.emplace_back(device, *tests, request, times, threads, its);
  }
  run_all(all, times, kernel_log, watcher ? &*watcher : nullptr);
  if (!together.empty()) {
    for (DeviceTests& one : all) {
      if (Interruption::seen()) one.stop("interrupted");
      one.more(together);
      run_all(all, times, kernel_log, watcher ? &*watcher : nullptr);
    }
  }
  take(all);
  return results;
}

}  // namespace rocvet
