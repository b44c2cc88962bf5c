#include "db/listing.h"

#include <algorithm>

#include "base/text.h"
#include "db/blob_database.h"
#include "db/questions/questions.h"

namespace rocvet {
namespace {

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
}

/// Numbers by value, then what is no number.
bool version_before(const std::string& a, const std::string& b) {
  const auto left = Version::parse(a), right = Version::parse(b);
  if (left && right && *left != *right) return *left < *right;
  if (left.has_value() != right.has_value()) return left.has_value();
  return a < b;
}

/// Names in the order in which they were met, each with its texts.
struct Family {
  std::string key, name;
  std::vector<std::string> texts;
};

Family& family_of(std::vector<Family>& families, const std::string& key, const std::string& name) {
  for (Family& family : families) {
    if (family.key == key && family.name == name) return family;
  }
  families.push_back({key, name, {}});
  return families.back();
}

}  // namespace

std::vector<Listed> listed_releases(const Database& database) {
  const db::Published* published = db::published_of(database);
  if (published == nullptr) return {};
  std::vector<const db::ReleaseRow*> rows;
  for (const db::ReleaseRow& row : published->releases()) rows.push_back(&row);
  std::ranges::sort(rows, [](const auto* a, const auto* b) { return a->rocm < b->rocm; });
  std::vector<Listed> out;
  for (const db::ReleaseRow* row : rows) {
    std::string about = std::string(row->date);
    if (!row->driver.empty())
      about += (about.empty() ? "" : ", ") + ("driver " + std::string(row->driver));
    if (row->kind == "preview") about += about.empty() ? "preview" : ", preview";
    out.push_back({row->rocm.text(), about});
  }
  return out;
}

std::vector<Listed> listed_systems(const Database& database) {
  const db::Published* published = db::published_of(database);
  if (published == nullptr) return {};
  std::vector<Family> families;
  for (const db::OsRow& row : published->systems()) {
    if (row.verdict != Support::supported && row.verdict != Support::deprecated) continue;
    Family& family = family_of(families, std::string(row.os), std::string(row.version.text));
    add_once(family.texts, row.rocm.text());
  }
  std::ranges::sort(families, [](const Family& a, const Family& b) {
    return a.key != b.key ? a.key < b.key : version_before(a.name, b.name);
  });
  std::vector<Listed> out;
  for (const Family& family : families)
    out.push_back({db::os_display(family.key, family.name), "ROCm " + join(family.texts, "; ")});
  return out;
}

Result<NamedRelease> named_release(const Database& database, const std::string& option,
                                   std::string_view text) {
  const std::string asked(trim(text));
  const auto no_release = [&](const char* why) {
    return malformed(option, "'" + asked + "' " + why);
  };
  const auto* blob = dynamic_cast<const db::BlobDatabase*>(&database);
  const auto release = blob != nullptr ? db::find_release(*blob, asked)
                                       : Result<db::AskedRelease>(db::AskedRelease{});
  if (!release) return no_release("is not a version");
  if (asked.find_first_not_of("0123456789.") != asked.npos || asked.find('.') == asked.npos)
    return no_release("is no release of ROCm, such as 7.2.4");
  if (!release->exists) return no_release("is no release of ROCm that is known");
  if (release->newer || release->older || !release->note.empty()) return NamedRelease{asked, false};
  return NamedRelease{release->version.text(), true};
}

std::string python_of_system(const Database& database, const std::string& os) {
  const db::Published* published = db::published_of(database);
  const auto asked = db::parse_os(os);
  if (published == nullptr || !asked || asked->version.empty()) return {};
  for (const db::SystemRow& row : published->system_facts()) {
    if (row.os == asked->id && db::is_of_release(*asked, row.version))
      return std::string(row.python);
  }
  return {};
}

std::vector<Listed> listed_frameworks(const Database& database) {
  const db::Published* published = db::published_of(database);
  if (published == nullptr) return {};
  std::vector<Family> families;
  for (const db::FrameworkRow& row : published->frameworks()) {
    for (const db::FrameworkVersion& version : row.versions)
      add_once(family_of(families, std::string(row.framework), "").texts,
               std::string(version.text));
  }
  for (const db::WheelRow& row : published->wheels())
    add_once(family_of(families, std::string(row.framework), "").texts, row.version.text());
  std::ranges::sort(families, {}, &Family::key);
  std::vector<Listed> out;
  for (Family& family : families) {
    std::ranges::sort(family.texts, version_before);
    out.push_back({family.key, join(family.texts, " ")});
  }
  return out;
}

}  // namespace rocvet
