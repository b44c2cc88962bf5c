// The install table: which commands install what, and whether AMD's pages name their repositories.
#include <algorithm>

#include "base/text.h"
#include "db/advice/planner.h"
#include "db/driver_releases.h"

namespace rocvet::db {
namespace {

/// As AMD's repository has it; "" where it has to be asked of the system.
std::string codename(const BlobDatabase& database, const OsName& os) {
  for (const SystemRow& row : database.published().system_facts()) {
    if (row.os == os.id && is_of_release(os, row.version))
      return std::string(row.amd_codename.empty() ? row.codename : row.amd_codename);
  }
  return "";
}

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// "6.2.0"
std::string in_full(const Version& version) {
  std::string text = version.text();
  if (version.parts.size() == 2) text += ".0";
  return text;
}

std::string_view without_slash(std::string_view url) {
  while (url.ends_with('/')) url.remove_suffix(1);
  return url;
}

/// Each https address in a command, as far as the shell, printf or a quote lets it go.
std::vector<std::string_view> urls_in(std::string_view command) {
  std::vector<std::string_view> urls;
  for (std::size_t at = command.find("https://"); at != std::string_view::npos;
       at = command.find("https://", at + 1)) {
    urls.push_back(without_slash(command.substr(at, command.find_first_of(" '\"\\", at) - at)));
  }
  return urls;
}

}  // namespace

std::string without_zero(const Version& version) {
  std::string text = version.text();
  if (text.ends_with(".0") && version.parts.size() == 3) text.resize(text.size() - 2);
  return text;
}

/// What stands for the words in braces.
std::vector<std::pair<std::string_view, std::string>> Planner::gaps(const Version& rocm) const {
  const std::string version = os ? os->version : "";
  std::string compact;
  for (const char c : version) {
    if (c != '.' && compact.size() < 4) compact += c;
  }
  return {{"{rocm}", without_zero(rocm)},
          {"{full}", in_full(rocm)},
          {"{series}", rocm.series().text()},
          {"{driver}", driver_release_for(db, rocm)},
          {"{codename}", os ? codename(db, *os) : ""},
          {"{major}", version.substr(0, version.find('.'))},
          {"{version}", version},
          {"{compact}", compact},
          {"{python}", "python" + (request.python.empty() ? "3" : request.python)},
          {"{environment}", environment},
          {"{gfx}", gfx}};
}

/// An address of the database with its words in braces replaced.
std::string Planner::filled(std::string_view pattern, const Version& rocm) const {
  std::string text(pattern);
  for (const auto& [gap, value] : gaps(rocm)) replace_all(text, gap, value);
  return text;
}

Step Planner::command(std::string_view item, const Version& rocm) const {
  Step step = Step::of_database(item);
  for (const auto& [gap, value] : gaps(rocm)) step.fill(gap, value);
  if (os) step.fill_with_code("{codename}", "$(. /etc/os-release; echo $VERSION_CODENAME)");
  return step;
}

/// Whether a row of these systems, or of "*", speaks of this one.
bool Planner::speaks_of_os(const Texts& ids) const {
  return holds(ids, "*") || (os && holds(ids, os->id));
}

/// Whether AMD's page for the release names the repository for this system.
bool Planner::named(std::string_view url, std::string_view what, const Version& rocm) const {
  const auto fits = [&](std::string_view version) {
    return os && (os->version + ".").starts_with(std::string(version) + ".");
  };
  for (const RepositoryRow& row : db.published().repositories()) {
    if (row.what != what || !speaks_of_os(row.os) || !row.rocm.contains(rocm) ||
        !row.origin.basis.empty())
      continue;
    if (!row.versions.empty() && std::none_of(row.versions.begin(), row.versions.end(), fits))
      continue;
    for (const std::string_view pattern : row.urls) {
      if (without_slash(filled(pattern, rocm)) == url) return true;
    }
  }
  return false;
}

std::optional<AdviceStep> Planner::install_step(std::string_view what, const Version& rocm,
                                                std::string title, std::string why) const {
  const auto version = Version::parse(os ? os->version : "");
  for (const InstallRow& row : db.published().installs()) {
    if (row.what != what || !speaks_of_os(row.os) || !row.rocm.contains(rocm)) continue;
    if (row.version && version && !row.version->contains(*version)) continue;
    if (!row.gfx.empty() && !holds(row.gfx, gfx)) continue;
    AdviceStep step{std::move(title), std::move(why), {}, true, false, false};
    if (!row.note.empty()) step.why += " " + std::string(row.note);
    for (const std::string_view item : row.steps) step.commands.push_back(command(item, rocm));
    const bool confirmed =
        std::all_of(step.commands.begin(), step.commands.end(), [&](const Step& command) {
          const auto urls = urls_in(command.text());
          return std::all_of(urls.begin(), urls.end(),
                             [&](std::string_view url) { return named(url, what, rocm); });
        });
    if (!confirmed || step.commands.empty()) {
      step.commands.clear();
      const std::string document = filled(row.document, rocm);
      step.why += " The repository for this system and release is not confirmed" +
                  (document.empty() ? "" : "; read " + document);
    }
    return step;
  }
  return std::nullopt;
}

}  // namespace rocvet::db
