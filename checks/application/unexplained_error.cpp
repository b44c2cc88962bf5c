#include <algorithm>

#include "base/add_once.h"
#include "base/text.h"
#include "checks/check.h"
#include "checks/common/memo.h"
#include "checks/common/say.h"
#include "checks/logs/app_errors.h"
#include "formats/error_statement.h"

namespace rocvet {
namespace {

constexpr std::string_view kUnexplainedErrorDoc = R"(
## What it looks for
Lines of the application's log (`--log FILE`) that by their form say that something failed (an
exception, a level of error, the end of a process), where not one of the log's messages is known.

## Why it matters
rocvet cannot pass a machine on which a program fails for a reason that it does not know. Such an
error may as well be the program's own.

## How to mend it
Search for the line where the program keeps its issues. Run the program again with
`AMD_LOG_LEVEL=3`, which shows the last call of HIP before the error, and give rocvet that log.

## Not this
A message that rocvet knows: RV951.

## References
- https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/logging.html
)";

constexpr std::size_t kMostLinesShown = 3;

/// Different lines that say that something failed, and of which nobody knows more.
std::vector<std::string> unknown_errors(const Context& context) {
  std::vector<std::string> lines;
  std::string_view above;
  each_line(spoken(context), [&](std::string_view line) {
    const std::string_view before = std::exchange(above, line);
    if (lines.size() >= kMostLinesShown || !is_error_statement(line)) return;
    if (context.db.knowledge().program_text(before, line) != nullptr) return;
    add_once(lines, "application: " + std::string(trim(line.substr(0, 300))));
  });
  return lines;
}

std::vector<Finding> run_unexplained_error(const Context& context) {
  // What the machine's libraries told rocvet itself is judged where they were asked.
  if (trim(given_log(context).rest).empty())
    return {skip("no application log is at hand (--log FILE)")};
  const auto& known = app_errors(context);
  if (program_complains(context))
    return {pass("the log has a message that is known (application-error)")};
  const std::vector<std::string> lines = unknown_errors(context);
  const bool complains = std::ranges::any_of(
      known, [](const AppError& error) { return error.text->prose && !error.text->asks.empty(); });
  if (lines.empty() && complains)
    return {{Verdict::unknown,
             "somebody describes a fault, and nothing here shows it: give the program's own output "
             "(--log FILE)"}};
  if (lines.empty()) return {pass("no line of the application's log says that something failed")};
  return {warning("the application's log has an error that rocvet does not know")
              .saw(lines)
              .fix({"run the program again with AMD_LOG_LEVEL=3 and give that log to rocvet check "
                    "--log FILE"})};
}

}  // namespace

extern const Check kUnexplainedError;
constinit const Check kUnexplainedError{
    .code = "RV952",
    .id = "unexplained-error",
    .topic = "application",
    .title = "The application reports an error that is not known",
    .doc = kUnexplainedErrorDoc,
    .run = run_unexplained_error};

}  // namespace rocvet
