#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/siblings.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {
namespace {

constexpr std::string_view kCgroupMemoryLimitDoc = R"(
## What it looks for
The memory limit of the process's cgroup, with signs that something was killed for it.

## Why it matters
The kernel kills the largest process of the group when it reaches the limit. Loading a model counts
its pages, pinned buffers and on an APU the GPU's memory too.

## How to mend it
Raise the limit (`docker run --memory`, the pod's limit, MemoryMax of the service).

## Not this
The whole machine's memory: RV1013.

## References
- https://docs.kernel.org/admin-guide/cgroup-v2.html
)";

std::vector<Finding> run_cgroup_memory_limit(const Context& context) {
  const Result<std::string> text = setting(context.machine, "cgroup memory limit");
  if (!text) return {unread(text.error(), "the process's cgroup has no limit on memory")};
  const auto limit = parse_number(*text);
  if (!limit) return {skip("the process's cgroup has no limit on memory")};
  const auto& total = context.machine.memory.total_bytes;
  if (total && *limit >= *total) return {pass("the cgroup's limit is above the machine's memory")};
  bool killed = people_say(context, {"Killed", "signal 9"}) ||
                app_log_has(context, "exit code 137") || app_log_has(context, "OOMKilled");
  if (context.machine.kernel_log) {
    for (const KernelLine& line : context.machine.kernel_log->lines)
      killed |= line.text.find("Memory cgroup out of memory") != std::string::npos;
  }
  const std::string size = std::to_string(*limit >> 20) + " MiB";
  if (!killed) return {pass("the cgroup may use " + size)};
  return warning("a process was killed, and its cgroup may use only " + size)
      .saw("memory.max: " + size + (total ? " of " + std::to_string(*total >> 20) + " MiB" : ""))
      .fix({"raise the limit: docker run --memory=…, resources.limits.memory, MemoryMax="});
}

}  // namespace

extern const Check kCgroupMemoryLimit;
constinit const Check kCgroupMemoryLimit{
    .code = "RV708",
    .id = "cgroup-memory-limit",
    .topic = "container",
    .title = "The container may use less memory than the job needs",
    .doc = kCgroupMemoryLimitDoc,
    .run = run_cgroup_memory_limit};

}  // namespace rocvet
