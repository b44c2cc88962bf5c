// rocvet fleet PATH…: many saved reports side by side.
#include "report/fleet.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/output.h"
#include "cli/reader.h"
#include "report/read_report.h"
#include "report/share.h"
#include "source/secrets.h"

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

/// A member keeps the name of its file, by which the operator called it: the nodes have to be told
/// apart. The folders around it are cleaned.
class SharedNames {
 public:
  explicit SharedNames(Change shared) : shared_(std::move(shared)) {}

  void clean(Fleet& fleet) {
    for (FleetMember& member : fleet.members) clean(member.name);
    for (OddOneOut& odd : fleet.odd) {
      for (auto& [name, value] : odd.odd) clean(name);
    }
    for (SlowMember& slow : fleet.slow) clean(slow.name);
    for (Error& file : fleet.unread) clean(file.where);
  }

 private:
  /// The same for the same name, and for no other.
  void clean(std::string& name) {
    std::string& out = names_[name];
    if (out.empty()) {
      const fs::path path = name;
      const std::string folder = path.parent_path().string();
      const std::string file = without_secrets(path.filename().string());
      const std::string plain = folder.empty() ? file : (fs::path(shared_(folder)) / file).string();
      out = plain;
      for (int number = 2; !given_.insert(out).second; ++number)
        out = plain + " (" + std::to_string(number) + ")";
    }
    name = out;
  }

  Change shared_;
  std::map<std::string, std::string> names_;
  std::set<std::string> given_;
};

/// What was read goes through the redactor too: JSON is passed on, as in every verb.
std::string shared_json(Fleet fleet) {
  std::vector<const Report*> reports;
  reports.reserve(fleet.members.size());
  for (const FleetMember& member : fleet.members) reports.push_back(&member.report);
  SharedNames(as_shared(Report{})).clean(fleet);
  return shareable_json(write_fleet_json(fleet), reports, {"name", "file"});
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
  const std::string text =
      format == "json" ? shared_json(fleet) : without_secrets(std::string_view(write_fleet(fleet)));
  if (auto done = print(text); !done) return complain(done.error().text());
  return exit_status(fleet_verdict(fleet));
}

}  // namespace rocvet::cli
