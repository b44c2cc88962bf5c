// Texts of the machine that would steer a terminal, forge a line or break out of a format: each
// format of a hostile report has the structure of the same report with plain texts.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "base/text.h"
#include "report/compare.h"
#include "report/fleet.h"
#include "report/read_report.h"
#include "report/sanitise.h"
#include "sample_report.h"

namespace rocvet {
namespace {

// What begins a line or ends an element of any format, and each kind of character that may not be
// seen. The first letters differ, so that one text begins with a mark of Markdown each.
const std::string kHostile =
    "# \x1b]0;owned\x07\x1b[31m\x9b\x7f\xc2\x9b caf\xe9 \xc0\xaf\xed\xa0\x80\xff "
    "\u202e\u2066\u200f\u2028\u2029\ufffe\ufdd0\ufeff \u00e9\u6f22\U0001f642\r\n"
    "```\n~~~\n# heading\n- item\n| a | b |\n|---|---|\n\\| c \\\\| [x](http://y.example) "
    "<http://z.example> <script>alert('1')</script> ]]> --> \" ' &amp; `x` **b** __c__\n"
    "===\n---\nFAIL  RV000 forged  all is lost\n1. one";
const std::string kPlain = "text";

/// The sample report with `text` wherever the machine or who ran rocvet has a say.
Report report_of(const std::string& text) {
  Report report = test::sample_report();
  report.source_path = report.db_version = report.started = text;
  report.machine.kernel.release = text;
  report.machine.kernel.command_line = text;
  report.machine.distro = Distro{text, text, text, text, {text}, text, text};
  Gpu& gpu = report.machine.gpus.front();
  for (Result<std::string>* fact :
       {&gpu.bdf, &gpu.device_id, &gpu.gfx, &gpu.name, &gpu.driver, &gpu.vbios, &gpu.hive,
        &gpu.partition.compute, &gpu.partition.memory}) {
    *fact = text;
  }
  gpu.gfx_source = text;
  report.machine.driver.amdgpu = Module{};
  report.machine.driver.amdgpu->version = text;
  report.machine.driver.amdgpu->options = OptionValues{{text, OptionValue{text, {}}}};
  RocmInstall install;
  install.root = text;
  install.version = text;
  install.missing = {text};
  report.machine.software.rocm = {install};
  PythonEnvironment environment;
  environment.root = environment.python_version = environment.kind = text;
  Framework framework;
  framework.name = framework.version = framework.build = text;
  environment.frameworks = {framework};
  report.machine.software.python = {environment};
  report.machine.process.environment = std::map<std::string, std::string>{{text, text}};
  for (DeepProbe& probe : report.machine.deep->probes) {
    probe.subject = probe.why = probe.library = probe.version = probe.call = probe.words = text;
    probe.facts = {{text, text}};
  }
  Answer answer;
  answer.because = text;
  answer.facts = {Fact{text, Support::unknown, text, text, text, text}};
  report.compatibility = {{text, answer}};
  GpuFeatures features{text, {0}, {FeatureRow{text, text, {}, {FeatureUse{text, text, {}}}}}};
  features.rows.front().answer = {FeatureVerdict::unknown, text, text, text};
  report.features = {features};
  Finding finding = test::failing();
  finding.summary = finding.subject = text;
  finding.evidence = {text, text};
  finding.remedy.steps = {Step("sudo rm -r {}", text), Step::of_report(text)};
  finding.remedy.verify = Step::of_report(text);
  Finding unknown_one{.verdict = Verdict::unknown, .summary = text};
  report.checks = {{&test::kAccess, finding}, {&test::kDecisive, unknown_one}};
  RootCause& cause = report.diagnosis.root_causes.front();
  cause.summary = text;
  cause.experiment = Step::of_report(text);
  cause.evidence = cause.ruled_out = {text, text};
  cause.remedy = finding.remedy;
  for (TestResult& result : report.selftests) {
    result.device = result.summary = text;
    result.evidence = {text};
    result.verdict = Verdict::fail;
    if (result.worker) result.worker->stderr_tail = text;
  }
  return report;
}

struct Format {
  const char* name;
  std::string (*write)(const Report&);
};

std::string text_of(const Report& report) {
  return write_text(report, {.color = false, .verbose = true, .quiet = false});
}
std::string scan_of(const Report& report) {
  Report scanned = report;
  scanned.verb = "scan";
  return text_of(scanned);
}

const Format kFormats[] = {{"text", text_of},      {"scan", scan_of},
                           {"json", write_json},   {"junit", write_junit},
                           {"html", write_html},   {"markdown", write_markdown},
                           {"sarif", write_sarif}, {"script", write_fix_script}};

/// What makes the structure of a line of Markdown: its mark, and how many cells it has.
std::string markdown_shape(std::string_view line) {
  std::size_t bars = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '|') {
      ++bars;
    }
  }
  const std::string_view mark =
      line.substr(0, std::min(line.find_first_not_of("#`~-=>|"), line.size()));
  return std::string(mark) + " " + std::to_string(bars);
}

