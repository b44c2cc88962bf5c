#include <algorithm>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/driver/driver_packages.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"
#include "checks/facts/situation.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {
namespace {

constexpr std::string_view kKernelTooOldDoc = R"(
## What it looks for
The running kernel against the first one that supports the GPU (or has a fix it needs), in the
compatibility database; and what the driver reports that only an older kernel reports.

## Why it matters
An old driver skips the GPU, fails at its initialisation, or shows a part of its memory only.

## How to mend it
A newer kernel (HWE, OEM, mainline), or the amdgpu-dkms that supports the GPU.

## Not this
A GPU too old for ROCm: RV305.

## References
- https://docs.kernel.org/gpu/amdgpu/amd-hardware-list-info.html
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/reference/system-requirements.html
)";

/// KFD's pool for the GPU against the memory that amdgpu has: on APUs old kernels gave KFD a part.
std::string memory_gap(const Machine& machine) {
  for (const Gpu& gpu : machine.gpus) {
    if (!gpu.vram_bytes || !gpu.kfd_node || gpu.kind != GpuKind::apu) continue;
    const std::uint64_t pool = kfd_pool(gpu);
    // The bank of an APU is system memory that the GPU may use: with a carve-out larger than that,
    // the greater part of the memory is out of reach.
    if (pool != 0 && *gpu.vram_bytes > 2 * pool)
      return "amdgpu has " + std::to_string(*gpu.vram_bytes >> 30) + " GiB of VRAM, KFD offers " +
             std::to_string(pool >> 30) + " GiB";
  }
  return "";
}

/// What KFD says when it leaves a GPU out that it does not know.
const LogEvent* refusal_of(const Context& context, const Gpu& gpu) {
  constexpr std::string_view kRefusals[] = {"asic-not-in-kfd",      "kfd-not-supported-on-asic",
                                            "gc-ip-not-in-kfd",     "did-missing",
                                            "kfd-device-not-added", "kgd2kfd-probe-failed"};
  for (const LogEvent& event : kernel_events(context)) {
    if (std::ranges::find(kRefusals, event.message->id) == std::end(kRefusals)) continue;
    if (event.bdf.empty() || !gpu.bdf || event.bdf == *gpu.bdf) return &event;
  }
  return nullptr;
}

/// GPUs that amdgpu drives and KFD leaves out, and that this kernel's KFD is too old for.
std::vector<Finding> unknown_to_kfd(const Context& context) {
  std::vector<Finding> findings;
  const Machine& machine = context.machine;
  const bool none_computes = kfd_gpus(machine).empty();
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.kfd_node || (gpu.driver && *gpu.driver != "amdgpu")) continue;
    if (!none_computes && gpu.kind == GpuKind::apu) continue;
    const LogEvent* refusal = refusal_of(context, gpu);
    if (refusal == nullptr) continue;
    for (const KnownIssue& issue :
         issues_about(context, "kernel-min", situation_of(context, gpu))) {
      if (!issue.id.ends_with("-driver")) continue;
      findings.push_back(failing("kernel " + *machine.kernel.release + " is too old for this GPU")
                             .about(gpu_label(gpu))
                             .saw(issue.because + " (" + issue.source + ")")
                             .saw(refusal->line)
                             .sees("kfd-older-than-its-gpu")
                             .fix({Step::of_database(issue.remedy)})
                             .root()
                             .reboot());
      break;
    }
  }
  return findings;
}

std::vector<Finding> run_kernel_too_old(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (machine.surroundings.wsl) return {skip("under WSL the driver is Windows' matter")};
  if (!machine.kernel.release) return {unknown(machine.kernel.release.error())};
  const std::string gap = memory_gap(machine);
  // Without KFD's folder amdgpu is not at work at all: then it has to be here for its age to
  // matter.
  const bool module_here = machine.driver.module_files && !machine.driver.module_files->empty();
  const bool nothing_works =
      kfd_gpus(machine).empty() &&
      (machine.kfd_nodes.has_value() || (machine.kfd_nodes.is_missing() && module_here));
  // The DKMS driver is newer than the kernel it is built for.
  if (machine.driver.origin == DriverOrigin::dkms || !dkms_driver_version(machine).empty())
    return {skip("the DKMS driver counts, not the kernel's")};
  if (auto unknown = unknown_to_kfd(context); !unknown.empty() && machine.kfd_nodes) return unknown;
  bool driver_bound = false, other_reason = false;
  for (const Gpu& gpu : machine.gpus) driver_bound |= gpu.driver.has_value();
  for (const LogEvent& event : kernel_events(context))
    other_reason |= event.message->topic == "firmware" ||
                    event.message->id == "pcie-atomics-rejected" ||
                    event.message->id == "asic-not-in-kfd";
  std::vector<Finding> findings;
  for (const KnownIssue& issue : issues_about(context, "kernel-min")) {
    // A driver that is bound knows the GPU: that KFD leaves it out has another reason then.
    const bool unknown_to_it = nothing_works && !driver_bound && !other_reason;
    const bool at_work = unknown_to_it || !gap.empty() || (shows(context, issue) && issue.certain);
    ObservationName seen = "kernel-older-than-advised";
    if (!gap.empty()) {
      seen = "kfd-offers-part-of-the-carve-out";
    } else if (unknown_to_it) {
      seen = "kernel-older-than-its-unbound-gpu";
    } else if (at_work) {
      seen = "defect-of-old-kernel-shown";
    }
    findings.push_back(
        (at_work ? failing("kernel " + *machine.kernel.release + " is too old for this GPU")
                 : passing("a newer kernel is advised for this GPU"))
            .about(issue.id)
            .saw(issue.because + " (" + issue.source + ")")
            .saw(gap)
            .sees(seen)
            .fix({Step::of_database(issue.remedy)})
            .root()
            .reboot());
  }
  if (findings.empty() && !gap.empty())
    return failing(
               "KFD offers only a part of the APU's memory: the kernel is too old for this "
               "carve-out")
        .saw(gap)
        .sees("kfd-offers-part-of-the-carve-out")
        .root()
        .reboot();
  return or_pass(std::move(findings),
                 "the kernel is new enough for this GPU, as far as is published");
}

}  // namespace

extern const Check kKernelTooOld;
constinit const Check kKernelTooOld{.code = "RV217",
                                    .id = "kernel-too-old",
                                    .topic = "driver",
                                    .title = "The kernel is too old for this GPU",
                                    .doc = kKernelTooOldDoc,
                                    .run = run_kernel_too_old};

}  // namespace rocvet
