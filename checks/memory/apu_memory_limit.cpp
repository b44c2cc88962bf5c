#include <algorithm>

#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"
#include "checks/facts/ttm.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr std::string_view kApuMemoryLimitDoc = R"(
## What it looks for
An APU's carve-out (VRAM) and GTT limit against the machine's memory, and whether the limit was
raised; where memory ran out, whether the carve-out leaves less than the GTT promises.

## Why it matters
Half of RAM is the default of TTM. Models and tensors beyond carve-out and GTT fail with "out of
memory" though RAM is free.

## How to mend it
`options ttm pages_limit=… page_pool_size=…` in modprobe.d (4 KiB pages; amdttm for the DKMS
driver), rebuild the initial RAM disk, reboot; or a larger UMA frame buffer in the BIOS.

## Not this
A kernel that shows a part of the carve-out only: RV217.

## References
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
- https://rocm.docs.amd.com/en/latest/how-to/system-optimization/index.html
)";

std::vector<Finding> run_apu_memory_limit(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  Judged judged;
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.kind != GpuKind::apu ||
        !judged.has(gpu.gtt_bytes, gpu.vram_bytes, machine.memory.total_bytes))
      continue;
    const double total = static_cast<double>(*machine.memory.total_bytes);
    double share = static_cast<double>(*gpu.gtt_bytes) / total;
    // A GTT that was raised alone is an address range: KFD offers what TTM hands out.
    if (const auto pages = ttm_pages_limit(machine).value_or(0)) {
      share = std::min(share, static_cast<double>(pages) * 4096 / total);
    } else if (const double offered = static_cast<double>(kfd_pool(gpu)) / total;
               share > 0.6 && offered > 0.4 && offered < 0.55) {
      share = offered;
    }
    const bool small = *gpu.vram_bytes < (std::uint64_t{8} << 30);
    const bool spent =
        app_log_has(context, "out of memory") || app_log_has(context, "alloc failed");
    const std::string amounts = "carve-out " + std::to_string(*gpu.vram_bytes >> 20) +
                                " MiB, GTT " + std::to_string(*gpu.gtt_bytes >> 20) +
                                " MiB, memory " +
                                std::to_string(*machine.memory.total_bytes >> 20) + " MiB";
    // What the carve-out takes is no system memory any more, whatever the GTT promises.
    if (share > 1 && !small && spent)
      return failing("the carve-out leaves less memory than the GTT promises")
          .about(gpu_label(gpu))
          .saw(amounts)
          .fix({"BIOS: the UMA frame buffer to its least (512 MiB to 2 GiB), so that the GTT has "
                "the memory"})
          .reboot();
    if (share > 0.6 || !small)
      return {pass("the APU may use " + std::to_string(*gpu.gtt_bytes >> 30) + " GiB of GTT")};
    const bool stated =
        app_log_has(context, "out of memory") || app_log_has(context, "failed to allocate") ||
        app_log_has(context, "unable to allocate") || said(context, "apu-gtt-limit") >= 0.3;
    const std::uint64_t pages = *machine.memory.total_bytes / 4096 * 9 / 10;
    const std::string module = machine.driver.origin == DriverOrigin::dkms ? "amdttm" : "ttm";
    return Say(stated ? Verdict::fail : Verdict::pass,
               stated ? "the job does not fit into what the APU may use"
                      : "the APU may use " + std::to_string(*gpu.gtt_bytes >> 30) +
                            " GiB of GTT, about half of the memory")
        .about(gpu_label(gpu))
        .saw(amounts)
        .sees("apu-has-a-small-share-of-the-memory")
        .fix({Step("echo {} | sudo tee /etc/modprobe.d/ttm.conf",
                   "options " + module + " pages_limit=" + std::to_string(pages) +
                       " page_pool_size=" + std::to_string(pages)),
              initramfs_command(machine), "sudo reboot"})
        .undo("sudo rm /etc/modprobe.d/ttm.conf")
        .root()
        .reboot();
  }
  return judged.rest({}, "", "there is no APU here whose memory the driver tells");
}

}  // namespace

extern const Check kApuMemoryLimit;
constinit const Check kApuMemoryLimit{.code = "RV1001",
                                      .id = "apu-memory-limit",
                                      .topic = "memory",
                                      .title = "The APU may use only a part of the memory",
                                      .doc = kApuMemoryLimitDoc,
                                      .run = run_apu_memory_limit};

}  // namespace rocvet
