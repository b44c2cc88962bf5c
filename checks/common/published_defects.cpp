#include "checks/common/published_defects.h"

#include "checks/common/say.h"
#include "checks/facts/situation.h"

namespace rocvet {

std::optional<Finding> shown_defect(const Context& context, const KnownIssue& issue,
                                    const DefectShown& names) {
  // Of a release that is not known nothing can be said.
  if (!issue.certain || !shows(context, issue)) return std::nullopt;
  Finding found = Say(issue.generic ? Verdict::warn : Verdict::fail, issue.because)
                      .about(issue.id)
                      .saw("source: " + issue.source)
                      .sees(issue.generic ? names.perhaps : names.certainly);
  if (!issue.remedy.empty()) found.remedy.steps = {Step::of_database(issue.remedy)};
  return found;
}

void add_listed_defects(std::vector<Finding>& findings, const std::vector<KnownIssue>& issues,
                        ObservationName name) {
  std::vector<std::string> facts;
  for (const KnownIssue& issue : issues) {
    if (issue.certain) facts.push_back(issue.id + ": " + issue.because);
  }
  if (facts.empty()) return;
  const std::string what = facts.size() == 1
                               ? "a published defect is"
                               : std::to_string(facts.size()) + " published defects are";
  findings.push_back(
      passing(what + " listed for this machine, and not seen").saw(facts).sees(name));
}

}  // namespace rocvet
