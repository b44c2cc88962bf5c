#include <algorithm>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kNoAmdGpuDoc = R"(
## What it looks for
PCI display and accelerator devices of vendor 1002, and GPU nodes of KFD. Under WSL it does not
apply: the GPU is reached through /dev/dxg, and no file tells which it is. A fault
where the machine was made ready for one (AMD's driver or ROCm is installed), else a warning; so too
where the log is of a build alone.

## Why it matters
Without an AMD GPU nothing of ROCm can run. Every other check about GPUs is skipped then, so that
this one cause stands alone.

## How to mend it
Check that the card is seated and powered and that the BIOS lists it: `lspci -nn | grep -i -E
'vga|display|accelerator'`.
In a virtual machine the GPU has to be passed through; in a container look on the host.

## Not this
A GPU that is there but has no driver (RV201) or is not offered by KFD (RV302). WSL without
/dev/dxg: RV713.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/reference/system-requirements.html
- https://man7.org/linux/man-pages/man8/lspci.8.html
)";

/// Whether somebody prepared this machine for an AMD GPU: a driver for it is loaded or installed,
/// or ROCm is (which a cluster has on its login nodes too), and no GPU of another maker computes
/// here.
bool is_meant_to_have_one(const Context& context) {
  const Machine& machine = context.machine;
  const auto other = [](const auto& gpu) { return gpu.vendor_id && *gpu.vendor_id == "10de"; };
  if (std::ranges::any_of(machine.other_gpus, other)) return false;
  if (find_package(machine, "amdgpu-dkms") != nullptr || machine.driver.amdgpu) return true;
  const bool of_cluster = !variable_or_empty(machine, "SLURM_JOB_ID").empty();
  // Programs are built where no GPU is, too.
  constexpr std::string_view kBuilds[] = {"CMake Warning", "CMake Error", "-- Configuring"};
  const bool builds = app_log_has_one(context, kBuilds);
  return !machine.software.rocm.empty() && !of_cluster && !builds;
}

std::vector<Finding> run_no_amd_gpu(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.gpus.empty())
    return {pass(std::to_string(machine.gpus.size()) + " AMD GPU" +
                 (machine.gpus.size() == 1 ? "" : "s") + ", " + gpu_name(machine.gpus.front()) +
                 (machine.gpus.size() == 1 ? "" : " …"))};
  // No PCI device either way; that /dev/dxg is missing is RV713's to say.
  if (machine.surroundings.wsl)
    return {skip(machine.dxg.stat ? "under WSL the GPU is reached through /dev/dxg; no file tells "
                                    "which it is"
                                  : "under WSL no GPU is a PCI device")};
  if (!machine.gpus_readable) return {unknown(machine.gpus_readable.error())};
  return (is_meant_to_have_one(context) ? failing("there is no AMD GPU in this machine")
                                        : warning("there is no AMD GPU in this machine"))
      .saw("no PCI device of vendor 1002 with class 03 or 12, and no GPU node of KFD")
      .fix({"lspci -nn | grep -i -E 'vga|display|accelerator'"})
      .verify("rocvet check --only no-amd-gpu");
}

}  // namespace

extern const Check kNoAmdGpu;
constinit const Check kNoAmdGpu{.code = "RV301",
                                .id = "no-amd-gpu",
                                .topic = "detection",
                                .title = "There is no AMD GPU in this machine",
                                .doc = kNoAmdGpuDoc,
                                .run = run_no_amd_gpu,
                                .decisive = true};

}  // namespace rocvet
