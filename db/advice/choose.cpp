// Which release: the newest that lists the GPU on the system, the one that is there and does, and
// what is left where none does.
#include <algorithm>
#include <cstdlib>
#include <span>

#include "db/advice/planner.h"

namespace rocvet::db {
namespace {

bool is_supported(const Answer& answer) {
  return answer.verdict == Support::supported || answer.verdict == Support::deprecated;
}

bool has_libraries(const Answer& answer) {
  return std::ranges::any_of(answer.facts, [](const Fact& fact) {
    return fact.subject == "library × gpu" && fact.verdict == Support::enabled;
  });
}

bool says_of_system(const Answer& answer) {
  return std::ranges::any_of(answer.facts,
                             [](const Fact& fact) { return fact.subject == "gpu × os"; });
}

std::vector<int> series_of(const Version& release) {
  const auto some = std::span(release.parts).first(std::min<std::size_t>(2, release.parts.size()));
  return {some.begin(), some.end()};
}

}  // namespace

Question Planner::question(const std::string& rocm) const {
  Question asked{.gpu = request.gpu, .rocm = rocm, .os = request.os};
  if (request.wsl) {
    asked.platform = "wsl";
    asked.system_is_given = true;
  }
  return asked;
}

/// Whether the framework's builds for a release have code for the GPU; true where nothing is said.
bool Planner::carries_framework(const Version& rocm) const {
  bool any = false;
  for (const WheelRow& row : db.published().wheels()) {
    if (row.framework != request.framework || !row.rocm_version || row.gfx.empty()) continue;
    if (!rocm.starts_with(*row.rocm_version) && !row.rocm_version->starts_with(rocm)) continue;
    if (holds(row.gfx, gfx)) return true;
    any = true;
  }
  return !any;
}

void Planner::choose() {
  const auto& releases = db.published().releases();
  const auto installed = Version::parse(request.installed);
  // "Near" counts releases, not version numbers: 7.2.4 and 7.14 are neighbours but for previews.
  int installed_place = -1, nearest_distance = -1;
  std::vector<std::vector<int>> denied;  // series that do not support the GPU on this system
  for (const ReleaseRow& release : releases) {
    const auto answer = db.ask(question(release.rocm.text()));
    if (answer && answer->verdict == Support::unsupported && says_of_system(*answer))
      denied.push_back(series_of(release.rocm));
  }
  for (std::size_t i = 0; installed && i < releases.size(); ++i) {
    if (releases[i].rocm <= *installed) installed_place = static_cast<int>(i);
  }
  for (std::size_t i = releases.size(); i-- > 0;) {
    const bool is_here = installed && releases[i].rocm == *installed;
    if (releases[i].kind == "preview" && !is_here) continue;
    const std::string rocm = releases[i].rocm.text();
    auto answer = db.ask(question(rocm));
    if (!answer) continue;
    if (is_supported(*answer) && !carries_framework(releases[i].rocm) && !is_here) {
      passed_over("no build of " + request.framework + " for ROCm " + rocm + " has code for " +
                  gfx);
      continue;
    }
    if (!is_supported(*answer) && releases[i].kind != "preview") passed_over(answer->because);
    // Where nothing is published of a GPU's systems, its neighbours' word goes.
    if (is_supported(*answer) && !says_of_system(*answer) && !is_here &&
        std::ranges::find(denied, series_of(releases[i].rocm)) != denied.end())
      continue;
    if (is_supported(*answer)) {
      if (is_here) advice.kept = {rocm, *answer};
      if (releases[i].kind == "preview") continue;
      if (advice.newest.rocm.empty()) advice.newest = {rocm, *answer};
      if (installed_place >= 0) {
        const int distance = std::abs(installed_place - static_cast<int>(i));
        if (nearest_distance < 0 || distance < nearest_distance) {
          nearest_distance = distance;
          advice.nearest = {rocm, *answer};
        }
      }
      continue;
    }
    auto alone = db.ask({.gpu = request.gpu, .rocm = rocm});
    if (!alone) continue;
    if (is_supported(*alone) && advice.elsewhere.rocm.empty()) advice.elsewhere = {rocm, *alone};
    if (!is_supported(*alone) && (alone->verdict == Support::enabled || has_libraries(*alone)) &&
        advice.unofficial.rocm.empty()) {
      advice.unofficial = {rocm, *alone};
    }
  }
  if (advice.nearest.rocm.empty()) advice.nearest = advice.newest;
  if (!newer_says.empty() && !advice.newest.rocm.empty())
    advice.notes.push_back("not a newer one: " + newer_says);
  if (!advice.newest.rocm.empty()) advice.elsewhere = advice.unofficial = {};
}

void Planner::passed_over(const std::string& because) {
  if (newer_says.empty() && advice.newest.rocm.empty()) newer_says = because;
}

void Planner::unofficial_notes() {
  for (const auto& issue : db.known_issues({.gfx = gfx, .rocm = advice.unofficial.rocm})) {
    if (issue.topic == "override-works")
      advice.notes.push_back(issue.because + " (" + issue.source + ")");
  }
  if (const std::string last = db.last_rocm_for(gfx); !last.empty())
    advice.notes.push_back("ROCm " + last + " is the last release that lists " + gfx);
}

}  // namespace rocvet::db
