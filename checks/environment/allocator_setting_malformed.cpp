#include <charconv>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"

namespace rocvet {
namespace {

constexpr std::string_view kAllocatorSettingMalformedDoc = R"(
## What it looks for
PYTORCH_HIP_ALLOC_CONF, PYTORCH_CUDA_ALLOC_CONF and PYTORCH_ALLOC_CONF: entries without a colon, a
max_split_size_mb of 20 or less, a garbage_collection_threshold outside 0 to 1.

## Why it matters
PyTorch reads it at the first allocation and raises an error there, which looks like a fault of the
GPU.

## How to mend it
`export PYTORCH_HIP_ALLOC_CONF=max_split_size_mb:512`, or unset it.

## Not this
expandable_segments on a release that ignores it with a warning.

## References
- https://docs.pytorch.org/docs/stable/notes/cuda.html
- https://docs.pytorch.org/docs/stable/notes/hip.html
)";

/// What is wrong with one "key:value"; "" for nothing.
std::string problem_of(std::string_view entry) {
  entry = trim(entry);
  const std::size_t colon = entry.find(':');
  if (colon == entry.npos) return "'" + std::string(entry) + "' has no colon";
  const std::string_view key = trim(entry.substr(0, colon)), value = trim(entry.substr(colon + 1));
  if (key == "max_split_size_mb") {
    const auto size = parse_number(value);
    if (!size || *size <= 20) return "max_split_size_mb must be a number above 20";
  }
  if (key == "garbage_collection_threshold") {
    double share = -1;
    std::from_chars(value.data(), value.data() + value.size(), share);
    if (share <= 0 || share >= 1) return "garbage_collection_threshold must lie between 0 and 1";
  }
  return "";
}

std::vector<Finding> run_allocator_setting_malformed(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  std::vector<Finding> findings;
  for (const char* name :
       {"PYTORCH_HIP_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"}) {
    const std::string value = variable_or_empty(machine, name);
    // Lists in brackets are a value of their own (roundup_power2_divisions).
    if (value.empty() || value.find('[') != value.npos) continue;
    for (const std::string_view entry : split(value, ',')) {
      const std::string problem = problem_of(entry);
      if (problem.empty()) continue;
      findings.push_back(warning(std::string(name) + " is malformed: " + problem)
                             .saw(std::string(name) + "=" + value)
                             .fix({Step("unset {}", name)}));
      break;
    }
  }
  return or_pass(std::move(findings), "PyTorch's allocator setting is well formed, or not set");
}

}  // namespace

extern const Check kAllocatorSettingMalformed;
constinit const Check kAllocatorSettingMalformed{
    .code = "RV612",
    .id = "allocator-setting-malformed",
    .topic = "environment",
    .title = "PyTorch's allocator setting is malformed",
    .doc = kAllocatorSettingMalformedDoc,
    .run = run_allocator_setting_malformed};

}  // namespace rocvet
