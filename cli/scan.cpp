// rocvet scan: the machine as found.
#include "cli/output.h"
#include "cli/pipeline.h"
#include "cli/reader.h"

namespace rocvet::cli {

int scan_verb(int argc, char** argv) {
  CommonOptions options;
  CLI::App app("Shows the machine as found; judges nothing.", "rocvet scan");
  add_machine_options(app, options);
  add_deep_options(app, options);
  add_output_options(app, options);
  if (const auto status = parse(app, argc, argv)) return *status;

  only_read_if_recorded(options);
  auto sink = ReportSink::open(options);
  if (!sink) return complain(sink.error().text());
  auto pipeline = Pipeline::open("scan", options);
  if (!pipeline) return complain(pipeline.error().text());
  return sink->finish(pipeline->finish());
}

}  // namespace rocvet::cli
