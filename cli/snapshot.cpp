// rocvet snapshot OUT: records this machine, redacted, for a ticket or to look at elsewhere.
#include "cli/output.h"
#include "cli/pipeline.h"
#include "machine/record_snapshot.h"
#include "selftests/deep/run_deep.h"

namespace rocvet::cli {

int snapshot_verb(int argc, char** argv) {
  std::string out, log;
  bool keep_names = false;
  CommonOptions options;
  CLI::App app(
      "Records this machine as a folder or, by the name, as .tar, .tar.gz or .tar.zst. Of a "
      "configuration only what checks ask for is kept, without passwords and tokens; host and user "
      "names, serials, addresses and home paths are redacted.",
      "rocvet snapshot");
  app.add_option("out", out, "the folder or archive to write; it must not be there yet")
      ->required();
  app.add_flag("--no-redact", keep_names,
               "keep all that was read, names and secrets too: not for sharing");
  app.add_option("--log", log, "what the failing application printed; it goes into the snapshot");
  add_deep_options(app, options);
  if (const auto status = parse(app, argc, argv)) return *status;
  if (out.empty()) return complain("snapshot: the path is empty");

  const auto source = live_source_with_deadline();
  std::function<Deep(const Machine&)> deep;
  if (options.deep) {
    deep = [&](const Machine& machine) {
      return run_deep(machine, {.deadline_s = options.deep_deadline_s});
    };
  }
  const SnapshotOptions what{.redact = !keep_names, .created = report_time()};
  const auto done = record_snapshot(*source, out, what, deep, log);
  if (!done) return complain("snapshot: " + done.error().text());
  if (auto said = print("recorded this machine in " + out +
                        "\nread it anywhere with: rocvet check --snapshot " + out + "\n");
      !said) {
    return complain(said.error().text());
  }
  return 0;
}

}  // namespace rocvet::cli
