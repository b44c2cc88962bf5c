// rocvet calibrate: measures this machine and prints rows for db/performance, to be reviewed by a
// person.
#include <algorithm>

#include "base/printable.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "cli/test_options.h"
#include "selftests/judge/judge_results.h"

namespace rocvet::cli {
namespace {

std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// One row for each product and test: the slowest and the median of its devices.
std::string rows(const Report& report, const Database& database) {
  std::string out;
  std::vector<std::string> seen;
  for (const TestResult& result : report.selftests) {
    if (!result.performance || !result.higher_is_better || result.device == "host") continue;
    const std::string name = part_name(result, report.machine, database);
    if (name.empty()) continue;  // the judge would not know it again
    const std::string key = name + "\n" + result.id;
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
    seen.push_back(key);
    std::vector<double> medians;
    for (const TestResult& other : report.selftests) {
      if (other.performance && other.id == result.id && other.gpu.name == result.gpu.name)
        medians.push_back(other.performance->median);
    }
    std::sort(medians.begin(), medians.end());
    out += "[[figure]]\ngpu = " + toml_text(name) + "\ntest = " + toml_text(result.id) +
           "\ntypical = " + fixed(medians[medians.size() / 2], 3) + "\n";
    if (medians.size() > 1) out += "lowest = " + fixed(medians.front(), 3) + "\n";
    if (result.id.starts_with("library.")) out += "library = true\n";
    out += "regime = " + toml_text(result.performance->regime) +
           "\nunit = " + toml_text(result.performance->unit) + "\nconditions = " +
           toml_text(result.performance->metric +
                     (result.performance->data.empty() ? "" : ", " + result.performance->data) +
                     ", " + std::to_string(medians.size()) + " device(s)") +
           "\nsource = " +
           toml_text("rocvet calibrate " ROCVET_VERSION " of " + report.started.substr(0, 10)) +
           "\nchecked = " + report.started.substr(0, 10) + "\n\n";
  }
  return out;
}

}  // namespace

int calibrate_verb(int argc, char** argv) {
  CommonOptions options;
  TestOptions tests;
  CLI::App app(
      "Measures this machine and prints rows for db/performance. Review them: a sick machine "
      "calibrates sick.",
      "rocvet calibrate");
  add_test_options(app, tests);
  if (const auto status = parse(app, argc, argv)) return *status;

  auto request = test_request(tests, {"bandwidth.*", "gemm.*", "attention.*"});
  if (!request) return complain("calibrate: " + request.error().text());
  auto pipeline = Pipeline::open("calibrate", options);
  if (!pipeline) return complain(pipeline.error().text());
  if (auto done = pipeline->test(*request); !done)
    return complain("calibrate: " + done.error().text());
  const Report report = pipeline->finish();
  for (const TestResult& result : report.selftests) {
    if (result.verdict == Verdict::fail)
      return complain("calibrate: " + result.device + " " + result.id +
                      " failed, nothing is written: " + result.summary);
  }
  const std::string text = rows(report, pipeline->database());
  if (text.empty()) return complain("calibrate: nothing was measured on a GPU");
  if (auto done = print(text); !done) return complain(done.error().text());
  return 0;
}

}  // namespace rocvet::cli
