// What a person reads: the machine in a line or two, the root causes, then what failed, worst
// first; what passed is a count unless asked for.
#include "machine/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "report/report.h"

namespace rocvet {
namespace {

constexpr std::size_t kIndent = 6;

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

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

/// Text from the machine never reaches the terminal raw.
std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? (c == '\n' || c == '\t' ? ' ' : '?') : c;
  }
  return out;
}

std::string row(std::string_view label, std::string_view text) {
  return std::string(kIndent, ' ') + std::string(label) + ": " + printable(text) + "\n";
}

std::string needs(const Remedy& remedy) {
  std::vector<std::string> notes;
  if (remedy.needs_login) notes.emplace_back("then log in again");
  if (remedy.needs_reboot) notes.emplace_back("then reboot");
  return notes.empty() ? "" : "        (" + join(notes, ", ") + ")";
}

std::string remedy_rows(const Remedy& remedy) {
  std::string out;
  for (const std::string& step : remedy.steps) {
    const bool last = &step == &remedy.steps.back();
    out += row("fix", step + (last ? needs(remedy) : ""));
  }
  if (!remedy.verify.empty()) out += row("verify", remedy.verify);
  return out;
}

/// "8 × AMD Instinct MI300X (gfx942)" for each kind present.
std::string gpu_line(const Machine& machine) {
  if (machine.gpus.empty()) return machine.gpus_readable ? "no AMD GPU" : "GPUs could not be read";
  std::vector<std::pair<std::string, int>> kinds;
  for (const Gpu& gpu : machine.gpus) {
    std::string name = gpu.name.value_or(gpu.device_id ? "AMD GPU 1002:" + *gpu.device_id
                                                       : std::string("AMD GPU"));
    if (gpu.gfx) name += " (" + *gpu.gfx + ")";
    const auto known = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const auto& kind) { return kind.first == name; });
    if (known == kinds.end()) {
      kinds.emplace_back(std::move(name), 1);
    } else {
      ++known->second;
    }
  }
  std::string out;
  for (const auto& [name, count] : kinds) {
    out += (out.empty() ? "" : ", ") + (count > 1 ? std::to_string(count) + " × " : std::string()) +
           name;
  }
  return out;
}

std::string rocm_line(const Software& software) {
  std::string out;
  for (const RocmInstall& install : software.rocm) {
    out += (out.empty() ? "ROCm " : ", ") + install.version.value_or(std::string("?")) + " in " +
           install.root;
  }
  return out.empty() ? "no ROCm found" : out;
}

std::string driver_line(const Driver& driver) {
  if (driver.amdgpu.is_missing()) return "amdgpu not loaded";
  if (!driver.amdgpu) return "amdgpu: not captured";
  std::string out = "amdgpu";
  if (driver.amdgpu->version) out += " " + *driver.amdgpu->version;
  if (driver.origin == DriverOrigin::dkms) out += " (DKMS)";
  if (driver.origin == DriverOrigin::in_tree) out += " (in-tree)";
  return out;
}

std::string header(const Report& report) {
  const Machine& machine = report.machine;
  std::vector<std::string> parts = {gpu_line(machine), rocm_line(machine.software),
                                    driver_line(machine.driver)};
  if (machine.distro)
    parts.push_back(machine.distro->pretty.empty() ? machine.distro->id : machine.distro->pretty);
  if (machine.kernel.release) parts.push_back("kernel " + *machine.kernel.release);
  return printable(join(parts, " · ")) + "\n";
}

std::string root_cause_block(const RootCause& cause, const Report& report, const Painter& paint) {
  const std::string percent = std::to_string(static_cast<int>(cause.confidence * 100 + 0.5)) + " %";
  std::string out = paint("1;31", "CAUSE ") + paint("1", cause.id) + " (" + percent + " sure)  " +
                    printable(cause.summary) + "\n";
  for (const std::string& line : cause.evidence) out += row("saw", line);
  out += remedy_rows(cause.remedy);
  if (!cause.experiment.empty()) out += row("to be sure", cause.experiment);
  for (const std::string& line : cause.ruled_out) out += row("ruled out", line);
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
  if (!consequences.empty()) out += row("explains", join(consequences, ", "));
  return out;
}

