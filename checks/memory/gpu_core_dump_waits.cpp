#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"

namespace rocvet {
namespace {

constexpr std::string_view kGpuCoreDumpWaitsDoc = R"(
## What it looks for
A core dump of an AMD GPU in /sys/class/devcoredump.

## Why it matters
The driver makes one when it resets a GPU that hung, and drops it after five minutes: the hang was
just now, and the dump names the ring and the process.

## How to mend it
Save it before it goes, and attach it to a report.

## Not this
Dumps of other devices, such as network cards.

## References
- https://docs.kernel.org/gpu/amdgpu/debugging.html
)";

std::vector<Finding> run_gpu_core_dump_waits(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const Result<std::string> setting_of_dumps = setting(machine, "device core dumps");
  if (!setting_of_dumps && !setting_of_dumps.is_missing())
    return {unknown(setting_of_dumps.error())};
  const std::string dumps = setting_of_dumps.value_or("");
  for (const Gpu& gpu : machine.gpus) {
    if (!gpu.card_bdf || dumps.find(*gpu.card_bdf) == std::string::npos) continue;
    return warning("the driver has just written down a hang of the GPU")
        .about(gpu_label(gpu))
        .saw("/sys/class/devcoredump has a dump of " + *gpu.card_bdf)
        .fix({"sudo sh -c 'cat /sys/class/devcoredump/devcd*/data > gpu-core-dump.txt'"})
        .root();
  }
  return {pass("no core dump of a GPU waits")};
}

}  // namespace

extern const Check kGpuCoreDumpWaits;
constinit const Check kGpuCoreDumpWaits{.code = "RV1012",
                                        .id = "gpu-core-dump-waits",
                                        .topic = "memory",
                                        .title = "The driver has written down a hang of the GPU",
                                        .doc = kGpuCoreDumpWaitsDoc,
                                        .run = run_gpu_core_dump_waits};

}  // namespace rocvet
