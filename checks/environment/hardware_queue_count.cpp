#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
GPU_MAX_HW_QUEUES that is no number, or 0.

## Why it matters
HIP maps its streams to that many queues (4 by default). A value that is no number is read as 0, and
what was meant is not done.

## How to mend it
Unset it.

## Not this
Other numbers, 1 included, which some stacks set on purpose.

## References
- https://rocm.docs.amd.com/projects/HIP/en/latest/reference/env_variables.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  const std::string value = variable_or_empty(machine, "GPU_MAX_HW_QUEUES");
  if (value.empty()) return {pass("GPU_MAX_HW_QUEUES is not set")};
  const auto count = parse_number(trim(value));
  if (count && *count > 0) return {pass("GPU_MAX_HW_QUEUES is " + value)};
  return warning("GPU_MAX_HW_QUEUES is no number of queues")
      .saw("GPU_MAX_HW_QUEUES=" + value)
      .fix({"unset GPU_MAX_HW_QUEUES"});
}

}  // namespace

extern const Check kHardwareQueueCount;
constinit const Check kHardwareQueueCount{.code = "RV619",
                                          .id = "hardware-queue-count",
                                          .topic = "environment",
                                          .title = "The number of hardware queues is no number",
                                          .doc = kDoc,
                                          .run = run};

}  // namespace rocvet