std::string check_block(const CheckResult& result, const Painter& paint, bool brief) {
  const Finding& finding = result.finding;
  const std::string name =
      padded(std::string(result.check->code) + " " + std::string(result.check->id), 34);
  std::string out = paint.label(finding.verdict) + name;
  if (!finding.subject.empty()) out += printable(finding.subject) + ": ";
  out += printable(finding.summary) + "\n";
  if (brief || finding.verdict == Verdict::pass || finding.verdict == Verdict::skip) return out;
  for (const std::string& line : finding.evidence) out += row("saw", line);
  out += remedy_rows(finding.remedy);
  if (finding.verdict == Verdict::fail || finding.verdict == Verdict::warn) {
    out += row("more", "rocvet explain " + std::string(result.check->code));
  }
  return out;
}

std::string performance_text(const Performance& p) {
  std::string out = fixed(p.median, p.median < 10 ? 2 : 0) + " " + p.unit;
  if (p.fraction)
    out += ", " + fixed(*p.fraction * 100, 0) + " % of " + p.basis + " " +
           fixed(p.expected.value_or(0), 0);
  return out;
}

std::string selftest_block(const TestResult& result, const Painter& paint) {
  std::string out = paint.label(result.verdict) + padded(result.device + " " + result.id, 34);
  if (result.performance) out += performance_text(*result.performance) + "  ";
  out += printable(result.summary) + "\n";
  for (const std::string& line : result.evidence) out += row("saw", line);
  if (result.worker && !result.worker->stderr_tail.empty())
    out += row("stderr", result.worker->stderr_tail);
  return out;
}

int rank(Verdict verdict) {
  switch (verdict) {
    case Verdict::fail:
      return 0;
    case Verdict::warn:
      return 1;
    case Verdict::unknown:
      return 2;
    case Verdict::pass:
      return 3;
    case Verdict::skip:
      return 4;
  }
  return 5;
}

class Tally {
 public:
  void count(Verdict verdict) { ++counts_[static_cast<std::size_t>(rank(verdict))]; }
  std::string text() const {
    return std::to_string(counts_[3]) + " passed, " + std::to_string(counts_[0]) + " failed, " +
           std::to_string(counts_[1]) + (counts_[1] == 1 ? " warning, " : " warnings, ") +
           std::to_string(counts_[2]) + " unknown, " + std::to_string(counts_[4]) +
           " not applicable\n";
  }

 private:
  std::array<int, 5> counts_{};
};

}  // namespace

std::string write_text(const Report& report, const TextOptions& options) {
  const Painter paint(options.color);
  std::string out;
  if (!options.quiet) out += header(report);
  std::set<std::string, std::less<>> explained;
  for (const RootCause& cause : report.diagnosis.root_causes) {
    explained.insert(cause.explains.begin(), cause.explains.end());
    if (!options.quiet) out += "\n";
    out += root_cause_block(cause, report, paint);
  }
  if (!report.diagnosis.root_causes.empty() && !options.quiet) out += "\n";

  std::vector<const CheckResult*> checks;
  for (const CheckResult& result : report.checks) checks.push_back(&result);
  std::stable_sort(checks.begin(), checks.end(), [](const CheckResult* a, const CheckResult* b) {
    return rank(a->finding.verdict) < rank(b->finding.verdict);
  });
  Tally tally;
  std::map<std::string, int> unknown_reasons;
  for (const CheckResult* result : checks) {
    const Verdict verdict = result->finding.verdict;
    tally.count(verdict);
    const bool bad = verdict == Verdict::fail || verdict == Verdict::warn;
    const bool decisive_unknown =
        verdict == Verdict::unknown && (result->check->decisive || report.explicit_selection);
    if (bad || decisive_unknown || options.verbose) {
      out +=
          check_block(*result, paint, explained.count(result->check->id) > 0 && !options.verbose);
    } else if (verdict == Verdict::unknown) {
      ++unknown_reasons[result->finding.summary];
    }
  }
  for (const auto& [reason, count] : unknown_reasons) {
    out += paint.label(Verdict::unknown) + std::to_string(count) +
           (count == 1 ? " check " : " checks ") + printable(reason) + "\n";
  }
  for (const TestResult& result : report.selftests) {
    tally.count(result.verdict);
    if (!options.quiet || result.verdict == Verdict::fail || result.verdict == Verdict::warn)
      out += selftest_block(result, paint);
  }
  return out + tally.text();
}

}  // namespace rocvet
