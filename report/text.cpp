// What a person reads: the machine in a line or two, the root causes, then what failed, worst
// first; what passed is a count unless asked for.
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "report/layout.h"
#include "report/padded.h"

namespace rocvet {
namespace {

class Painter {
 public:
  explicit Painter(bool color) : color_(color) {}
  std::string operator()(std::string_view code, std::string_view text) const {
    if (!color_) return std::string(text);
    return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
  }
  std::string label(Verdict verdict) const {
    switch (verdict) {
      case Verdict::fail:
        return (*this)("1;31", "FAIL  ");
      case Verdict::warn:
        return (*this)("1;33", "WARN  ");
      case Verdict::unknown:
        return (*this)("1;35", "?     ");
      case Verdict::pass:
        return (*this)("32", "ok    ");
      case Verdict::skip:
        return (*this)("2", "-     ");
    }
    return "      ";
  }

 private:
  bool color_;
};

std::string needs(const Remedy& remedy) {
  std::vector<std::string> notes;
  if (remedy.needs_login) notes.emplace_back("then log in again");
  if (remedy.needs_reboot) notes.emplace_back("then reboot");
  return notes.empty() ? "" : "        (" + join(notes, ", ") + ")";
}

std::string remedy_rows(const Remedy& remedy) {
  std::string out;
  for (const Step& step : remedy.steps) {
    const bool last = &step == &remedy.steps.back();
    out += detail_row("fix", step.text() + (last ? needs(remedy) : ""));
  }
  if (!remedy.verify.empty()) out += detail_row("verify", remedy.verify.text());
  return out;
}

std::string root_cause_block(const RootCause& cause, const Report& report, const Painter& paint) {
  const std::string label = is_suspicion(cause) ? paint("1;33", "MAYBE ") : paint("1;31", "CAUSE ");
  std::string out = label + paint("1", cause.id) + " (" + how_sure(cause) + ")  " +
                    printable(cause.summary) + "\n";
  for (const std::string& line : cause.evidence) out += detail_row("saw", line);
  out += remedy_rows(cause.remedy);
  if (!cause.experiment.empty()) out += detail_row("to be sure", cause.experiment.text());
  for (const std::string& line : cause.ruled_out) out += detail_row("ruled out", line);
  std::vector<std::string> consequences;
  for (const CheckResult& result : report.checks) {
    const bool counted =
        result.finding.verdict == Verdict::fail || result.finding.verdict == Verdict::warn;
    if (counted && std::count(cause.explains.begin(), cause.explains.end(), result.check->id)) {
      const std::string name =
          std::string(result.check->code) + " " + std::string(result.check->id);
      if (!std::count(consequences.begin(), consequences.end(), name)) consequences.push_back(name);
    }
  }
  if (!consequences.empty()) out += detail_row("explains", join(consequences, ", "));
  return out;
}

std::string check_block(const CheckResult& result, const Painter& paint, bool brief) {
  const Finding& finding = result.finding;
  const std::string name =
      padded(std::string(result.check->code) + " " + std::string(result.check->id) + "  ", 38);
  std::string out = paint.label(finding.verdict) + name;
  if (!finding.subject.empty()) out += printable(finding.subject) + ": ";
  out += printable(finding.summary) + "\n";
  if (brief || finding.verdict == Verdict::pass || finding.verdict == Verdict::skip) return out;
  for (const std::string& line : finding.evidence) out += detail_row("saw", line);
  out += remedy_rows(finding.remedy);
  if (finding.verdict == Verdict::fail || finding.verdict == Verdict::warn) {
    out += detail_row("more", "rocvet explain " + std::string(result.check->code));
  }
  return out;
}

/// Checks that could not judge for one reason.
struct Unjudged {
  int checks = 0;
  std::set<std::string> summaries;
};

/// "not captured" of "could not tell: /dev/kfd: not captured"; another sentence is its own reason.
std::string reason_of(const std::string& summary) {
  constexpr std::string_view kStart = "could not tell: ";
  return summary.starts_with(kStart) ? summary.substr(summary.rfind(": ") + 2) : summary;
}

std::string unjudged_line(const std::string& reason, const Unjudged& kept) {
  const std::string start =
      std::to_string(kept.checks) + (kept.checks == 1 ? " check " : " checks ");
  if (kept.summaries.size() == 1) return start + printable(*kept.summaries.begin());
  return start + "could not tell: " + printable(reason) + " (-v says what)";
}

/// Ten cells against the expectation, or against the best of the same test on the other devices.
std::string bar_text(const TestResult& result, const std::vector<TestResult>& all) {
  const bool alone = std::ranges::count(all, result.id, &TestResult::id) < 2;
  if (!result.performance || (!result.performance->expected && alone)) return "";
  const int filled = static_cast<int>(std::lround(bar_share(result, all) * 10));
  std::string out;
  for (int i = 0; i < 10; ++i) out += i < filled ? "█" : "░";
  return out + " ";
}

std::string selftest_block(const TestResult& result, const std::vector<TestResult>& all,
                           const Painter& paint, bool verbose) {
  std::string out =
      paint.label(result.verdict) + padded(result.device + " " + result.id + "  ", 30);
  if (result.performance) {
    out += bar_text(result, all) + performance_text(*result.performance) + "  ";
    if (!result.performance->metric.empty()) out += printable(result.performance->metric) + "; ";
  }
  out += printable(result.summary) + "\n";
  const bool bad = result.verdict == Verdict::fail || result.verdict == Verdict::warn;
  if (!bad && !verbose) return out;
  for (const std::string& line : result.evidence) out += detail_row("saw", line);
  if (result.worker && !result.worker->stderr_tail.empty()) {
    out += detail_row("stderr", result.worker->stderr_tail);
  }
  return out;
}

/// Where the time of a run with self-tests went, and of those what all devices spent together.
std::string seconds_line(const Report& report) {
  if (report.seconds.empty() || report.selftests.empty()) return "";
  std::vector<std::string> stages, parts;
  for (const auto& [stage, spent] : report.seconds) {
    stages.push_back(stage + " " + fixed(spent, 1) + " s");
  }
  for (const char* part : {"prepare", "verify", "measure"}) {
    double sum = 0;
    for (const TestResult& result : report.selftests) {
      for (const auto& [name, spent] : result.seconds) sum += name == part ? spent : 0;
    }
    parts.push_back(std::string(part) + " " + fixed(sum, 1) + " s");
  }
  return "time: " + join(stages, ", ") + " (in the tests: " + join(parts, ", ") + ")\n";
}

/// A line of the soak or of a rung says it.
bool is_told(const TestResult& result, const Report& report) {
  const std::vector<GpuLadder>& ladders = report.ladders;
  if (report.soak && result.verdict == Verdict::pass) return true;
  if (ladders.empty()) return false;
  if (result.verdict == Verdict::pass) return true;
  for (const GpuLadder& ladder : ladders) {
    for (const Rung& rung : ladder.rungs) {
      if (rung.summary.ends_with(result.summary)) return true;
    }
  }
  return false;
}

}  // namespace

std::string write_text(const Report& report, const TextOptions& options) {
  const Painter paint(options.color);
  std::string out;
  if (!options.quiet) {
    out += printable(machine_line(report.machine)) + "\n";
    const std::string deep = deep_text(report.machine);
    for (const std::string_view line : split(deep, '\n')) {
      if (!line.empty()) out += printable(line) + "\n";
    }
  }
  if (report.verb == "scan") {
    const std::string plain = scan_text(report.machine) + features_text(report.features);
    std::string lines;
    for (const std::string_view line : split(plain, '\n')) {
      if (!line.empty()) lines += printable(line) + "\n";
    }
    return out + lines;
  }
  if (!options.quiet) {
    for (const GpuFeatures& features : report.features) {
      out += printable(features_line(features)) + "\n";
    }
  }
  if (!options.quiet) {
    for (const CompatibilityRow* row : beyond_tables(report))
      out += "tables: " + printable(compatibility_line(*row)) + "\n";
  }
  std::set<std::string, std::less<>> explained;
  for (const RootCause& cause : report.diagnosis.root_causes) {
    explained.insert(cause.explains.begin(), cause.explains.end());
    if (!options.quiet) out += "\n";
    out += root_cause_block(cause, report, paint);
  }
  if (!report.diagnosis.root_causes.empty() && !options.quiet) out += "\n";

  std::map<std::string, Unjudged> unjudged_by_reason;
  for (const CheckResult* result : worst_first(report.checks)) {
    const Verdict verdict = result->finding.verdict;
    const bool bad = verdict == Verdict::fail || verdict == Verdict::warn;
    const bool unjudged = counts_as(report, *result) == Verdict::unknown;
    if (bad || unjudged || options.verbose) {
      out +=
          check_block(*result, paint, explained.count(result->check->id) > 0 && !options.verbose);
    } else if (verdict == Verdict::unknown) {
      Unjudged& kept = unjudged_by_reason[reason_of(result->finding.summary)];
      ++kept.checks;
      kept.summaries.insert(result->finding.summary);
    }
  }
  for (const auto& [reason, kept] : unjudged_by_reason) {
    out += paint.label(Verdict::unknown) + unjudged_line(reason, kept) + "\n";
  }
  const std::string rungs = ladder_text(report.ladders);
  const std::string charts = report.soak ? soak_text(*report.soak, options.verbose) : "";
  for (const std::string& lines : {rungs, charts}) {
    for (const std::string_view line : split(lines, '\n')) {
      if (!line.empty()) out += printable(line) + "\n";
    }
  }
  for (const TestResult& result : report.selftests) {
    if (result.verdict == Verdict::skip && !options.verbose) continue;
    if (is_told(result, report) && !options.verbose) continue;
    if (!options.quiet || result.verdict == Verdict::fail || result.verdict == Verdict::warn)
      out += selftest_block(result, report.selftests, paint, options.verbose);
  }
  return out + (options.quiet ? "" : seconds_line(report)) + tally_text(report) + "\n";
}

}  // namespace rocvet
