// Which systems, and which kernels of them, a release lists.
#include <algorithm>

#include "base/text.h"
#include "db/questions/any_release.h"
#include "db/questions/questions.h"

namespace rocvet::db {
namespace {

using OsRows = std::vector<const OsRow*>;

Fact unlisted_system(const Asked& asked, std::vector<std::string> other_versions,
                     const std::string& rocm) {
  std::string because = asked.os->display() + " is not listed for " + rocm;
  if (!other_versions.empty()) {
    std::sort(other_versions.begin(), other_versions.end());
    other_versions.erase(std::unique(other_versions.begin(), other_versions.end()),
                         other_versions.end());
    because += "; of this system it lists " + join(other_versions, ", ");
  }
  return unlisted(asked.db, "os × rocm", std::move(because));
}

/// Whether the kernel is of a series that the rows with the verdict of `best` list; nothing where
/// they list none that compares.
void add_kernel(const Asked& asked, const OsRows& rows, const OsRow& best,
                std::vector<Fact>& facts) {
  std::vector<std::string> kernels;
  for (const OsRow* row : rows) {
    if (row->verdict != best.verdict) continue;
    for (const std::string_view each : row->kernels) kernels.emplace_back(each);
  }
  if (asked.kernel.empty()) return;
  bool hit = false, comparable = false;
  for (const std::string& each : kernels) {
    const auto match = kernel_matches(each, asked.kernel);
    comparable |= match.has_value();
    hit |= match.value_or(false);
  }
  if (!comparable) return;
  Fact fact = fact_of(best.origin, "os × kernel", hit ? Support::supported : Support::unlisted,
                      "Linux " + asked.kernel +
                          (hit ? " is of the listed series: " : " is not of the listed series: ") +
                          join(kernels, ", "));
  fact.condition.clear();
  facts.push_back(std::move(fact));
}

std::vector<Fact> system_facts(const Asked& asked) {
  const OsName& os = *asked.os;
  const std::string rocm = "ROCm " + asked.release->version.text();
  OsRows rows;
  std::vector<std::string> other_versions;
  for (const OsRow* row : rows_for(asked.db.published().systems(), asked.release->version,
                                   [&](const OsRow& each) { return each.os == os.id; })) {
    if (!os.variant.empty() && row->variant != os.variant) continue;
    if (os_version_matches(os, row->version)) {
      rows.push_back(row);
    } else if (row->verdict == Support::supported) {
      other_versions.emplace_back(row->version.text);
    }
  }
  if (rows.empty()) return {unlisted_system(asked, std::move(other_versions), rocm)};
  // A system asked for without its point release has the best answer of them.
  std::stable_sort(rows.begin(), rows.end(), [](const OsRow* a, const OsRow* b) {
    if (a->variant.empty() != b->variant.empty()) return a->variant.empty();
    return severity(a->verdict) > severity(b->verdict);
  });
  const OsRow& best = *rows[0];
  std::vector<Fact> facts = {
      fact_of(best.origin, "os × rocm", best.verdict,
              os_display(os.id, best.version.text) +
                  (best.verdict == Support::supported     ? " is listed for "
                   : best.verdict == Support::unsupported ? " is no longer supported by "
                                                          : " is not listed for ") +
                  rocm)};
  for (const OsRow* row : rows) {
    if (row != &best && row->origin.disagrees)
      facts.push_back(fact_of(row->origin, "os × rocm", row->verdict, "another source"));
  }
  add_kernel(asked, rows, best, facts);
  return facts;
}

}  // namespace

void ask_system(const Asked& asked, Findings& found) {
  if (!asked.release) {
    found.deciding.push_back(in_any_release(
        asked.db, asked.db.published().systems(), "os", asked.os->display(), [&](const OsRow& row) {
          return row.os == asked.os->id && os_version_matches(*asked.os, row.version);
        }));
    return;
  }
  for (Fact& fact : system_facts(asked)) found.deciding.push_back(std::move(fact));
}

}  // namespace rocvet::db
