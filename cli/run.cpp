// rocvet run: the main job.
#include "cli/output.h"
#include "cli/pipeline.h"
#include "cli/test_options.h"

namespace rocvet::cli {

int run_verb(int argc, char** argv) {
  CommonOptions options;
  TestOptions tests;
  bool quick = false, full = false;
  CLI::App app("The main job: scan, compatibility, checks, self-tests, diagnosis.", "rocvet run");
  add_machine_options(app, options);
  add_selection_options(app, options);
  auto* quick_flag = app.add_flag("--quick", quick, "seconds (the default)");
  app.add_flag("--full", full, "minutes: larger problems, steady state")->excludes(quick_flag);
  add_test_options(app, tests);
  add_output_options(app, options);
  if (const auto status = parse(app, argc, argv)) return *status;
  if (full) tests.size = "full";

  auto request = test_request(tests, {});
  if (!request) return complain("run: " + request.error().text());
  auto sink = ReportSink::open(options);
  if (!sink) return complain(sink.error().text());
  auto pipeline = Pipeline::open("run", options);
  if (!pipeline) return complain(pipeline.error().text());
  // A snapshot has no GPU of its own to test: self-tests run only on a device that was named.
  const bool live = options.snapshot.empty();
  const bool has_gpu = live && !pipeline->report().machine.gpus.empty();
  if (has_gpu || !request->devices.empty()) {
    if (auto done = pipeline->test(*request); !done) return complain("run: " + done.error().text());
  }
  if (auto done = pipeline->check(options); !done) return complain("run: " + done.error().text());
  return sink->finish(pipeline->finish());
}

}  // namespace rocvet::cli
