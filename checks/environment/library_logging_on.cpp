#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
ROCBLAS_LAYER, HIPBLASLT_LOG_LEVEL, HIPBLASLT_LOG_MASK, TENSILE_DB, NCCL_DEBUG=TRACE.

## Why it matters
Forgotten in a profile or a service they fill disks and slow small operations down.

## How to mend it
Unset them.

## Not this
Logs of HIP and ROCr themselves: RV607. NCCL_DEBUG=INFO and WARN, which cost nothing.

## References
- https://rocm.docs.amd.com/projects/rocBLAS/en/latest/how-to/Programmers_Guide.html
- https://rocm.docs.amd.com/projects/hipBLASLt/en/latest/reference/env-variables.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  std::vector<std::string> seen;
  for (const char* name :
       {"ROCBLAS_LAYER", "HIPBLASLT_LOG_LEVEL", "HIPBLASLT_LOG_MASK", "TENSILE_DB"}) {
    const std::string value = variable_or_empty(machine, name);
    if (!value.empty() && value != "0") seen.push_back(std::string(name) + "=" + value);
  }
  if (lower(variable_or_empty(machine, "NCCL_DEBUG")) == "trace")
    seen.push_back("NCCL_DEBUG=TRACE");
  if (seen.empty()) return {pass("no library logs each call")};
  return warning("libraries write a line for each call")
      .saw(seen)
      .fix({"unset the variables above"});
}

}  // namespace

extern const Check kLibraryLoggingOn;
constinit const Check kLibraryLoggingOn{.code = "RV620",
                                        .id = "library-logging-on",
                                        .topic = "environment",
                                        .title = "Libraries write a line for each call",
                                        .doc = kDoc,
                                        .run = run};

}  // namespace rocvet
