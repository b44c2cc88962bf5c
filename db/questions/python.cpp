// Which wheels are published for a Python.
#include <algorithm>

#include "base/text.h"
#include "db/questions/questions.h"

namespace rocvet::db {
namespace {

constexpr const char* kPythonSubject = "wheel × python";
constexpr std::size_t kMostWheels = 4;

bool has_python(const WheelRow& row, const Version& python) {
  return std::ranges::any_of(row.python, [&](std::string_view text) {
    const auto listed = Version::parse(text);
    return listed && (python.starts_with(*listed) || listed->starts_with(python));
  });
}

/// The series of a version range with one end or both: "2.9" of "2.9", ">=2.9, <2.10".
std::string named(const WheelRow& row) {
  return std::string(row.framework) + " " + row.version.text() + " for ROCm " +
         std::string(row.rocm);
}

bool is_asked(const WheelRow& row, const Asked& asked) {
  if (row.python.empty()) return false;
  if (asked.framework) {
    if (row.framework != asked.framework->name) return false;
    if (asked.framework->version && !row.version.contains(*asked.framework->version)) return false;
  }
  if (!asked.release || !row.rocm_version) return true;
  const Version& release = asked.release->version;
  return release.starts_with(*row.rocm_version) || row.rocm_version->starts_with(release);
}

std::string pythons_of(const std::vector<const WheelRow*>& rows) {
  std::vector<Version> all;
  for (const WheelRow* row : rows) {
    for (const std::string_view text : row->python) {
      const auto version = Version::parse(text);
      if (version && std::ranges::find(all, *version) == all.end()) all.push_back(*version);
    }
  }
  std::ranges::sort(all, [](const Version& a, const Version& b) { return a < b; });
  std::vector<std::string> texts;
  for (const Version& version : all) texts.push_back(version.text());
  return join(texts, ", ");
}

}  // namespace

void ask_python(const Asked& asked, Findings& found) {
  std::vector<const WheelRow*> known, fitting;
  for (const WheelRow& row : asked.db.published().wheels()) {
    if (!is_asked(row, asked)) continue;
    known.push_back(&row);
    if (has_python(row, *asked.python)) fitting.push_back(&row);
  }
  const std::string python = "Python " + asked.python->text();
  if (known.empty()) {
    found.deciding.push_back(
        unlisted(asked.db, kPythonSubject, "nothing is known of wheels like these for " + python));
    return;
  }
  if (fitting.empty()) {
    found.deciding.push_back(
        fact_of(known.back()->origin, kPythonSubject, Support::unsupported,
                "no wheel of " + (known.size() == 1 ? named(*known.front()) : "these") +
                    " is published for " + python + ", but for Python " + pythons_of(known)));
    return;
  }
  std::vector<std::string> names;
  for (auto row = fitting.rbegin(); row != fitting.rend() && names.size() < kMostWheels; ++row)
    names.push_back(named(**row));
  found.deciding.push_back(fact_of(fitting.back()->origin, kPythonSubject, Support::supported,
                                   "wheels for " + python + ": " + join(names, "; ") +
                                       (fitting.size() > names.size() ? " …" : "")));
}

}  // namespace rocvet::db
