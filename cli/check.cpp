// rocvet check: all but the self-tests; safe, passive, fast.
#include "cli/output.h"
#include "cli/pipeline.h"
#include "cli/reader.h"
#include "report/share.h"

namespace rocvet::cli {

int check_verb(int argc, char** argv) {
  CommonOptions options;
  CLI::App app("Reads the machine and judges it; runs nothing on the GPU.", "rocvet check");
  add_machine_options(app, options);
  add_deep_options(app, options);
  add_selection_options(app, options);
  add_judgement_options(app, options);
  add_output_options(app, options);
  std::string cause;
  app.add_option(
      "--why", cause,
      "instead of the report: each sign for and against this root cause, with its share");
  bool table = false;
  app.add_flag("--observations", table)->group("");  // for tools/fit_weights.py
  if (const auto status = parse(app, argc, argv)) return *status;

  only_read_if_recorded(options);
  auto sink = ReportSink::open(options);
  if (!sink) return complain(sink.error().text());
  auto pipeline = Pipeline::open("check", options);
  if (!pipeline) return complain(pipeline.error().text());
  if (auto done = pipeline->check(options); !done) return complain(done.error().text());
  if (!cause.empty() || table) {
    const auto text = table ? Result<std::string>(pipeline->observations()) : pipeline->why(cause);
    if (!text) return complain(text.error().text());
    if (auto said = print(passed_on(*text)); !said) return complain(said.error().text());
    return 0;
  }
  return sink->finish(pipeline->finish());
}

}  // namespace rocvet::cli
