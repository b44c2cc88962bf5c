#include <algorithm>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/packages.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kMemoryEncryptionOnDoc = R"(
## What it looks for
mem_encrypt=on (or a kernel that encrypts by default) together with a Raven or Picasso APU, or with
an IOMMU that does not translate for a GPU whose DMA mask is shorter than the encryption bit.

## Why it matters
The encryption bit is an address bit (47 or 51). Raven's driver gives up at once. Other GPUs reach
encrypted memory through the IOMMU's translation; without it every transfer is copied through bounce
buffers.

## How to mend it
mem_encrypt=off, or let the IOMMU translate (drop iommu=pt).

## Not this
Transparent encryption (TSME) of the BIOS: it needs no address bit.

## References
- https://docs.kernel.org/arch/x86/amd-memory-encryption.html
- https://github.com/torvalds/linux/blob/master/drivers/gpu/drm/amd/amdgpu/amdgpu_drv.c
)";

std::vector<Finding> run_memory_encryption_on(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!machine.kernel.command_line) return {unknown(machine.kernel.command_line.error())};
  bool on = has_argument(machine, "mem_encrypt", "on");
  if (machine.kernel.config && !has_argument(machine, "mem_encrypt")) {
    const auto option = machine.kernel.config->find("AMD_MEM_ENCRYPT_ACTIVE_BY_DEFAULT");
    on |= option != machine.kernel.config->end() && option->second == "y";
  }
  if (!on) return {pass("the kernel does not encrypt memory")};
  if (machine.cpu.flags &&
      std::count(machine.cpu.flags->begin(), machine.cpu.flags->end(), "sme") == 0)
    return {pass("the processor cannot encrypt memory")};
  if (machine.surroundings.virtual_machine.value_or(false))
    return {skip("an encrypted guest is the hypervisor's matter")};
  std::vector<Finding> findings;
  for (const Gpu& gpu : machine.gpus) {
    const bool raven = gpu.gfx && (*gpu.gfx == "gfx902" || *gpu.gfx == "gfx909");
    const Result<std::uint64_t>& mask = gpu.pci.dma_mask_bits;
    const bool bounces = machine.iommu.passthrough_asked.value_or(false) && mask && *mask < 48;
    if (!raven && !bounces) continue;
    findings.push_back((raven ? failing("the driver refuses this APU while memory is encrypted")
                              : warning("the GPU reaches encrypted memory only by copies"))
                           .about(gpu_label(gpu))
                           .saw("mem_encrypt is on" +
                                (mask ? ", DMA mask " + std::to_string(*mask) + " bits" : ""))
                           .fix(add_kernel_parameter(machine, "mem_encrypt=off"))
                           .root()
                           .reboot());
  }
  return or_pass(std::move(findings), "memory is encrypted, and the IOMMU translates for the GPU");
}

}  // namespace

extern const Check kMemoryEncryptionOn;
constinit const Check kMemoryEncryptionOn{
    .code = "RV1310",
    .id = "memory-encryption-on",
    .topic = "platform",
    .title = "Memory encryption is on and the GPU cannot address it",
    .doc = kMemoryEncryptionOnDoc,
    .run = run_memory_encryption_on};

}  // namespace rocvet
