#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/limits.h"
#include "checks/facts/situation.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kOpenFileLimitDoc = R"(
## What it looks for
The soft RLIMIT_NOFILE of the process, and whether the installed ROCm keeps a descriptor for each
allocation.

## Why it matters
Virtual memory allocations then fail as "out of memory" while the GPU's memory is free.

## How to mend it
`ulimit -n 65536`; services: LimitNOFILE=65536.

## Not this
Memory that is really used up.

## References
- https://man7.org/linux/man-pages/man2/getrlimit.2.html
- https://github.com/ROCm/legacy-rocm-build/issues/6661
)";

/// HIP opens its nodes, its libraries and pipes of its own before it does anything: some forty.
constexpr std::uint64_t kLeast = 48;

std::vector<Finding> run_open_file_limit(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto limit = soft_limit(machine, "nofile", "limit of open files");
  if (!limit) return {unknown(limit.error())};
  const std::uint64_t soft = *limit;
  if (soft > 4096) return {pass(std::to_string(soft) + " files may be open")};
  const bool virtual_memory =
      app_log_has(context, "hipMemCreate") || app_log_has(context, "Too many open files");
  bool room = false;
  for (const Gpu& gpu : machine.gpus)
    room |= gpu.vram_bytes && gpu.vram_used_bytes && *gpu.vram_used_bytes < *gpu.vram_bytes / 2;
  const bool complaint = virtual_memory && (room || app_log_has(context, "Too many open files"));
  const bool none_left = soft < kLeast;
  const std::string few = "at most " + std::to_string(soft) + " files may be open";
  return (complaint   ? failing("the limit of open files is used up by GPU allocations")
          : none_left ? failing(few + ": no ROCm program starts")
                      : passing(few))
      .saw("RLIMIT_NOFILE: " + std::to_string(soft))
      .saw(complaint && room ? "the GPU's memory is mostly free" : "")
      .sees(none_left ? ObservationName("too-few-files-for-rocm")
                      : ObservationName("few-files-may-be-open"))
      .fix({"ulimit -n 65536   # service: LimitNOFILE=65536"});
}

}  // namespace

extern const Check kOpenFileLimit;
constinit const Check kOpenFileLimit{.code = "RV706",
                                     .id = "open-file-limit",
                                     .topic = "container",
                                     .title = "Few files may be open at once",
                                     .doc = kOpenFileLimitDoc,
                                     .run = run_open_file_limit};

}  // namespace rocvet
