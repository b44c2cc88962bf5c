#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
kernel.numa_balancing on a machine with Instinct GPUs.

## Why it matters
It moves pages that the GPU has mapped: benchmarks vary. Desktops do not care.

## How to mend it
`sudo sysctl kernel.numa_balancing=0` for benchmarks.

## Not this
A fault: jobs run either way.

## References
- https://rocm.docs.amd.com/en/latest/how-to/system-optimization/index.html
- https://docs.kernel.org/admin-guide/sysctl/kernel.html#numa-balancing
)";

std::vector<Finding> run(const Context& context) {
  const auto& sysctl = context.machine.kernel.sysctl;
  const auto value = sysctl.find("kernel.numa_balancing");
  if (value == sysctl.end() || !value->second) return {skip("the setting is not known")};
  if (*value->second == "0") return {pass("automatic NUMA balancing is off")};
  return {
      passing("automatic NUMA balancing is on; benchmarks on several sockets vary less without")};
}

}  // namespace

extern const Check kNumaBalancing;
constinit const Check kNumaBalancing{.code = "RV1302",
                                     .id = "numa-balancing",
                                     .topic = "platform",
                                     .title = "Automatic NUMA balancing is on",
                                     .doc = kDoc,
                                     .run = run};

}  // namespace rocvet
