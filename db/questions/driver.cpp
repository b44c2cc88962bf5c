// Which kernel driver goes with a release.
#include <algorithm>

#include "base/text.h"
#include "db/questions/any_release.h"
#include "db/questions/questions.h"

namespace rocvet::db {
namespace {

/// Whether the row speaks of the GPU that was asked about; of any where none was.
bool speaks_of(const DriverRow& row, const Asked& asked) {
  if (row.kinds.empty() || !asked.gpu) return true;
  const AskedGpu& gpu = *asked.gpu;
  const auto listed = [&](const GpuInfo& product) { return holds(row.kinds, product.kind); };
  if (!gpu.whole_target)
    return std::ranges::any_of(gpu.products, [&](const auto* each) { return listed(*each); });
  return std::ranges::any_of(asked.db.gpus(), [&](const GpuInfo& product) {
    return product.gfx == gpu.gfx && listed(product);
  });
}

/// `series`: rows for one driver of the series count too.
std::vector<const DriverRow*> rows_of(const Asked& asked, const Version& driver, bool series) {
  return rows_for(asked.db.published().drivers(), asked.release->version,
                  [&](const DriverRow& row) {
                    return speaks_of(row, asked) &&
                           (row.driver.contains(driver) ||
                            (series && row.exactly && row.exactly->starts_with(driver)));
                  });
}

/// At least one; the first decides.
std::vector<Fact> driver_facts(const Asked& asked) {
  const AskedDriver& driver = *asked.driver;
  const std::string rocm = "ROCm " + asked.release->text;
  std::string shown = driver.text;
  auto rows = rows_of(asked, driver.version, strip_series(driver.text) != trim(driver.text));
  if (rows.empty()) {
    // The version of the kernel module ("6.10.5") instead of the driver release ("6.3").
    const std::string release = asked.db.driver_of_module(driver.version);
    if (const auto of_module = Version::parse(release)) {
      shown += " (amdgpu " + release + ")";
      rows = rows_of(asked, *of_module, false);
    }
  }
  if (rows.empty()) {
    return {unlisted(asked.db, "driver × rocm",
                     "driver " + shown + " is outside the window published for " + rocm)};
  }
  std::stable_sort(rows.begin(), rows.end(), [](const DriverRow* a, const DriverRow* b) {
    return severity(a->verdict) > severity(b->verdict);
  });
  const Support verdict = rows[0]->verdict;
  std::vector<std::string_view> kinds;
  for (const DriverRow* row : rows) kinds.insert(kinds.end(), row->kinds.begin(), row->kinds.end());
  std::vector<Fact> facts = {
      fact_of(rows[0]->origin, "driver × rocm", verdict,
              "driver " + shown +
                  (verdict == Support::supported ? " goes with " : " is not listed for ") + rocm)};
  if (!asked.gpu && !kinds.empty())
    facts[0].condition = "the GPU is of these: " + joined(kinds, ", ") + " (say --gpu)";
  for (const DriverRow* row : rows) {
    if (row->verdict == verdict) continue;
    facts.push_back(
        fact_of(row->origin, "driver × rocm", row->verdict, "another source does not list it"));
    break;
  }
  return facts;
}

}  // namespace

Result<AskedDriver> find_driver(const std::string& text) {
  auto version = parse_version("--driver", strip_series(text));
  if (!version) return version.error();
  return AskedDriver{text, std::move(*version)};
}

void ask_driver(const Asked& asked, Findings& found) {
  if (!asked.release) {
    found.deciding.push_back(in_any_release(
        asked.db, asked.db.published().drivers(), "driver", "driver " + asked.driver->text,
        [&](const DriverRow& row) { return row.driver.contains(asked.driver->version); }));
    return;
  }
  const auto facts = driver_facts(asked);
  found.deciding.push_back(facts[0]);
  found.informing.insert(found.informing.end(), facts.begin() + 1, facts.end());
}

}  // namespace rocvet::db
