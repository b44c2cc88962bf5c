// rocvet report FILE: a saved JSON report in another format.
#include "report/report.h"

#include <utility>

#include "cli/output.h"
#include "cli/reader.h"
#include "report/read_report.h"

namespace rocvet::cli {

int report_verb(int argc, char** argv) {
  CommonOptions options;
  std::string file;
  CLI::App app("Converts a report that was saved with --format json or --output json=FILE.",
               "rocvet report");
  app.add_option("file", file, "the saved report")->required();
  add_output_options(app, options);
  if (const auto status = parse(app, argc, argv)) return *status;

  only_read(options);
  auto sink = ReportSink::open(options);
  if (!sink) return complain(sink.error().text());
  auto report = load_report(file);
  if (!report) return complain(report.error().text());
  return sink->finish(std::move(*report));
}

}  // namespace rocvet::cli
