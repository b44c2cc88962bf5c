// For tickets and job summaries.
#include <algorithm>

#include "base/text.h"
#include "report/layout.h"

namespace rocvet {
namespace {

/// Text in a table cell or behind the mark of a heading: one line, no markup of the machine's
/// making. The backslash goes first, or one of the machine's would undo ours.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (std::string_view("\\|<&`*_[]~").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// Text that begins a line or a list item: nor can it begin a heading, a list, a quote, a rule or,
/// indented, a block of code.
std::string prose(std::string_view text) {
  std::string out = cell(trim(text));
  const std::size_t digits = out.find_first_not_of("0123456789");
  if (digits == std::string::npos) return out;
  const std::string_view marks = digits == 0 ? "#>+-=" : ".)";
  if (marks.find(out[digits]) != std::string_view::npos) out.insert(digits, 1, '\\');
  return out;
}

std::string fenced(const std::vector<std::string>& steps) {
  if (steps.empty()) return "";
  // No line of the content ends the block: the fence is longer than any in it.
  std::string lines, fence = "```";
  for (const std::string& step : steps) lines += printable(step) + "\n";
  while (lines.find(fence) != std::string::npos) fence += '`';
  return "\n" + fence + "sh\n" + lines + fence + "\n";
}

}  // namespace

std::string write_markdown(const Report& report) {
  std::string out = "# rocvet " + cell(report.verb) + ": " +
                    std::string(to_string(report.verdict)) + "\n\n" +
                    prose(machine_line(report.machine)) + "\n";
  const std::string deep = deep_text(report.machine);
  std::vector<std::string> deep_lines;
  for (const std::string_view line : split(deep, '\n')) {
    if (!line.empty()) deep_lines.emplace_back(line);
  }
  if (!deep_lines.empty()) out += fenced(deep_lines);
  for (const RootCause& cause : report.diagnosis.root_causes) {
    out +=
        "\n## " + cell(cause.id) + " (" + how_sure(cause) + ")\n\n" + prose(cause.summary) + "\n\n";
    for (const std::string& line : cause.evidence) out += "- " + prose(line) + "\n";
    out += fenced(texts(cause.remedy.steps));
    if (!cause.experiment.empty()) out += "\nTo be sure:\n" + fenced({cause.experiment.text()});
  }
  for (const CompatibilityRow* row : beyond_tables(report))
    out += "\n- " + prose(compatibility_line(*row)) + "\n";
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
         cell(report.db_version) + ", " + cell(report.started) + ".\n";
}

}  // namespace rocvet
