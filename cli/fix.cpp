// rocvet fix: prints the repair as a commented shell script; changes nothing itself.
#include "cli/output.h"
#include "cli/pipeline.h"
#include "report/sanitise.h"
#include "report/share.h"

namespace rocvet::cli {

int fix_verb(int argc, char** argv) {
  CommonOptions options;
  CLI::App app(
      "Prints the repair as a commented shell script, root causes first; changes nothing itself.",
      "rocvet fix");
  add_machine_options(app, options);
  if (const auto status = parse(app, argc, argv)) return *status;

  auto pipeline = Pipeline::open("fix", options);
  if (!pipeline) return complain(pipeline.error().text());
  if (auto done = pipeline->check(options); !done) return complain(done.error().text());
  const Report report = pipeline->finish();
  Report shown = for_its_owner(report);
  sanitise(shown);
  if (auto done = print(write_fix_script(shown)); !done) return complain(done.error().text());
  return exit_status(report);
}

}  // namespace rocvet::cli
