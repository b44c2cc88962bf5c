// What hardware and frameworks make of bf16, fp8, flash attention and the like.
#include <algorithm>

#include "db/blob_database.h"
#include "db/version.h"

namespace rocvet::db {
namespace {

/// An unknown version fits only a range that takes all.
bool fits(const VersionRange& range, const std::optional<Version>& version) {
  return range.takes_all() || (version && range.contains(*version));
}

/// The columns that both tables have.
template <typename Row>
FeatureFact fact_of(const Row& row) {
  FeatureFact fact;
  fact.feature = row.feature;
  fact.verdict = row.verdict;
  fact.because = row.fact;
  fact.source = row.origin.source;
  if (!row.origin.basis.empty() && row.origin.basis != "published")
    fact.source += " (" + std::string(row.origin.basis) + ")";
  return fact;
}

}  // namespace

std::vector<FeatureFact> BlobDatabase::hardware_features(std::string_view gfx) const {
  std::vector<FeatureFact> found;
  for (const FeatureRow& row : published_.features()) {
    if (!holds(row.gfx, gfx)) continue;
    found.push_back(fact_of(row));
    found.back().format = row.format;
  }
  return found;
}

std::vector<FeatureFact> BlobDatabase::framework_features(std::string_view framework,
                                                          std::string_view version,
                                                          std::string_view rocm,
                                                          std::string_view gfx) const {
  const auto own = Version::parse(version).optional(), release = Version::parse(rocm).optional();
  std::vector<FeatureFact> found;
  for (const FeatureInRow& row : published_.features_in()) {
    if (row.framework != framework) continue;
    if (std::any_of(found.begin(), found.end(),
                    [&](const FeatureFact& one) { return one.feature == row.feature; }))
      continue;
    if (!fits(row.versions, own) || (row.rocm && !fits(*row.rocm, release))) continue;
    if (!row.gfx.empty() && !holds(row.gfx, gfx)) continue;
    found.push_back(fact_of(row));
    found.back().means = row.means;
    found.back().environment = row.environment;
  }
  return found;
}

}  // namespace rocvet::db
