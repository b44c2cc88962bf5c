// A thing without a release: which releases list it, over all of them.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "db/questions/questions.h"

namespace rocvet::db {

/// The best verdict of the newest release on the rows that are wanted; what it does not list, it
/// does not support.
template <typename Row, typename Wanted>
Support by_newest(const std::vector<Row>& rows, const Version& newest, const Wanted& wanted) {
  Support verdict = Support::unlisted;
  for (const Row& row : rows) {
    if (!wanted(row) || !row.rocm.contains(newest)) continue;
    if (severity(row.verdict) > severity(verdict) || verdict == Support::unlisted)
      verdict = row.verdict;
  }
  return verdict == Support::unlisted ? Support::unsupported : verdict;
}

/// One fact on `who`, with every range that a row of it names. `wanted`: Row -> bool.
template <typename Row, typename Wanted>
Fact in_any_release(const BlobDatabase& db, const std::vector<Row>& rows, std::string subject,
                    const std::string& who, const Wanted& wanted) {
  std::vector<std::string> ranges;
  const Row* last = nullptr;
  for (const Row& row : rows) {
    const bool listed = row.verdict == Support::supported || row.verdict == Support::deprecated ||
                        row.verdict == Support::enabled;
    if (!listed || !wanted(row)) continue;
    ranges.push_back(row.rocm.text() + (row.verdict == Support::supported
                                            ? ""
                                            : " (" + std::string(to_string(row.verdict)) + ")"));
    last = &row;
  }
  if (last == nullptr) return unlisted(db, std::move(subject), "no release lists " + who);
  std::sort(ranges.begin(), ranges.end());
  ranges.erase(std::unique(ranges.begin(), ranges.end()), ranges.end());
  const auto newest = db.newest_release();
  const Support verdict = newest ? by_newest(rows, *newest, wanted) : Support::unsupported;
  std::string because = who + " is listed for ROCm " + join(ranges, "; ");
  if (verdict != Support::supported && newest)
    because += ", not by the newest release (" + newest->text() + ")";
  Fact fact = fact_of(last->origin, std::move(subject), verdict, std::move(because));
  fact.condition.clear();
  return fact;
}

}  // namespace rocvet::db
