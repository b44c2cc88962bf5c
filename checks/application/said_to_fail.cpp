#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kSaidToFailDoc = R"(
## What it looks for
Words of a person (`--log FILE`) that say which part of ROCm itself fails (a tool, a library, a
package of it), that the DKMS driver does not build, that the distribution's packages stand before
AMD's, or that Docker Desktop runs here.

## Why it matters
Where nothing else is wrong, what fails in ROCm's own part is most likely a defect of the release
that is here. Nobody's words make that sure: it is a suspicion, and the last.

## How to mend it
Look for the complaint where the component keeps its issues, and try the next release (a container
is enough).

## Not this
A published defect of the release: RV411. A program's message: RV951.

## References
- https://rocm.docs.amd.com/en/latest/about/release-notes.html
)";

/// What is not found is missing or elsewhere: that is no fault of what it belongs to.
bool says_not_found(const Context& context, std::string_view line) {
  return contains_one(lower(line), context.db.knowledge().words("not-found"));
}

/// A line that a program wrote: a path, a bracket or a stamp in front, or a level of its log.
bool is_of_a_log(std::string_view line) {
  constexpr std::string_view kLevels[] = {"Warning:", "WARNING", " INFO ", "INFO:", "level="};
  return line.empty() || line.front() == '/' || line.front() == '[' || is_digit(line.front()) ||
         contains_one(line, kLevels);
}

std::vector<Finding> run_said_to_fail(const Context& context) {
  if (spoken(context).empty()) return {skip("no application log is at hand (--log FILE)")};
  if (!person_speaks(context)) return {skip("the log is a program's: nobody says what fails")};
  // What a program says of the fault goes before what a person makes of it.
  const bool stated = program_complains(context);
  std::vector<Finding> findings;
  for (const AppError& error : app_errors(context)) {
    const bool component = error.text->sees == "rocm-component-said-to-fail";
    if (error.text->sees.empty() ||
        (component && (stated || says_not_found(context, error.line) || is_of_a_log(error.line))))
      continue;
    findings.push_back(passing(std::string(error.text->means))
                           .saw("application: " + error.line)
                           .sees(ObservationName::of_database(error.text->sees)));
  }
  return or_pass(std::move(findings), "nobody says that a part of ROCm itself fails");
}

}  // namespace

extern const Check kSaidToFail;
constinit const Check kSaidToFail{.code = "RV955",
                                  .id = "said-to-fail",
                                  .topic = "application",
                                  .title = "Somebody says which part of ROCm fails",
                                  .doc = kSaidToFailDoc,
                                  .run = run_said_to_fail};

}  // namespace rocvet
