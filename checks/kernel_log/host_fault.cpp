#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/kernel_events.h"
#include "checks/logs/log_groups.h"

namespace rocvet {
namespace {

constexpr std::string_view kHostFaultDoc = R"(
## What it looks for
Oopses, lockups, hung tasks, panics, machine checks, disk and file system errors, killed and
crashed processes.

## Why it matters
The GPU may be innocent: a host that is ill in itself makes programs fail in the same ways.

## How to mend it
See the line; memory and disk errors first.

## Not this
Faults of the GPU itself: RV906 and RV907.

## References
- https://docs.kernel.org/admin-guide/bug-hunting.html
- https://docs.kernel.org/admin-guide/lockup-watchdogs.html
)";

std::vector<Finding> run_host_fault(const Context& context) {
  return host_findings(context);
}

}  // namespace

extern const Check kHostFault;
constinit const Check kHostFault{.code = "RV909",
                                 .id = "host-fault",
                                 .topic = "kernel_log",
                                 .title = "The kernel log tells of a fault of the host",
                                 .doc = kHostFaultDoc,
                                 .run = run_host_fault};

}  // namespace rocvet
