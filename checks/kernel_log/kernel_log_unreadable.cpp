#include "checks/check.h"
#include "checks/common/say.h"

namespace rocvet {
namespace {

constexpr std::string_view kKernelLogUnreadableDoc = R"(
## What it looks for
Whether the messages of this boot are readable: dmesg, the journal, or a captured log.

## Why it matters
Many causes stand in one line of the kernel log and nowhere else. Without it the other checks of
this topic are skipped.

## How to mend it
Run rocvet as root, or allow reading: `sudo sysctl kernel.dmesg_restrict=0`; or give a file: `sudo
dmesg > dmesg.txt`.

## Not this
A log that was read and has nothing to say.

## References
- https://docs.kernel.org/admin-guide/sysctl/kernel.html#dmesg-restrict
- https://man7.org/linux/man-pages/man1/dmesg.1.html
)";

std::vector<Finding> run_kernel_log_unreadable(const Context& context) {
  const auto& log = context.machine.kernel_log;
  if (!log) return {unknown(log.error())};
  return {pass("the kernel log was read: " + std::to_string(log->lines.size()) + " lines")};
}

}  // namespace

extern const Check kKernelLogUnreadable;
constinit const Check kKernelLogUnreadable{.code = "RV901",
                                           .id = "kernel-log-unreadable",
                                           .topic = "kernel_log",
                                           .title = "The kernel log could not be read",
                                           .doc = kKernelLogUnreadableDoc,
                                           .run = run_kernel_log_unreadable};

}  // namespace rocvet
