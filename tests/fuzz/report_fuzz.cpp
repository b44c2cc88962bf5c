// A saved report of somebody else's: read, written in every format, compared and shared.
#include <string>

#include "base/text.h"
#include "fuzz/target.h"
#include "report/baseline.h"
#include "report/compare.h"
#include "report/read_report.h"
#include "report/share.h"

using namespace rocvet;

namespace {

void must_not_steer(std::string_view text, const char* what) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    fuzz::must((byte >= 0x20 && byte != 0x7f) || c == '\n' || c == '\t', what);
  }
}

}  // namespace

FUZZ_TARGET(report) {
  const auto read = read_report(std::string(bytes), "x.json");
  if (!read) {
    fuzz::must(read.error().text().find('\n') == std::string::npos, "an error is one line");
    return;
  }
  const std::string json = write_json(*read);
  must_not_steer(json, "JSON steers no terminal");
  const auto again = read_report(json, "x.json");
  fuzz::must(again.has_value(), "what we write we read");
  fuzz::must_equal(write_json(*again), json, "and write alike");

  must_not_steer(write_text(*read, {}), "text steers no terminal");
  must_not_steer(write_text(*read, {.verbose = true}), "verbose text neither");
  must_not_steer(write_markdown(*read), "Markdown neither");
  must_not_steer(write_html(*read), "HTML neither");
  must_not_steer(write_junit(*read), "JUnit neither");
  must_not_steer(write_sarif(*read), "SARIF neither");
  must_not_steer(write_fix_script(*read), "a script neither");
  must_not_steer(write_json(shareable(*read)), "nor what is passed on");
  must_not_steer(write_differences(compare_reports(*read, *again)), "nor differences");
  fuzz::must(compare_reports(*read, *again).empty(), "a report does not differ from itself");
  Report judged = *read;
  apply_baseline(judged, *again);
  fuzz::use(exit_status(judged));
}