/// The tags of HTML or XML in order, without what is in their quotes.
std::string tags(std::string_view text) {
  std::string out;
  bool inside = false;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (inside && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == '<' || inside) {
      inside = c != '>';
      out += c;
    }
  }
  return out;
}

std::string shape(const std::string& format, const std::string& output) {
  if (format == "junit" || format == "html") return tags(output);
  std::string out;
  std::size_t fence = 0;  // how long the one is that is open
  for (const std::string_view line : split(output, '\n')) {
    if (format == "markdown") {
      const std::size_t ticks = std::min(line.find_first_not_of('`'), line.size());
      if (fence > 0) {
        const bool ends = ticks >= fence && ticks == line.size();
        out += ends ? "fence" : "code";
        if (ends) fence = 0;
      } else if (ticks >= 3) {
        fence = ticks;
        out += "fence";
      } else {
        out += markdown_shape(line);
      }
    }
    out += "\n";
  }
  CHECK(fence == 0);
  return out;
}

TEST_CASE("no format lets a text of the machine out of its place") {
  for (const char* begin : {"", "- ", "+ ", "> ", "```", "~~~", "    ", "12) ", "=== ", "| "}) {
    Report hostile = report_of(begin + kHostile), plain = report_of(kPlain);
    sanitise(hostile);
    for (const Format& format : kFormats) {
      CAPTURE(begin);
      CAPTURE(format.name);
      const std::string written = format.write(hostile);
      CHECK(printable_lines(written) == written);
      if (std::string_view(format.name) == "json" || std::string_view(format.name) == "sarif") {
        CHECK(nlohmann::json::accept(written));
      } else if (std::string_view(format.name) != "script") {
        CHECK(shape(format.name, written) == shape(format.name, format.write(plain)));
      }
      CHECK(written.find("\u00e9\u6f22\U0001f642") != std::string::npos);
    }
  }
}

TEST_CASE("the writers that are given a report as it is still write nothing that steers") {
  const Report hostile = report_of(kHostile);
  for (const Format& format : kFormats) {
    CAPTURE(format.name);
    std::string written;
    CHECK_NOTHROW(written = format.write(hostile));
    const std::string_view name = format.name;
    // What is left is caught where it is printed, which would not do for these.
    if (name != "text" && name != "scan") CHECK(printable_lines(written) == written);
  }
}

TEST_CASE("a step that holds what cannot be seen is never a command of the script") {
  Report report = test::sample_report();
  report.diagnosis.root_causes.front().remedy.steps = {Step("sudo rm -r {}", "/opt/rocm-\x1b[31m"),
                                                       Step("sudo rm -r {}", "/opt/rocm-\u202e6")};
  sanitise(report);
  const std::string script = write_fix_script(report);
  for (const std::string_view line : split(script, '\n')) CHECK_FALSE(line.starts_with("sudo"));
}

TEST_CASE("a saved report is read as if its texts had been printable") {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(write_json(test::sample_report()));
  // Each text that is no word of the schema, names of members of free tables too.
  const std::function<void(nlohmann::ordered_json&, const std::string&)> spoil =
      [&](nlohmann::ordered_json& node, const std::string& name) {
        if (node.is_string() && name != "schema" && name != "verdict" && name != "kind" &&
            name != "outcome" && name != "severity" && name != "owner" && name != "origin") {
          node = std::string("\u202e# \u009b|\n<b>") + "\x1b[2J";
        }
        for (auto& [key, item] : node.items()) {
          if (node.is_structured()) spoil(item, node.is_object() ? key : name);
        }
      };
  spoil(json, "");
  json["machine"]["environment"]["HSA_\x1b[31m"] = "1";
  const auto report = read_report(json.dump(), "saved.json");
  REQUIRE(report);
  for (const Format& format : kFormats) {
    CAPTURE(format.name);
    const std::string written = format.write(*report);
    CHECK(printable_lines(written) == written);
    CHECK(written.find("\u202e") == std::string::npos);
  }
  std::string written = write_differences(compare_reports(test::sample_report(), *report));
  CHECK(printable_lines(written) == written);
  written = write_differences_json(compare_reports(*report, test::sample_report()));
  CHECK(printable_lines(written) == written);
  const Fleet fleet = merge_reports({{"a\x1b[31m", *report}, {"b", *report}, {"c", *report}});
  for (const std::string& each : {write_fleet(fleet), write_fleet_json(fleet)})
    CHECK(printable_lines(each) == each);
}

}  // namespace
}  // namespace rocvet
