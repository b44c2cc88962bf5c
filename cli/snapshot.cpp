// rocvet snapshot OUT: records this machine, redacted, for a ticket or to look at elsewhere.
#include "cli/output.h"
#include "cli/pipeline.h"
#include "machine/recording.h"

namespace rocvet::cli {

int snapshot_verb(int argc, char** argv) {
  std::string out;
  bool keep_names = false;
  CLI::App app(
      "Records this machine as a folder or, by the name, as .tar, .tar.gz or .tar.zst. Host and "
      "user names, serials, addresses and home paths are redacted.",
      "rocvet snapshot");
  app.add_option("out", out, "the folder or archive to write; it must not be there yet")
      ->required();
  app.add_flag("--no-redact", keep_names, "keep names, serials and addresses: not for sharing");
  if (const auto status = parse(app, argc, argv)) return *status;
  if (out.empty()) return complain("snapshot: the path is empty");

  const auto source = live_source();
  const auto done =
      record_snapshot(*source, out, {.redact = !keep_names, .created = report_time()});
  if (!done) return complain("snapshot: " + done.error().text());
  if (auto said = print("recorded this machine in " + out +
                        "\nread it anywhere with: rocvet check --snapshot " + out + "\n");
      !said) {
    return complain(said.error().text());
  }
  return 0;
}

}  // namespace rocvet::cli
