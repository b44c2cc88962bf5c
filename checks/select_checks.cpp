// Which checks were asked for: ids, codes or globs over either.
#include <algorithm>

#include "base/text.h"
#include "checks/check.h"

namespace rocvet {
namespace {

bool matches(const Check& check, const std::string& pattern) {
  return glob_match(pattern, check.id) || glob_match(lower(pattern), lower(check.code));
}

Result<Done> each_matches_something(const std::vector<std::string>& patterns,
                                    std::string_view option, std::span<const Check* const> checks) {
  for (const std::string& pattern : patterns) {
    if (std::any_of(checks.begin(), checks.end(),
                    [&](const Check* check) { return matches(*check, pattern); }))
      continue;
    std::vector<std::string> names;
    for (const Check* check : checks) {
      names.emplace_back(check->id);
      names.emplace_back(check->code);
    }
    return Error{Error::Kind::failed, std::string(option),
                 "no check matches '" + pattern + "'" + did_you_mean(pattern, names)};
  }
  return Done{};
}

}  // namespace

Result<std::vector<const Check*>> select_checks(const Selection& selection,
                                                const Database& database) {
  const auto checks = all_checks(database);
  if (auto only = each_matches_something(selection.only, "--only", checks); !only)
    return only.error();
  if (auto skipped = each_matches_something(selection.skip, "--skip", checks); !skipped)
    return skipped.error();
  const auto in = [](const Check& check, const std::vector<std::string>& patterns) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return matches(check, pattern); });
  };
  std::vector<const Check*> selected;
  for (const Check* check : checks) {
    if ((selection.only.empty() || in(*check, selection.only)) && !in(*check, selection.skip))
      selected.push_back(check);
  }
  return selected;
}

}  // namespace rocvet
