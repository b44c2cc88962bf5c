// rocvet run: the main job.
#include <cstdio>

#include "cli/example.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "cli/progress.h"
#include "cli/test_options.h"

namespace rocvet::cli {

int run_verb(int argc, char** argv) {
  CommonOptions options;
  TestOptions tests;
  bool quick = false, full = false, demo = false;
  CLI::App app("The main job: scan, compatibility, checks, self-tests, diagnosis.", "rocvet run");
  add_machine_options(app, options);
  add_deep_options(app, options);
  add_selection_options(app, options);
  auto* quick_flag = app.add_flag("--quick", quick, "seconds (the default)");
  app.add_flag("--full", full, "minutes: larger problems, steady state")->excludes(quick_flag);
  add_test_options(app, tests);
  add_soak_option(app, tests);
  app.add_flag("--demo", demo, "the job on the built-in example, the self-tests on this CPU")
      ->excludes("--snapshot")
      ->excludes("--deep");
  add_judgement_options(app, options);
  add_output_options(app, options);
  if (const auto status = parse(app, argc, argv)) return *status;
  if (full) tests.size = "full";

  auto request = test_request(tests, {});
  if (!request) return complain("run: " + request.error().text());
  auto sink = ReportSink::open(options);
  if (!sink) return complain(sink.error().text());
  std::unique_ptr<Source> example;
  if (demo) {
    auto source = example_source();
    if (!source) return complain(source.error().text());
    example = std::move(*source);
    if (request->devices.empty()) request->devices = {"host"};
    std::fputs(
        "Example: not this machine but the built-in recording of a node of 8 MI300X; the "
        "self-tests run on this CPU.\n",
        stderr);
  }
  auto pipeline = demo ? Pipeline::open("run", options, *example) : Pipeline::open("run", options);
  if (!pipeline) return complain(pipeline.error().text());
  // A snapshot has no GPU of its own to test: self-tests run only on a device that was named.
  const bool live = options.snapshot.empty() && !demo;
  const bool is_soak = request->repeat.for_s > 0;
  if (is_soak && !live && request->devices.empty())
    return complain("run: --for with --snapshot: name the --device to be loaded");
  const bool has_gpu = live && !pipeline->report().machine.gpus.empty();
  const ReportBeforeLeaving report_before_leaving;
  if (has_gpu || is_soak || !request->devices.empty()) {
    show_progress(*request, options.quiet);
    if (auto done = pipeline->test(*request); !done) return complain("run: " + done.error().text());
  }
  if (auto done = pipeline->check(options); !done) return complain("run: " + done.error().text());
  return sink->finish(pipeline->finish());
}

}  // namespace rocvet::cli
