#include <algorithm>

#include "checks/check.h"
#include "checks/common/container_remedy.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/node_access.h"

namespace rocvet {
namespace {

constexpr std::string_view kKfdMissingDoc = R"(
## What it looks for
The device node /dev/kfd, on a machine (or in a container) where an AMD GPU shows in /sys.

## Why it matters
Every HIP, OpenCL and ROCr program opens /dev/kfd. Without it there is no GPU for them.

## How to mend it
In a container: start it with `--device=/dev/kfd --device=/dev/dri`. On the host: amdgpu has to be
loaded, from a kernel with CONFIG_HSA_AMD.

## Not this
A node that exists and may not be opened: RV102. Under WSL there is no /dev/kfd by design.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/how-to/docker.html
- https://docs.kernel.org/gpu/amdgpu/index.html
)";

/// The running kernel's modules were read, amdgpu is not among them, and a GPU that was seen on the
/// bus has no driver.
bool kernel_has_no_amdgpu(const Machine& machine) {
  const Driver& driver = machine.driver;
  return driver.amdgpu.is_missing() && driver.loaded_modules && !driver.loaded_modules->empty() &&
         !driver.is_loaded("amdgpu") &&
         std::ranges::any_of(machine.gpus, [](const Gpu& gpu) { return gpu.driver.is_missing(); });
}

std::vector<Finding> run_kfd_missing(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (machine.kfd.stat) return {pass("/dev/kfd exists")};
  if (!machine.kfd.stat.is_missing()) return {unknown(machine.kfd.stat.error())};
  const Surroundings& around = machine.surroundings;
  if (around.wsl)
    return passing("there is no /dev/kfd, and WSL needs none").sees("kfd-absent-under-wsl");
  const bool kfd_in_sysfs = machine.kfd_nodes.has_value();
  const bool driver = machine.driver.amdgpu.has_value();
  if (is_sandbox(around.environment)) {
    return failing("/dev/kfd does not exist in the sandbox")
        .saw(around.evidence + ": a sandbox")
        .saw(kfd_in_sysfs ? "/sys/class/kfd shows the host's topology" : "")
        .sees("kfd-absent-in-sandbox")
        .fix(pass_devices(machine));
  }
  if (around.container) {
    // A container shares the host's kernel: where that has not loaded amdgpu there is nothing to
    // pass on.
    const bool none_to_pass = kernel_has_no_amdgpu(machine);
    Finding said =
        failing("/dev/kfd does not exist in the container")
            .saw(around.evidence + ": " + engine_name(machine))
            .saw(driver ? "/sys/module/amdgpu: the host's driver is loaded" : "")
            .saw(none_to_pass ? "the kernel has not loaded amdgpu" : "")
            .saw(kfd_in_sysfs ? "/sys/class/kfd shows the host's topology" : "")
            .sees(driver || kfd_in_sysfs ? ObservationName("kfd-absent-in-container")
                                         : ObservationName("kfd-and-driver-absent-in-container"));
    if (none_to_pass)
      said.seen.push_back("kernel-of-container-without-amdgpu");
    else
      said.remedy.steps = pass_devices(machine);
    return {said};
  }
  return failing("/dev/kfd does not exist")
      .saw(driver ? "amdgpu is loaded all the same" : "amdgpu is not loaded")
      .sees(!driver        ? ObservationName("kfd-and-driver-absent")
            : kfd_in_sysfs ? ObservationName("kfd-absent-beside-topology")
                           : ObservationName("kfd-absent-driver-loaded"));
}

}  // namespace

extern const Check kKfdMissing;
constinit const Check kKfdMissing{.code = "RV101",
                                  .id = "kfd-missing",
                                  .topic = "access",
                                  .title = "/dev/kfd does not exist",
                                  .doc = kKfdMissingDoc,
                                  .run = run_kfd_missing};

}  // namespace rocvet
