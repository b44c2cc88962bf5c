// For tickets and job summaries.
#include <algorithm>

#include "base/text.h"
#include "report/layout.h"
#include "report/soak_lines.h"
#include "report/spark_line.h"

namespace rocvet {
namespace {

/// Length of what the text begins with and GitHub makes a link of (or a call to somebody) without
/// any markup, 0 for nothing: an address, a name behind an @, a number behind a #.
std::size_t linking(std::string_view text) {
  if (text.starts_with("://")) return 3;
  if (lower(text.substr(0, 4)) == "www.") return 4;
  if (text.starts_with('@')) return 1;
  return text.starts_with('#') && text.size() > 1 && is_digit(text[1]) ? 1 : 0;
}

/// Text in a table cell or behind the mark of a heading: one line, no markup of the machine's
/// making, and no link. The backslash goes first, or one of the machine's would undo ours.
std::string cell(std::string_view text) {
  std::string out;
  bool behind_span = false;
  const std::string line = printable(text);
  for (std::string_view rest = line; !rest.empty();) {
    const std::size_t span = linking(rest);
    if (span > 0) {
      // No backslash undoes a link, a code span does. Two in a row are one: their marks would join.
      if (behind_span) out.pop_back();
      out += (behind_span ? "" : "`") + std::string(rest.substr(0, span)) + "`";
    } else {
      if (std::string_view("\\|<&`*_[]~").find(rest.front()) != std::string_view::npos) out += '\\';
      out += rest.front();
    }
    behind_span = span > 0;
    rest.remove_prefix(std::max<std::size_t>(span, 1));
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
  for (const SoakGpu& gpu : report.soak ? report.soak->gpus : std::vector<SoakGpu>{}) {
    out += "\n| | " + cell(soak_title(gpu)) + ", " + cell(soak_heading(*report.soak)) +
           " | | |\n|---|---|---|---|\n";
    for (const SoakLine& line : soak_lines(gpu)) {
      if (line.on_demand) continue;
      const bool reading = line.verdict == Verdict::skip;
      out += "| " + (reading ? "" : std::string(to_string(line.verdict))) + " | " +
             cell(line.name) + " | " + spark_line(line.values) + " | " + cell(line.text) + " |\n";
    }
    for (const std::string& line : soak_error_lines(gpu)) out += "\n- " + prose(line) + "\n";
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
