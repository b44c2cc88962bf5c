#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr std::string_view kRuntimeSuspendErrorDoc = R"(
## What it looks for
power/runtime_status: "error"; a suspended GPU whose files do not answer; sensors that give
EINVAL. What rocm-smi calls a low-power state is none.

## Why it matters
A discrete GPU that is not in use is switched off (BACO, BOCO). One that does not come back gives
no telemetry and locks up programs.

## How to mend it
`echo on | sudo tee /sys/class/drm/card*/device/power/control`; for good: amdgpu.runpm=0 on the
kernel command line.

## Not this
A GPU that sleeps and wakes as it should.

## References
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
- https://docs.kernel.org/power/runtime_pm.html
)";

std::vector<Finding> run_runtime_suspend_error(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  // rocm-smi says itself that a GPU sleeps: then its sensors are empty, and nothing is wrong.
  const bool said_to_sleep = app_log_has(context, "in a low-power state");
  for (const Gpu& gpu : machine.gpus) {
    if (!judged.has(gpu.runtime_status)) continue;
    const std::size_t silent = gpu.sensors.silent.size();
    const bool automatic = gpu.runtime_control && *gpu.runtime_control == "auto";
    const bool stated = app_log_has(context, "soft lockup") ||
                        (!said_to_sleep && said(context, "runtime-pm-resume-failure") >= 0.3);
    const bool error = *gpu.runtime_status == "error";
    const bool suspect = automatic && *gpu.runtime_status == "suspended" && stated;
    if (!error && !suspect && !(silent >= 2 && automatic)) continue;
    findings.push_back(failing("the GPU does not come back from runtime suspend")
                           .about(gpu_label(gpu))
                           .saw("runtime_status: " + *gpu.runtime_status +
                                ", control: " + gpu.runtime_control.value_or("?"))
                           .saw(silent > 0 ? std::to_string(silent) + " sensors do not answer" : "")
                           .fix(add_kernel_parameter(machine, "amdgpu.runpm=0"))
                           .verify("cat /sys/class/drm/card*/device/power/runtime_status")
                           .root()
                           .reboot());
    std::vector<ObservationName>& seen = findings.back().seen;
    if (error) seen.push_back("runtime-status-error");
    if (silent >= 2 && automatic) seen.push_back("sensors-silent-under-runtime-pm");
    if (automatic) seen.push_back("runtime-pm-automatic");
  }
  if (findings.empty()) {
    for (const Gpu& gpu : machine.gpus) {
      if (gpu.kind == GpuKind::apu || !gpu.runtime_control || *gpu.runtime_control != "auto")
        continue;
      Finding asleep = passing("the GPU may be suspended while idle")
                           .about(gpu_label(gpu))
                           .saw("power/control: auto")
                           .sees("runtime-pm-automatic")
                           .fix(add_kernel_parameter(machine, "amdgpu.runpm=0"))
                           .root()
                           .reboot();
      if (said_to_sleep && gpu.runtime_status && *gpu.runtime_status == "suspended")
        asleep.seen.push_back("tool-says-that-the-gpu-sleeps");
      return {asleep};
    }
  }
  return judged.rest(
      std::move(findings),
      "runtime power management of " + counted(judged.number(), "GPU", "GPUs") + " has not failed",
      "the kernel has no runtime power management for a GPU here");
}

}  // namespace

extern const Check kRuntimeSuspendError;
constinit const Check kRuntimeSuspendError{.code = "RV1205",
                                           .id = "runtime-suspend-error",
                                           .topic = "power",
                                           .title = "Runtime power management failed for the GPU",
                                           .doc = kRuntimeSuspendErrorDoc,
                                           .run = run_runtime_suspend_error};

}  // namespace rocvet
