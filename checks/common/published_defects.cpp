#include "checks/common/published_defects.h"

#include "checks/common/say.h"
#include "checks/facts/situation.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::size_t kMostShown = 8;  // of those that fit the most conditions

}  // namespace

bool has_no_words(const KnownIssue& issue) {
  return issue.signatures.empty() && issue.about.empty();
}

std::optional<Finding> defect_at_work(const Context& context, const KnownIssue& issue,
                                      const DefectNames& names) {
  // Of a release that is not known nothing can be said.
  if (!issue.certain) return std::nullopt;
  const bool shown = shows(context, issue);
  const std::vector<std::string_view> about(issue.about.begin(), issue.about.end());
  if (!shown && !someone_complains_of(context, about)) return std::nullopt;
  const bool sure = shown && !issue.generic;
  Finding found = Say(sure ? Verdict::fail : Verdict::warn, issue.because)
                      .about(issue.id)
                      .saw("source: " + issue.source)
                      .sees(sure              ? names.shown
                            : shown           ? names.perhaps_shown
                            : issue.hits_most ? names.likely
                                              : names.spoken_of);
  if (!issue.remedy.empty()) found.remedy.steps = {Step::of_database(issue.remedy)};
  return found;
}

void add_listed_defects(std::vector<Finding>& findings, const std::vector<KnownIssue>& issues) {
  std::vector<std::string> facts;
  std::size_t count = 0;
  for (const KnownIssue& issue : issues) {
    if (!issue.certain) continue;
    if (++count <= kMostShown) facts.push_back(issue.id + ": " + issue.because);
  }
  if (facts.empty()) return;
  if (count > kMostShown) facts.push_back("… and " + std::to_string(count - kMostShown) + " more");
  const std::string what =
      count == 1 ? "a published defect is" : std::to_string(count) + " published defects are";
  findings.push_back(passing(what + " listed for this machine, and not seen").saw(facts));
}

}  // namespace rocvet
