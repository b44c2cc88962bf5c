// Which release is meant.
#include <algorithm>

#include "base/text.h"
#include "db/questions/questions.h"

namespace rocvet::db {
namespace {

/// Places a release that is not one of `known` (sorted, not empty) among them.
void place(AskedRelease& release, const std::vector<Version>& known) {
  const Version version = release.version;
  const Version series = version.series();
  const Version* earlier = nullptr;
  bool known_series = false;
  for (const Version& each : known) {
    if (!each.starts_with(series)) continue;
    known_series = true;
    if (each < version) earlier = &each;
  }
  // A patch release that the database has not heard of is like the one before it.
  if (earlier != nullptr) {
    release.note = "as " + earlier->text() + "; " + release.text + " itself is not in the database";
    release.version = *earlier;
  } else if (known.back() < version) {
    release.newer = true;
  } else if (!known_series && version < known.front()) {
    release.older = true;
  } else {
    release.exists = known_series;
  }
}

}  // namespace

Result<AskedRelease> find_release(const BlobDatabase& db, std::string_view text) {
  AskedRelease release;
  release.text = std::string(trim(text));
  std::string_view digits = release.text;
  if (digits.starts_with("rocm")) digits = trim(digits.substr(4));
  const auto version = parse_version("--rocm", strip_series(digits));
  if (!version) return version.error();
  release.version = *version;

  std::vector<Version> known;
  for (const ReleaseRow& row : db.published().releases()) known.push_back(row.rocm);
  if (known.empty()) return release;
  std::sort(known.begin(), known.end());
  // "6.2" is the newest of its series.
  if (version->parts.size() < 3) {
    const auto newest = std::find_if(known.rbegin(), known.rend(), [&](const Version& each) {
      return each.starts_with(*version);
    });
    if (newest != known.rend()) {
      release.version = *newest;
      return release;
    }
  }
  if (std::find(known.begin(), known.end(), *version) == known.end()) place(release, known);
  return release;
}

void ask_release(const Asked& asked, Findings& found) {
  const std::string rocm = asked.release->version.text();
  for (const ReleaseRow& row : asked.db.published().releases()) {
    if (row.rocm.text() != rocm) continue;
    found.deciding.push_back(
        fact_of(row.origin, "rocm", Support::supported,
                "ROCm " + rocm + " is a " + std::string(row.kind) + " release"));
  }
}

}  // namespace rocvet::db
