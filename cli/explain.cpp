// rocvet explain ID: the manual page of a check or a self-test. rocvet explain --log FILE: what a
// pasted text says, with no machine beside it.
#include "cli/manual.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "cli/reader.h"
#include "diagnosis/explanation.h"
#include "report/explanation.h"
#include "report/share.h"

namespace rocvet::cli {
namespace {

Result<std::string> explain_text(const CommonOptions& options, const std::string& format) {
  only_read(options);
  const auto source = no_source();
  auto pipeline = Pipeline::open("explain", options, *source);
  if (!pipeline) return pipeline.error();
  if (auto done = pipeline->check(options); !done) return done.error();
  const Explanation explanation = shareable(pipeline->explanation());
  return format == "json" ? explanation_json(explanation) : explanation_text(explanation);
}

}  // namespace

int explain_verb(int argc, char** argv) {
  std::string id, format = "text";
  CommonOptions options;
  CLI::App app(
      "Prints the manual page of a check, a self-test or a root cause; with --log, what a pasted "
      "text of a program, an installer or the kernel says, and what may be behind it.",
      "rocvet explain");
  auto* what = app.add_option(
      "id", id, "a code (RV102), an id (kfd-not-accessible), a self-test or a root cause");
  auto* log = app.add_option(
      "--log", options.log, "explain this text instead (- for standard input); no machine is read");
  log->excludes(what);
  app.add_option("--format", format, "of --log: text or json")->needs(log);
  add_database_option(app, options.database);
  if (const auto status = parse(app, argc, argv)) return *status;
  if (id.empty() && options.log.empty())
    return complain("explain: name a check, a self-test or a root cause, or give --log FILE");

  if (auto known = text_or_json(format); !known) return complain(known.error().text());
  if (!options.log.empty()) {
    if (options.log == "-") options.log = "/dev/stdin";
    const auto text = explain_text(options, format);
    if (!text) return complain("explain: " + text.error().text());
    if (auto done = print_words(*text); !done) return complain(done.error().text());
    return 0;
  }
  const auto database = open_database(options.database);
  if (!database) return complain(database.error().text());
  const auto page = manual_page(id, **database);
  if (!page) return complain("explain: " + page.error().what);
  if (auto done = print_words(*page); !done) return complain(done.error().text());
  return 0;
}

}  // namespace rocvet::cli
