// rocvet test: self-tests only.
#include "cli/output.h"
#include "cli/pipeline.h"
#include "cli/progress.h"
#include "cli/test_options.h"

namespace rocvet::cli {

int test_verb(int argc, char** argv) {
  CommonOptions options;
  TestOptions tests;
  std::vector<std::string> ids;
  bool list = false;
  CLI::App app(
      "Runs self-tests in worker processes; each proves its answer before it speaks of speed.",
      "rocvet test");
  app.add_option("ids", ids, "tests or globs (gemm.*); default: all");
  app.add_flag("--list", list, "name the tests and end");
  app.add_option("--db", options.database, "folder of TOML files laid over the built-in database");
  add_test_options(app, tests);
  add_soak_option(app, tests);
  add_judgement_options(app, options);
  add_output_options(app, options);
  if (const auto status = parse(app, argc, argv)) return *status;
  if (list) {
    std::string verb = "list", what = "tests";
    char* arguments[] = {verb.data(), what.data(), nullptr};
    return list_verb(2, arguments);
  }

  auto request = test_request(tests, std::move(ids));
  if (!request) return complain("test: " + request.error().text());
  auto sink = ReportSink::open(options);
  if (!sink) return complain(sink.error().text());
  auto pipeline = Pipeline::open("test", options);
  if (!pipeline) return complain(pipeline.error().text());
  show_progress(*request, options.quiet);
  const ReportBeforeLeaving report_before_leaving;
  if (auto done = pipeline->test(*request); !done) return complain("test: " + done.error().text());
  return sink->finish(pipeline->finish());
}

}  // namespace rocvet::cli
