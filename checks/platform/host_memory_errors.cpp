#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/options.h"

namespace rocvet {
namespace {

constexpr std::string_view kHostMemoryErrorsDoc = R"(
## What it looks for
The error counters of the memory controllers (EDAC).

## Why it matters
An uncorrected error kills a process or the machine and is easily taken for a fault of the GPU; an
APU computes in that very memory.

## How to mend it
Find the module (`edac-util -v`, `ras-mc-ctl --summary`) and replace it.

## Not this
Errors of the GPU's memory: RV1002 and RV1003.

## References
- https://docs.kernel.org/admin-guide/RAS/main.html
)";

std::vector<Finding> run_host_memory_errors(const Context& context) {
  const Result<std::string> text = setting(context.machine, "edac");
  if (!text) return {unread(text.error(), "no memory controller counts errors here")};
  const auto parts = words(*text);  // "ue 0 ce 12"
  if (parts.size() != 4) return {skip("no memory controller counts errors here")};
  const unsigned long long uncorrected = parse_number(parts[1]).value_or(0),
                           corrected = parse_number(parts[3]).value_or(0);
  if (uncorrected > 0)
    return failing("the machine's memory had uncorrected errors")
        .saw("EDAC: " + *text)
        .fix({"ras-mc-ctl --summary"})
        .root();
  if (corrected > 0)
    return passing("the machine's memory had " + std::to_string(corrected) +
                   " errors, all of them corrected");
  return {pass("the memory controllers counted no error")};
}

}  // namespace

extern const Check kHostMemoryErrors;
constinit const Check kHostMemoryErrors{.code = "RV1314",
                                        .id = "host-memory-errors",
                                        .topic = "platform",
                                        .title = "The machine's own memory has errors",
                                        .doc = kHostMemoryErrorsDoc,
                                        .run = run_host_memory_errors};

}  // namespace rocvet
