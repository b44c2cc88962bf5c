#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/situation.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
The database's list of published defects, for this ROCm, GPU, kernel, driver and firmware, and the
texts by which they show.

## Why it matters
Only an upgrade or the published workaround helps; looking for a fault of the machine is in vain.

## How to mend it
What the entry says.

## Not this
A defect that is listed for this machine but does not show.

## References
- https://github.com/ROCm/ROCm/issues
- https://rocm.docs.amd.com/en/latest/about/release-notes.html
)";

std::vector<Finding> run(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  for (const KnownIssue& issue : issues_about(context, "release-bug")) {
    const bool at_work = shows(context, issue);
    findings.push_back((at_work
                            ? failing(issue.because)
                            : passing("listed for this machine, and not seen: " + issue.because))
                           .about(issue.id)
                           .saw("source: " + issue.source)
                           .sees("release-defect-listed")
                           .fix({Step::of_database(issue.remedy)}));
  }
  return or_pass(std::move(findings), "no published defect of this release fits");
}

}  // namespace

extern const Check kKnownDefect;
constinit const Check kKnownDefect{.code = "RV411",
                                   .id = "known-defect",
                                   .topic = "installation",
                                   .title = "A published defect of this release fits",
                                   .doc = kDoc,
                                   .run = run};

}  // namespace rocvet
