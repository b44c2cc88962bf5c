// One self-contained page: no scripts, no fonts, nothing fetched. The chart is inline SVG.
#include "base/text.h"
#include "report/layout.h"
#include "report/soak_lines.h"
#include "report/spark_line.h"

namespace rocvet {
namespace {

constexpr int kBarWidth = 360;

std::string list(std::string_view title, const std::vector<std::string>& lines, bool code) {
  if (lines.empty()) return "";
  std::string out = "<p class=label>" + std::string(title) + "</p><ul>";
  for (const std::string& line : lines)
    out += code ? "<li><code>" + escaped(line) + "</code></li>" : "<li>" + escaped(line) + "</li>";
  return out + "</ul>";
}

std::string cause_section(const RootCause& cause) {
  const char* look = is_suspicion(cause) ? "warn" : "fail";
  return "<section class=" + std::string(look) + "><h2>" + escaped(cause.id) + " <small>" +
         how_sure(cause) + "</small></h2><p>" + escaped(cause.summary) + "</p>" +
         list("What we saw", cause.evidence, false) +
         list("What to type", texts(cause.remedy.steps), true) +
         (cause.experiment.empty() ? ""
                                   : "<p class=label>To be sure</p><p><code>" +
                                         escaped(cause.experiment.text()) + "</code></p>") +
         list("Ruled out", cause.ruled_out, false) + list("Explains", cause.explains, false) +
         "</section>\n";
}

std::string check_row(const CheckResult& result) {
  const Finding& finding = result.finding;
  const std::string verdict(to_string(finding.verdict));
  std::string out = "<tr class=" + verdict + "><td>" + verdict + "</td><td>" +
                    escaped(result.check->code) + "</td><td>" + escaped(result.check->id) +
                    "</td><td>";
  if (!finding.subject.empty()) out += "<b>" + escaped(finding.subject) + "</b> ";
  out += escaped(finding.summary);
  const bool bad = finding.verdict == Verdict::fail || finding.verdict == Verdict::warn;
  if (bad)
    out += list("Saw", finding.evidence, false) + list("Fix", texts(finding.remedy.steps), true);
  return out + "</td></tr>\n";
}

/// A bar against the expectation; the floor is a tick.
std::string bar(const TestResult& result, const std::vector<TestResult>& all) {
  if (!result.performance) return "";
  const double share = bar_share(result, all);
  std::string out = "<svg width=" + std::to_string(kBarWidth) +
                    " height=14 role=img><rect width=100% height=14 class=track /><rect width=\"" +
                    fixed(share * kBarWidth, 1) + "\" height=14 class=\"bar " +
                    std::string(to_string(result.verdict)) + "\" />";
  const Performance& p = *result.performance;
  if (p.floor && p.median > 0 && share > 0) {
    const double x = *p.floor / p.median * share * kBarWidth;
    if (x <= kBarWidth)
      out +=
          "<line x1=\"" + fixed(x, 1) + "\" x2=\"" + fixed(x, 1) + "\" y1=0 y2=14 class=floor />";
  }
  return out + "</svg>";
}

/// A figure over the periods: a line from each to the next that has one.
std::string curve(const PerPeriod& values) {
  constexpr int kHeight = 24;
  if (values.empty()) return "";
  const SparkScale scale(values);
  const double step = kBarWidth / static_cast<double>(values.size());
  std::string points;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    const double x = (static_cast<double>(i) + 0.5) * step;
    const double y = 2 + (1 - scale(*values[i])) * (kHeight - 4);
    // Wide enough to be seen where it stands alone.
    points += fixed(x - 1, 1) + "," + fixed(y, 1) + " " + fixed(x + 1, 1) + "," + fixed(y, 1) + " ";
  }
  return "<svg width=" + std::to_string(kBarWidth) + " height=" + std::to_string(kHeight) +
         " role=img><rect width=100% height=" + std::to_string(kHeight) +
         " class=track /><polyline class=curve points=\"" + points + "\" /></svg>";
}

std::string soak_section(const Soak& soak) {
  std::string out = "<h2>" + escaped(soak_heading(soak)) + "</h2>\n";
  for (const SoakGpu& gpu : soak.gpus) {
    out += "<h3>" + escaped(soak_title(gpu)) + "</h3><table>\n";
    for (const SoakLine& line : soak_lines(gpu)) {
      if (line.on_demand) continue;
      const std::string verdict(to_string(line.verdict));
      out += "<tr class=" + verdict + "><td>" + (line.verdict == Verdict::skip ? "" : verdict) +
             "</td><td>" + escaped(line.name) + "</td><td>" + curve(line.values) + "</td><td>" +
             escaped(line.text) + "</td></tr>\n";
    }
    out += "</table>\n" + list("What failed", soak_error_lines(gpu), false);
  }
  return out;
}

constexpr std::string_view kStyle = R"(<style>
body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#1b1b1b;background:#fff}
h1{font-size:1.3em}h2{font-size:1.1em;margin:.2em 0}small{font-weight:normal;color:#555}
section{border-left:4px solid #b3261e;padding:.4em 1em;margin:1em 0;background:#fbeeed}
table{border-collapse:collapse;width:100%}td{border-top:1px solid #ddd;padding:.3em .6em;vertical-align:top}
code{background:#f0f0f0;padding:.1em .3em;white-space:pre-wrap}.label{margin:.5em 0 0;color:#555;font-size:.9em}ul{margin:.1em 0;padding-left:1.3em}
tr.fail td:first-child{color:#b3261e;font-weight:bold}tr.warn td:first-child{color:#8a5a00;font-weight:bold}tr.unknown td:first-child{color:#6a1b9a}
.track{fill:#eee}.bar.pass{fill:#2e7d32}.bar.warn{fill:#c98a00}.bar.fail{fill:#b3261e}.bar.unknown{fill:#888}.floor{stroke:#111;stroke-width:2}
.curve{fill:none;stroke:#1565c0;stroke-width:1.5}
@media(prefers-color-scheme:dark){body{background:#151515;color:#e6e6e6}section{background:#2a1716}code{background:#2a2a2a}td{border-color:#333}.track{fill:#2c2c2c}.floor{stroke:#fff}.label,small{color:#aaa}}
</style>)";

}  // namespace

std::string write_html(const Report& report) {
  std::string out =
      "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport "
      "content=\"width=device-width\"><title>rocvet: " +
      std::string(to_string(report.verdict)) + "</title>" + std::string(kStyle) + "\n<h1>rocvet " +
      escaped(report.verb) + ": " + std::string(to_string(report.verdict)) + "</h1><p>" +
      escaped(machine_line(report.machine)) + "</p>\n";
  if (const std::string deep = deep_text(report.machine); !deep.empty())
    out += "<pre>" + escaped(deep) + "</pre>\n";
  for (const RootCause& cause : report.diagnosis.root_causes) out += cause_section(cause);
  if (report.soak) out += soak_section(*report.soak);
  if (!report.selftests.empty()) {
    out += "<h2>Self-tests</h2><table>\n";
    for (const TestResult& result : report.selftests) {
      const std::string verdict(to_string(result.verdict));
      out += "<tr class=" + verdict + "><td>" + verdict + "</td><td>" + escaped(result.device) +
             "</td><td>" + escaped(result.id) + "</td><td>" +
             (result.performance ? escaped(performance_text(*result.performance)) : "") +
             "</td><td>" + bar(result, report.selftests) + "</td><td>" + escaped(result.summary) +
             "</td></tr>\n";
    }
    out += "</table>\n";
  }
  if (!report.compatibility.empty()) {
    out += "<h2>Compatibility</h2><table>\n";
    for (const CompatibilityRow& row : report.compatibility) {
      out += "<tr><td>" + std::string(to_string(row.answer.verdict)) + "</td><td>" +
             escaped(row.subject) + "</td><td>" + escaped(row.answer.because) + "</td></tr>\n";
    }
    out += "</table>\n";
  }
  for (const GpuFeatures& features : report.features) {
    out += "<h2>Features of " + escaped(features.gfx) + "</h2><table>\n";
    for (const FeatureRow& row : features.rows) {
      out += "<tr><td>" + std::string(to_string(row.answer.verdict)) + "</td><td>" +
             escaped(feature_name(row)) + "</td><td>" + escaped(feature_reason(row.answer)) +
             "</td></tr>\n";
    }
    out += "</table>\n";
  }
  if (!report.checks.empty()) {
    out += "<h2>Checks</h2><table>\n";
    for (const CheckResult* result : worst_first(report.checks)) out += check_row(*result);
    out += "</table>\n";
  }
  return out + "<p>" + tally_text(report) + ". rocvet " ROCVET_VERSION ", database " +
         escaped(report.db_version) + ", " + escaped(report.started) + ".</p></html>\n";
}

}  // namespace rocvet
