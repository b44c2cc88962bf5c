// One line for a scheduler: what is wrong with the node and what to do, and the same as a plugin of
// Nagios prints it, with its numbers.
#include <algorithm>

#include "base/text.h"
#include "report/complaints.h"
#include "report/layout.h"

namespace rocvet {
namespace {

/// "kfd-not-accessible: /dev/kfd is closed to this user - do: sudo usermod … (and 2 more)"; the
/// machine where there is nothing to complain of.
std::string sentence(const Report& report) {
  const std::vector<Complaint> all = complaints(report);
  if (all.empty()) return machine_line(report.machine);
  const Complaint& worst = all.front();
  std::string text = name_of(worst) + ": " + worst.text;
  if (!worst.action.empty()) text += " - do: " + worst.action;
  if (all.size() > 1) text += " (and " + std::to_string(all.size() - 1) + " more)";
  return printable(text);
}

/// Nagios takes what stands behind the bar for figures.
std::string without_bars(std::string text) {
  std::ranges::replace(text, '|', '/');
  return text;
}

/// 'hip:0 gemm.fp16'=812.3;;
std::string figures(const Report& report) {
  std::string out;
  for (const TestResult& test : report.selftests) {
    if (!test.performance) continue;
    out += (out.empty() ? "'" : " '") + test.device + " " + test.id +
           "'=" + fixed(test.performance->median, 3);
  }
  return out;
}

}  // namespace

std::string write_line(const Report& report) {
  switch (report.verdict) {
    case Verdict::fail:
      return "DRAIN " + sentence(report) + "\n";
    case Verdict::warn:
      return "WARN " + sentence(report) + "\n";
    case Verdict::pass:
      return "OK " + sentence(report) + "\n";
    default:
      return "UNKNOWN " + sentence(report) + "\n";
  }
}

int nagios_status(Verdict verdict) {
  if (verdict == Verdict::pass) return 0;
  if (verdict == Verdict::warn) return 1;
  return verdict == Verdict::fail ? 2 : 3;
}

std::string write_nagios(const Report& report) {
  constexpr const char* kWords[] = {"OK", "WARNING", "CRITICAL", "UNKNOWN"};
  const std::string numbers = figures(report);
  return "ROCVET " + std::string(kWords[nagios_status(report.verdict)]) + " - " +
         without_bars(sentence(report)) + (numbers.empty() ? "" : " | " + numbers) + "\n";
}

}  // namespace rocvet
