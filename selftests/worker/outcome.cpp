#include "selftests/worker/outcome.h"

#include <sys/wait.h>

#include <algorithm>
#include <csignal>

#include "machine/text.h"
#include "selftests/worker/child.h"

namespace rocvet::worker {
namespace {

constexpr std::size_t kTailBytes = 2000;

Performance performance_of(const Measurement& m) {
  std::vector<double> sorted = m.samples;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  Performance p;
  p.metric = m.metric;
  p.unit = m.unit;
  p.median = sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  p.min = sorted.front();
  p.max = sorted.back();
  p.samples = m.samples;
  return p;
}

std::string scientific(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.2g", value);
  return buffer;
}

void take_measurement(TestResult& result, const Measurement& m) {
  result.evidence = m.notes;
  result.verification = m.verification;
  result.higher_is_better = m.higher_is_better;
  result.work = m.work;
  if (!m.verification.ok()) {
    result.verdict = Verdict::fail;
    result.summary = "wrong result: relative error " + scientific(m.verification.max_rel_error) +
                     ", tolerance " + scientific(m.verification.tolerance);
    if (!m.verification.detail.empty())
      result.evidence.insert(result.evidence.begin(), m.verification.detail);
    return;
  }
  result.verdict = Verdict::pass;
  const bool finite = std::all_of(m.samples.begin(), m.samples.end(), [](double sample) {
    return sample == sample && sample >= 0 && sample < 1e18;
  });
  if (!finite) {
    result.verdict = Verdict::unknown;
    result.summary = "the result is right, its timing makes no sense";
    return;
  }
  result.summary = "right";
  if (!m.samples.empty()) {
    result.performance = performance_of(m);
    result.summary = "right; measured, nothing to compare with";
  }
}

std::string end_summary(const BadEnd& end) {
  switch (end.kind) {
    case BadEnd::Kind::deadline:
      return "no end within " + fixed(end.deadline_s, end.deadline_s < 10 ? 1 : 0) +
             " s; the worker was killed";
    case BadEnd::Kind::budget:
      return "cut off: the time budget is used up";
    case BadEnd::Kind::garbage:
      return "the worker wrote garbage instead of a result; it was killed";
    case BadEnd::Kind::wedged:
      return "the GPU is wedged: its worker cannot be killed (state " + end.state +
             "); a reset or reboot is needed";
    case BadEnd::Kind::died:
      break;
  }
  if (!end.wait_status) return "the worker vanished";
  if (WIFSIGNALED(*end.wait_status)) {
    const int signal = WTERMSIG(*end.wait_status);
    if (signal == SIGKILL) return "the worker was killed from outside (SIGKILL): out of memory?";
    return "the worker died of " + signal_text(signal);
  }
  const int status = WEXITSTATUS(*end.wait_status);
  if (status == 127) return "the worker could not be started";
  return "the worker ended with status " + std::to_string(status) + " before its result";
}

/// Printable, and the end of it only.
std::string tail_of(const std::string& output) {
  std::string text =
      output.size() > kTailBytes ? output.substr(output.size() - kTailBytes) : output;
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f) c = '?';
  }
  return std::string(trim(text));
}

}  // namespace

TestResult outcome_of(const Message& message, const std::string& device) {
  TestResult result;
  result.id = message.test;
  result.device = device;
  if (message.kind == Message::Kind::result) {
    take_measurement(result, message.measurement);
  } else if (message.kind == Message::Kind::skip) {
    result.verdict = Verdict::skip;
    result.summary = message.error.what;
  } else {
    const Error::Kind kind = message.error.kind;
    const bool cannot = kind == Error::Kind::unsupported || kind == Error::Kind::missing;
    result.verdict = cannot                           ? Verdict::skip
                     : kind == Error::Kind::timed_out ? Verdict::unknown
                                                      : Verdict::fail;
    result.summary = message.error.text();
  }
  return result;
}

TestResult outcome_of(const BadEnd& end, const std::string& test, const std::string& device) {
  TestResult result;
  result.id = test;
  result.device = device;
  result.verdict = end.kind == BadEnd::Kind::budget ? Verdict::unknown : Verdict::fail;
  result.summary = end_summary(end);
  for (const std::string& line : end.kernel_lines) result.evidence.push_back("kernel: " + line);
  WorkerEnd worker;
  if (end.wait_status && WIFSIGNALED(*end.wait_status)) worker.signal = WTERMSIG(*end.wait_status);
  if (end.wait_status && WIFEXITED(*end.wait_status)) worker.exit = WEXITSTATUS(*end.wait_status);
  worker.stderr_tail = tail_of(end.output);
  result.worker = worker;
  return result;
}

TestResult not_run(const std::string& test, const std::string& device, const std::string& reason) {
  TestResult result;
  result.id = test;
  result.device = device;
  result.verdict = Verdict::unknown;
  result.summary = "not run: " + reason;
  return result;
}

}  // namespace rocvet::worker
