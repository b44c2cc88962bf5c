#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/limits.h"

namespace rocvet {
namespace {

constexpr std::string_view kProcessLimitDoc = R"(
## What it looks for
How many processes and threads this user may have (ulimit -u).

## Why it matters
The limit counts every thread of the user on the whole machine. ROCr starts threads of its own, and
frameworks start one for each core: "Resource temporarily unavailable", or a runtime that does not start.

## How to mend it
`ulimit -u unlimited`, or the line of /etc/security/limits.d that sets nproc.

## Not this
A container's own limit (pids.max): the kernel log tells of it.

## References
- https://man7.org/linux/man-pages/man2/getrlimit.2.html
- https://man7.org/linux/man-pages/man5/limits.conf.5.html
)";

// A desktop session alone has hundreds of threads, and a framework as many as there are cores.
constexpr std::uint64_t kFew = 256;

std::vector<Finding> run_process_limit(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto limit = soft_limit(machine, "nproc", "limit of processes");
  if (!limit) return {unknown(limit.error())};
  const std::uint64_t soft = *limit;
  if (soft >= kFew) return {pass("this user may have enough processes")};
  return warning("this user may have no more than " + std::to_string(soft) +
                 " processes and threads")
      .saw("ulimit -u: " + std::to_string(soft))
      .fix({"echo '* - nproc unlimited' | sudo tee /etc/security/limits.d/99-rocm-processes.conf",
            "grep -rn nproc /etc/security/limits.conf /etc/security/limits.d"})
      .verify("ulimit -u")
      .root()
      .login();
}

}  // namespace

extern const Check kProcessLimit;
constinit const Check kProcessLimit{.code = "RV723",
                                    .id = "process-limit",
                                    .topic = "container",
                                    .title = "The user may have too few processes",
                                    .doc = kProcessLimitDoc,
                                    .run = run_process_limit};

}  // namespace rocvet
