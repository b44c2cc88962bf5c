// For tickets and job summaries.
#include <algorithm>

#include "machine/text.h"
#include "report/layout.h"

namespace rocvet {
namespace {

/// A table cell: no pipes, no line ends, no markup of the machine's making.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '`' || c == '*' || c == '_' || c == '[') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string fenced(const std::vector<std::string>& steps) {
  if (steps.empty()) return "";
  std::string out = "\n```sh\n";
  for (const std::string& step : steps) out += step + "\n";
  return out + "```\n";
}

}  // namespace

std::string write_markdown(const Report& report) {
  std::string out = "# rocvet " + report.verb + ": " + std::string(to_string(report.verdict)) +
                    "\n\n" + cell(machine_line(report.machine)) + "\n";
  const std::string deep = deep_text(report.machine);
  std::vector<std::string> deep_lines;
  for (const std::string_view line : split(deep, '\n')) {
    if (!line.empty()) deep_lines.emplace_back(line);
    if (!line.empty()) std::ranges::replace(deep_lines.back(), '`', '\'');  // ends no fence
  }
  if (!deep_lines.empty()) out += fenced(deep_lines);
  for (const RootCause& cause : report.diagnosis.root_causes) {
    out += "\n## " + cause.id + " (" + fixed(cause.confidence * 100, 0) + " % sure)\n\n" +
           cell(cause.summary) + "\n\n";
    for (const std::string& line : cause.evidence) out += "- " + cell(line) + "\n";
    out += fenced(texts(cause.remedy.steps));
    if (!cause.experiment.empty()) out += "\nTo be sure:\n" + fenced({cause.experiment.text()});
  }
  if (!report.selftests.empty()) {
    out += "\n| | device | self-test | measured | |\n|---|---|---|---|---|\n";
    for (const TestResult& result : report.selftests) {
      out += "| " + std::string(to_string(result.verdict)) + " | " + cell(result.device) + " | " +
             cell(result.id) + " | " +
             (result.performance ? cell(performance_text(*result.performance)) : "") + " | " +
             cell(result.summary) + " |\n";
    }
  }
  for (const GpuFeatures& features : report.features) {
    out += "\n| | feature of " + cell(features.gfx) + " | |\n|---|---|---|\n";
    for (const FeatureRow& row : features.rows) {
      out += "| " + std::string(to_string(row.answer.verdict)) + " | " + cell(feature_name(row)) +
             " | " + cell(feature_reason(row.answer)) + " |\n";
    }
  }
  std::string rows;
  for (const CheckResult* result : worst_first(report.checks)) {
    if (result->finding.verdict == Verdict::pass || result->finding.verdict == Verdict::skip)
      continue;
    const std::string subject =
        result->finding.subject.empty() ? "" : result->finding.subject + ": ";
    rows += "| " + std::string(to_string(result->finding.verdict)) + " | " +
            cell(result->check->code) + " " + cell(result->check->id) + " | " +
            cell(subject + result->finding.summary) + " |\n";
  }
  if (!rows.empty()) out += "\n| | check | |\n|---|---|---|\n" + rows;
  return out + "\n" + tally_text(report) + ". rocvet " ROCVET_VERSION ", database " +
         report.db_version + ", " + report.started + ".\n";
}

}  // namespace rocvet
