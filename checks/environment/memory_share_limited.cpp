#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
GPU_MAX_HEAP_SIZE, GPU_MAX_ALLOC_PERCENT and GPU_SINGLE_ALLOC_PERCENT below 100.

## Why it matters
Guides for mining set them for drivers of ten years ago. HIP and OpenCL still obey: allocations fail
while the GPU has room.

## How to mend it
Unset them.

## Not this
Memory that another process uses.

## References
- https://rocm.docs.amd.com/projects/HIP/en/latest/reference/env_variables.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  std::vector<std::string> seen;
  for (const char* name :
       {"GPU_MAX_HEAP_SIZE", "GPU_MAX_ALLOC_PERCENT", "GPU_SINGLE_ALLOC_PERCENT"}) {
    const auto share = parse_number(variable_or_empty(machine, name));
    if (share && *share < 100) seen.push_back(std::string(name) + "=" + std::to_string(*share));
  }
  if (seen.empty()) return {pass("no variable limits the share of the GPU's memory")};
  return warning("a variable lets programs use a part of the GPU's memory only")
      .saw(seen)
      .fix({"unset GPU_MAX_HEAP_SIZE GPU_MAX_ALLOC_PERCENT GPU_SINGLE_ALLOC_PERCENT"});
}

}  // namespace

extern const Check kMemoryShareLimited;
constinit const Check kMemoryShareLimited{
    .code = "RV615",
    .id = "memory-share-limited",
    .topic = "environment",
    .title = "A variable lets programs use a part of the GPU's memory only",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
