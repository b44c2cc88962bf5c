// What hardware and frameworks make of bf16, fp8, flash attention and the like.
#include <algorithm>

#include "db/blob_database.h"
#include "db/version.h"

namespace rocvet::db {
namespace {

bool has(std::string_view list, std::string_view gfx) {
  const auto items = list_items(list);
  return std::find(items.begin(), items.end(), gfx) != items.end();
}

/// An unknown version fits only a range that takes all.
bool fits(std::string_view range, std::string_view version) {
  if (range.empty() || range == "*") return true;
  const auto parsed = VersionRange::parse(range);
  const auto mine = Version::parse(version);
  return parsed && mine && parsed->contains(*mine);
}

FeatureFact fact_of(const TableView& table, std::size_t row) {
  FeatureFact fact;
  fact.feature = table.find(row, "feature");
  fact.verdict = table.find(row, "verdict");
  fact.because = table.find(row, "fact");
  fact.source = table.find(row, "source");
  if (const auto basis = table.find(row, "basis"); !basis.empty() && basis != "published")
    fact.source += " (" + std::string(basis) + ")";
  return fact;
}

}  // namespace

std::vector<FeatureFact> BlobDatabase::hardware_features(std::string_view gfx) const {
  std::vector<FeatureFact> found;
  const auto features = table<"feature">();
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (!has(features.get(i, "gfx"), gfx)) continue;
    FeatureFact fact = fact_of(features, i);
    fact.format = features.get(i, "format");
    found.push_back(std::move(fact));
  }
  return found;
}

std::vector<FeatureFact> BlobDatabase::framework_features(std::string_view framework,
                                                          std::string_view version,
                                                          std::string_view rocm,
                                                          std::string_view gfx) const {
  std::vector<FeatureFact> found;
  const auto rules = table<"feature_in">();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules.get(i, "framework") != framework) continue;
    const auto feature = rules.get(i, "feature");
    if (std::any_of(found.begin(), found.end(),
                    [&](const FeatureFact& one) { return one.feature == feature; }))
      continue;
    if (!fits(rules.get(i, "versions"), version) || !fits(rules.get(i, "rocm"), rocm)) continue;
    if (const auto list = rules.get(i, "gfx"); !list.empty() && !has(list, gfx)) continue;
    FeatureFact fact = fact_of(rules, i);
    fact.means = rules.get(i, "means");
    fact.environment = rules.get(i, "environment");
    found.push_back(std::move(fact));
  }
  return found;
}

}  // namespace rocvet::db
