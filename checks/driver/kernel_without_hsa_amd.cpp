#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kKernelWithoutHsaAmdDoc = R"(
## What it looks for
CONFIG_HSA_AMD of the running kernel; failing that, amdgpu loaded with no /sys/class/kfd at all.

## Why it matters
amdgpu then drives screens only: there is no /dev/kfd. Self-built and appliance kernels often lack
it.

## How to mend it
Boot a kernel with CONFIG_HSA_AMD=y.

## Not this
A KFD that is there and offers no GPU: RV302. A container without /dev/kfd: RV101.

## References
- https://github.com/torvalds/linux/blob/master/drivers/gpu/drm/amd/amdkfd/Kconfig
- https://docs.kernel.org/gpu/amdgpu/index.html
)";

std::vector<Finding> run_kernel_without_hsa_amd(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (machine.surroundings.wsl) return {skip("WSL has no KFD")};
  const bool no_kfd = machine.kfd_nodes.is_missing();
  const bool without = built_without_kfd(machine.kernel);
  // Where neither /dev/kfd nor the kernel's configuration has it, a list of nodes is of elsewhere.
  if (machine.kfd_nodes && (machine.kfd.stat || !without)) return {pass("the kernel has KFD")};
  if (without)
    return failing("this kernel was built without CONFIG_HSA_AMD")
        .saw(machine.kernel.config_source + ": CONFIG_HSA_AMD is not set")
        .saw(no_kfd ? "/sys/class/kfd does not exist" : "")
        .sees("kernel-config-without-hsa-amd");
  if (machine.kernel.config) return {pass(machine.kernel.config_source + " has CONFIG_HSA_AMD")};
  if (!no_kfd) return {unknown(machine.kfd_nodes.error())};
  if (!machine.driver.amdgpu || machine.surroundings.environment == Environment::flatpak)
    return {none_here("amdgpu is not loaded")};
  return failing("amdgpu is loaded, but the kernel has no KFD")
      .saw("/sys/module/amdgpu exists, /sys/class/kfd does not")
      .sees("amdgpu-loaded-without-kfd-class");
}

}  // namespace

extern const Check kKernelWithoutHsaAmd;
constinit const Check kKernelWithoutHsaAmd{
    .code = "RV216",
    .id = "kernel-without-hsa-amd",
    .topic = "driver",
    .title = "The kernel was built without compute support for AMD GPUs",
    .doc = kKernelWithoutHsaAmdDoc,
    .run = run_kernel_without_hsa_amd};

}  // namespace rocvet
