#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/options.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
The taint flags for a machine check (M), an oops (D) and a soft lockup (L).

## Why it matters
After any of them locks may be held for ever and memory be wrong: a hang or an error of the GPU now
proves nothing until the machine was restarted.

## How to mend it
Read the log from where the fault begins, restart, and look again.

## Not this
Modules from outside the kernel tree (O, E, P), which every DKMS driver is, and warnings (W).

## References
- https://docs.kernel.org/admin-guide/tainted-kernels.html
)";

std::vector<Finding> run(const Context& context) {
  const auto taint = parse_number(sysctl(context.machine, "kernel.tainted"));
  if (!taint) return {skip("the kernel's taint flags are not known")};
  std::vector<std::string> seen;
  if (*taint & (1u << 4)) seen.push_back("M: a machine check was raised");
  if (*taint & (1u << 7)) seen.push_back("D: the kernel had an oops");
  if (*taint & (1u << 14)) seen.push_back("L: a processor was locked up");
  if (seen.empty()) return {pass("the kernel met no fault since it was booted")};
  return warning("the kernel has met a fault since it was booted")
      .saw(seen)
      .saw("kernel.tainted = " + std::to_string(*taint))
      .fix({"sudo dmesg | less", "sudo reboot"})
      .root()
      .reboot();
}

}  // namespace

extern const Check kKernelTaintedByFault;
constinit const Check kKernelTaintedByFault{
    .code = "RV1315",
    .id = "kernel-tainted-by-fault",
    .topic = "platform",
    .title = "The kernel has met a fault since it was booted",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet
