// Which framework versions go with a release, and what their wheels were built for.
#include <algorithm>

#include "base/text.h"
#include "db/questions/any_release.h"
#include "db/questions/questions.h"

namespace rocvet::db {
namespace {

bool either_starts(const Version& a, const Version& b) {
  return a.starts_with(b) || b.starts_with(a);
}

bool fits(const AskedFramework& asked, const FrameworkVersion& listed) {
  if (!asked.version || listed.text == asked.version_text) return true;
  if (!listed.version) return false;
  return listed.or_newer ? *asked.version >= *listed.version
                         : either_starts(*asked.version, *listed.version);
}

std::vector<Fact> framework_facts(const Asked& asked) {
  const AskedFramework& framework = *asked.framework;
  const std::string rocm = "ROCm " + asked.release->text;
  std::vector<std::string> listed;
  const FrameworkRow* hit = nullptr;
  for (const FrameworkRow* row :
       rows_for(asked.db.published().frameworks(), asked.release->version,
                [&](const FrameworkRow& each) { return each.framework == framework.name; })) {
    for (const FrameworkVersion& each : row->versions) {
      if (hit == nullptr && fits(framework, each)) hit = row;
      listed.emplace_back(each.text);
    }
  }
  if (hit == nullptr) {
    return {unlisted(asked.db, "framework × rocm",
                     framework.name + " " + framework.version_text + " is not listed for " + rocm +
                         (listed.empty() ? "" : ", which lists " + join(listed, ", ")))};
  }
  Fact fact = fact_of(hit->origin, "framework × rocm", hit->verdict,
                      framework.name +
                          (framework.version_text.empty() ? "" : " " + framework.version_text) +
                          " is listed for " + rocm);
  if (!hit->variant.empty()) {
    fact.condition =
        std::string(hit->variant) + (fact.condition.empty() ? "" : "; " + fact.condition);
  }
  std::vector<Fact> facts = {std::move(fact)};
  if (asked.gpu && !hit->gfx.empty()) {
    facts.push_back(
        fact_of(hit->origin, "framework × gpu",
                holds(hit->gfx, asked.gpu->gfx) ? Support::supported : Support::unlisted,
                framework.name + " is listed for " + joined(hit->gfx, " ")));
  }
  return facts;
}

/// What the wheels of a framework version were built for.
std::vector<Fact> wheel_facts(const Asked& asked) {
  std::vector<Fact> facts;
  const auto& [name, version_text, version] = *asked.framework;
  if (!asked.gpu || !version) return facts;
  for (const WheelRow& row : asked.db.published().wheels()) {
    if (row.framework != name || row.gfx.empty() || !row.version.contains(*version)) continue;
    if (asked.release && row.rocm_version &&
        !either_starts(asked.release->version, *row.rocm_version))
      continue;
    facts.push_back(
        fact_of(row.origin, "wheel × gpu",
                holds(row.gfx, asked.gpu->gfx) ? Support::enabled : Support::unsupported,
                "the " + name + " " + version_text + " wheel for ROCm " + std::string(row.rocm) +
                    " holds " + joined(row.gfx, " ")));
  }
  return facts;
}

/// Of a framework without a release.
bool listed_ever(const AskedFramework& asked, const FrameworkRow& row) {
  if (row.framework != asked.name) return false;
  return !asked.version ||
         std::any_of(row.versions.begin(), row.versions.end(), [&](const FrameworkVersion& each) {
           return !each.or_newer && each.version && either_starts(*asked.version, *each.version);
         });
}

}  // namespace

Result<AskedFramework> find_framework(const BlobDatabase& db, std::string_view text) {
  AskedFramework asked;
  const std::size_t equals = text.find('=');
  asked.name = framework_name(text.substr(0, equals));
  if (equals != std::string_view::npos) asked.version_text = trim(text.substr(equals + 1));
  if (!asked.version_text.empty()) {
    auto version = parse_version("--framework", strip_series(asked.version_text));
    if (!version) return version.error();
    asked.version = std::move(*version);
  }
  std::vector<std::string> known;
  for (const FrameworkRow& row : db.published().frameworks()) {
    if (row.framework == asked.name) return asked;
    known.emplace_back(row.framework);
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return missing("--framework",
                 "nothing is known of '" + asked.name + "'" + did_you_mean(asked.name, known));
}

void ask_framework(const Asked& asked, Findings& found) {
  if (asked.release) {
    for (Fact& fact : framework_facts(asked)) found.deciding.push_back(std::move(fact));
  } else {
    const AskedFramework& framework = *asked.framework;
    found.deciding.push_back(
        in_any_release(asked.db, asked.db.published().frameworks(), "framework",
                       framework.name + " " + framework.version_text,
                       [&](const FrameworkRow& row) { return listed_ever(framework, row); }));
  }
  for (Fact& fact : wheel_facts(asked)) found.informing.push_back(std::move(fact));
}

}  // namespace rocvet::db
