// rocvet fleet PATH…: many saved reports side by side.
#include "report/fleet.h"

#include <algorithm>
#include <filesystem>

#include "cli/output.h"
#include "cli/reader.h"
#include "report/read_report.h"

namespace rocvet::cli {
namespace {

namespace fs = std::filesystem;

/// The .json files of a folder, sorted; a file is itself.
Result<std::vector<std::string>> files_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::vector<std::string>{path};
  std::vector<std::string> files;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".json") files.push_back(entry->path().string());
  }
  if (error) return Error{Error::Kind::failed, path, "cannot be read: " + error.message()};
  if (files.empty()) return missing(path, "holds no .json file");
  std::ranges::sort(files);
  return files;
}

/// "node17" of "reports/node17.json", and the whole path where that is not enough.
void name_members(std::vector<FleetMember>& members) {
  const auto stem = [](const std::string& path) { return fs::path(path).stem().string(); };
  std::vector<std::string> stems;
  stems.reserve(members.size());
  for (const FleetMember& member : members) stems.push_back(stem(member.name));
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (std::ranges::count(stems, stems[i]) == 1) members[i].name = stems[i];
  }
}

std::string none_read(const std::vector<Error>& unread) {
  const std::size_t more = unread.size() - 1;
  return unread.front().text() +
         (more > 0 ? "; nor could " + std::to_string(more) + " more be read" : "");
}

}  // namespace

int fleet_verb(int argc, char** argv) {
  std::vector<std::string> paths;
  std::string format = "text";
  CLI::App app(
      "Merges saved reports: one table, who is not like the others, who is below its peers. Exit "
      "status as of the worst, 2 at least when a file could not be read, 3 when none could.",
      "rocvet fleet");
  app.add_option("path", paths, "reports, or folders of reports")->required();
  app.add_option("--format", format, "text or json");
  if (const auto status = parse(app, argc, argv)) return *status;

  if (const auto ok = text_or_json(format); !ok) return complain(ok.error().text());
  only_read({});
  std::vector<FleetMember> members;
  // A job that was killed while it wrote leaves half a report: the other machines are judged.
  std::vector<Error> unread;
  for (const std::string& path : paths) {
    const auto files = files_of(path);
    if (!files) {
      unread.push_back(files.error());
      continue;
    }
    for (const std::string& file : *files) {
      if (auto report = load_report(file)) {
        members.push_back({file, std::move(*report)});
      } else {
        unread.push_back(report.error());
      }
    }
  }
  if (members.empty()) return complain(none_read(unread));
  name_members(members);
  const Fleet fleet = merge_reports(std::move(members), std::move(unread));
  if (auto done = print(format == "json" ? write_fleet_json(fleet) : write_fleet(fleet)); !done)
    return complain(done.error().text());
  return exit_status(fleet_verdict(fleet));
}

}  // namespace rocvet::cli
