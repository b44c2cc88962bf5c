#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kGpuWithoutDriverDoc = R"(
## What it looks for
The driver link of each AMD GPU, and whether amdgpu is loaded.

## Why it matters
Without amdgpu there is no /dev/kfd node, no render node and no compute.

## How to mend it
`sudo modprobe amdgpu` and what it prints: a missing module, a refused signature, a blacklist.
Then mend that.

## Not this
A GPU that another driver holds: RV203.

## References
- https://docs.kernel.org/gpu/amdgpu/index.html
- https://man7.org/linux/man-pages/man8/modprobe.8.html
)";

std::vector<Finding> run_gpu_without_driver(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (machine.surroundings.wsl) return {skip("under WSL the driver is Windows'")};
  std::vector<Finding> findings;
  const Driver& driver = machine.driver;
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.driver || !gpu.driver.is_missing() || gpu.kfd_node) continue;
    // A DRM device is made by a driver, whatever else was captured of it.
    if (gpu.card_minor || gpu.render_minor || !gpu.bdf) continue;
    Say finding = failing("no driver is bound to " + gpu_name(gpu)).about(gpu_label(gpu));
    if (driver.amdgpu.is_missing()) {
      const bool no_module = driver.module_files && driver.module_files->empty();
      findings.push_back(std::move(finding)
                             .saw("amdgpu is not loaded")
                             .saw(no_module ? "there is no amdgpu.ko for kernel " +
                                                  machine.kernel.release.value_or("?")
                                            : "")
                             .sees("gpu-unbound-and-amdgpu-not-loaded")
                             .fix({"sudo modprobe amdgpu"})
                             .root());
    } else {
      findings.push_back(
          std::move(finding)
              .saw(driver.amdgpu ? "amdgpu is loaded, but gave this GPU up or never tried it" : "")
              .fix({"sudo dmesg | grep -i amdgpu"})
              .root());
      if (driver.amdgpu) findings.back().seen.push_back("gpu-unbound-though-amdgpu-is-loaded");
    }
  }
  return or_pass(std::move(findings), "every GPU has a driver");
}

}  // namespace

extern const Check kGpuWithoutDriver;
constinit const Check kGpuWithoutDriver{.code = "RV201",
                                        .id = "gpu-without-driver",
                                        .topic = "driver",
                                        .title = "No kernel driver is bound to the GPU",
                                        .doc = kGpuWithoutDriverDoc,
                                        .run = run_gpu_without_driver};

}  // namespace rocvet
