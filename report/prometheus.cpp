// Prometheus' text format, for the textfile collector of node_exporter.
#include <charconv>
#include <set>
#include <string>

#include "report/complaints.h"
#include "report/layout.h"

namespace rocvet {
namespace {

std::string label(std::string_view name, std::string_view value) {
  std::string out = std::string(name) + "=\"";
  for (const char c : value) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

/// As short as it can be without another value.
std::string number(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

/// A metric with its samples; "" without any.
class Metric {
 public:
  Metric(std::string name, std::string help) : name_(std::move(name)), help_(std::move(help)) {}
  /// Of two with the same labels the first: a series may stand there once.
  void add(const std::string& labels, double value) {
    if (!seen_.insert(labels).second) return;
    samples_ += name_ + (labels.empty() ? "" : "{" + labels + "}") + " " + number(value) + "\n";
  }
  std::string text() const {
    if (samples_.empty()) return "";
    return "# HELP " + name_ + " " + help_ + "\n# TYPE " + name_ + " gauge\n" + samples_;
  }

 private:
  std::string name_, help_, samples_;
  std::set<std::string> seen_;
};

constexpr Verdict kVerdicts[] = {Verdict::pass, Verdict::warn, Verdict::fail, Verdict::unknown};

}  // namespace

std::string write_prometheus(const Report& report) {
  Metric verdict("rocvet_verdict", "1 for the verdict of the last run, 0 for the others.");
  for (const Verdict one : kVerdicts)
    verdict.add(label("verdict", to_string(one)), report.verdict == one ? 1 : 0);
  Metric info("rocvet_info", "Version of the database that judged.");
  info.add(label("database", report.db_version), 1);
  Metric complaint("rocvet_complaint", "What the last run complained of: 1 each.");
  for (const Complaint& one : complaints(report))
    complaint.add(label("verdict", to_string(one.verdict)) + "," + label("code", one.code) + "," +
                      label("id", one.id) + "," + label("subject", one.subject),
                  1);
  Metric cause("rocvet_root_cause_confidence", "How sure each named root cause is, 0 to 1.");
  for (const RootCause& one : report.diagnosis.root_causes)
    cause.add(label("id", one.id), one.confidence);
  Metric right("rocvet_selftest_passed",
               "1 where a self-test passed or warned, 0 where it failed.");
  Metric value("rocvet_selftest_value", "Median of what a self-test measured, in its unit.");
  Metric share("rocvet_selftest_fraction", "What it measured as a share of what is expected.");
  for (const TestResult& test : report.selftests) {
    const std::string labels = label("test", test.id) + "," + label("device", test.device);
    if (test.verdict == Verdict::skip || test.verdict == Verdict::unknown) continue;
    right.add(labels, test.verdict == Verdict::fail ? 0 : 1);
    if (!test.performance) continue;
    value.add(labels + "," + label("unit", test.performance->unit), test.performance->median);
    if (test.performance->fraction) share.add(labels, *test.performance->fraction);
  }
  std::string out;
  for (const Metric* one : {&verdict, &info, &complaint, &cause, &right, &value, &share})
    out += one->text();
  return out;
}

}  // namespace rocvet
