#include <algorithm>

#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {
namespace {

constexpr std::string_view kRamSmallerThanGpuMemoryDoc = R"(
## What it looks for
The machine's memory against the largest GPU's, together with signs that processes were killed for
want of it.

## Why it matters
Loaders that build a model in memory before they copy it need as much of it as the model is large;
the kernel then kills them while the GPU still has room.

## How to mend it
Load with memory mapping (safetensors, GGUF with mmap) or in parts (`low_cpu_mem_usage=True`), add
swap or memory.

## Not this
Memory of the GPU that is full: the application then says HIP out of memory.

## References
- https://docs.kernel.org/admin-guide/mm/concepts.html
)";

std::vector<Finding> run_ram_smaller_than_gpu_memory(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!machine.memory.total_bytes) return {unknown(machine.memory.total_bytes.error())};
  std::uint64_t largest = 0;
  Judged judged;
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.kind != GpuKind::dgpu) continue;
    if (judged.has(gpu.vram_bytes))
      largest = std::max<std::uint64_t>(largest, gpu.vram_bytes.value_or(0u));
  }
  if (largest == 0)
    return judged.rest({}, "no GPU here has memory of its own",
                       "no GPU here has memory of its own");
  if (*machine.memory.total_bytes >= largest)
    return {pass("the machine has more memory than its GPU")};
  const bool killed = has_event(context, "oom-kill") || app_log_has(context, "exit code 137") ||
                      app_log_has(context, "Cannot allocate memory") ||
                      people_say(context, {"Killed", "signal 9"});
  const std::string sizes = "memory " + std::to_string(*machine.memory.total_bytes >> 30) +
                            " GiB, GPU " + std::to_string(largest >> 30) + " GiB";
  if (!killed) return {pass("the machine has less memory than its GPU (" + sizes + ")")};
  return warning("processes were killed for want of memory, of which the GPU has more")
      .saw(sizes)
      .fix({"load models with memory mapping, or add swap"});
}

}  // namespace

extern const Check kRamSmallerThanGpuMemory;
constinit const Check kRamSmallerThanGpuMemory{.code = "RV1013",
                                               .id = "ram-smaller-than-gpu-memory",
                                               .topic = "memory",
                                               .title = "The machine has less memory than its GPU",
                                               .doc = kRamSmallerThanGpuMemoryDoc,
                                               .run = run_ram_smaller_than_gpu_memory};

}  // namespace rocvet
