#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
vm.max_map_count below 65530.

## Why it matters
Each buffer that is shared with the GPU or pinned is a mapping, and allocators keep thousands. At
the limit mmap fails, which shows as out of memory.

## How to mend it
`sudo sysctl vm.max_map_count=262144`

## Not this
The default and more.

## References
- https://docs.kernel.org/admin-guide/sysctl/vm.html
)";

constexpr unsigned long long kDefault = 65530;  // DEFAULT_MAX_MAP_COUNT of the kernel

std::vector<Finding> run(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto count = parse_number(sysctl(context.machine, "vm.max_map_count"));
  if (!count) return {skip("vm.max_map_count is not known")};
  if (*count >= kDefault) return {pass("vm.max_map_count is " + std::to_string(*count))};
  return warning("the number of memory mappings is limited to " + std::to_string(*count))
      .saw("vm.max_map_count = " + std::to_string(*count))
      .fix({"sudo sysctl vm.max_map_count=262144"})
      .root();
}

}  // namespace

extern const Check kMapCountLow;
constinit const Check kMapCountLow{
    .code = "RV714",
    .id = "map-count-low",
    .topic = "container",
    .title = "The number of memory mappings is limited below the kernel's default",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
