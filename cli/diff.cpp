// rocvet diff A B: what changed from one saved report to another.
#include <algorithm>

#include "cli/output.h"
#include "cli/reader.h"
#include "report/compare.h"
#include "report/read_report.h"
#include "report/share.h"
#include "source/secrets.h"

namespace rocvet::cli {

int diff_verb(int argc, char** argv) {
  std::string before, after, format = "text";
  CLI::App app(
      "Compares two saved reports. Exit status: 1 when something got worse, 0 when nothing did.",
      "rocvet diff");
  app.add_option("before", before, "the earlier report")->required();
  app.add_option("after", after, "the later report")->required();
  app.add_option("--format", format, "text or json");
  if (const auto status = parse(app, argc, argv)) return *status;

  if (const auto ok = text_or_json(format); !ok) return complain(ok.error().text());
  only_read({});
  const auto old_one = load_report(before), new_one = load_report(after);
  if (!old_one) return complain(old_one.error().text());
  if (!new_one) return complain(new_one.error().text());
  const auto differences = compare_reports(*old_one, *new_one);
  // As in every verb: JSON is passed on, the text is for the one who asked.
  const std::string text =
      format == "json" ? shareable_json(write_differences_json(differences), {&*old_one, &*new_one})
                       : without_secrets(std::string_view(write_differences(differences)));
  if (auto done = print(text); !done) return complain(done.error().text());
  return std::ranges::any_of(differences, [](const Difference& difference) {
    return difference.direction == Difference::Direction::worse;
  });
}

}  // namespace rocvet::cli
