#include <algorithm>
#include <optional>
#include <string>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/packages.h"
#include "checks/facts/ttm.h"

namespace rocvet {
namespace {

constexpr std::string_view kGttAboveTtmLimitDoc = R"(
## What it looks for
The GTT size of an APU against pages_limit of the TTM that is in use (ttm, of AMD's DKMS driver
amdttm) and against the memory that KFD offers; a limit that is set for the other of the two.

## Why it matters
The GTT (amdgpu.gttsize) is only an address range. What may be in it is limited by TTM: allocations
above pages_limit fail though the GTT shows room, and KFD offers compute programs no more. An
option of the module that is not in use does nothing.

## How to mend it
Set pages_limit (pages of 4 KiB) of the module that is in use to the size that is wanted, rather
than amdgpu.gttsize, which newer kernels call deprecated.

## Not this
A GTT that is too small: RV1001.

## References
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
- https://github.com/torvalds/linux/blob/master/drivers/gpu/drm/ttm/ttm_tt.c
)";

/// Where a limit is set for a module: the command line, a line of modprobe.d; "" nowhere.
std::string limit_set_for(const Machine& machine, const std::string& module) {
  if (has_argument(machine, module + ".pages_limit"))
    return "/proc/cmdline: " + module + ".pages_limit";
  for (const ModprobeLine& line : machine.driver.modprobe) {
    if (line.command == "options" && line.module == module && !line.shadowed &&
        line.argument.find("pages_limit=") != line.argument.npos)
      return line.file + ": " + line.text;
  }
  return "";
}

/// A limit that was set for the module that is not in use, and for that one alone.
std::optional<Finding> set_for_another(const Machine& machine) {
  const std::string used = ttm_in_use(machine);
  if (used.empty() || !limit_set_for(machine, used).empty()) return std::nullopt;
  const std::string other = used == "ttm" ? "amdttm" : "ttm";
  const std::string where = limit_set_for(machine, other);
  if (where.empty()) return std::nullopt;
  return warning("the memory limit is set for " + other + ", and amdgpu uses " + used)
      .saw(where)
      .saw(used == "amdttm" ? "AMD's DKMS driver brings its own TTM, amdttm"
                            : "the kernel's own driver uses ttm")
      .sees("memory-limit-of-another-module")
      .fix({Step("the same line for {} instead", used), initramfs_command(machine), "sudo reboot"})
      .root()
      .reboot();
}

std::vector<Finding> run_gtt_above_ttm_limit(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const bool apu =
      std::ranges::any_of(machine.gpus, [](const Gpu& gpu) { return gpu.kind == GpuKind::apu; });
  if (!apu) return {none_here("there is no APU here", Absence::gpu)};
  std::vector<Finding> findings;
  if (auto other = set_for_another(machine)) findings.push_back(std::move(*other));
  const auto pages = ttm_pages_limit(machine);
  bool compared = false;
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.kind != GpuKind::apu || !gpu.gtt_bytes) continue;
    const std::string wanted = (ttm_in_use(machine) == "amdttm" ? "amdttm" : "ttm") +
                               (".pages_limit=" + std::to_string(*gpu.gtt_bytes / 4096));
    const unsigned long long limit = pages ? *pages * 4096 : 0;
    const std::uint64_t pool = kfd_pool(gpu);
    compared |= limit != 0 || pool != 0;
    const bool above_limit = limit != 0 && *gpu.gtt_bytes > limit + limit / 50;
    // By default both are half of the memory; a GTT that was raised and a pool that was not tell
    // the same of a limit that nobody could read.
    const bool above_pool = limit == 0 && machine.memory.total_bytes && pool != 0 &&
                            *gpu.gtt_bytes > *machine.memory.total_bytes / 10 * 6 &&
                            pool < *machine.memory.total_bytes / 20 * 11;
    if (!above_limit && !above_pool) continue;
    findings.push_back(
        warning("the GTT is larger than the kernel will hand out")
            .about(gpu_label(gpu))
            .saw("GTT " + std::to_string(*gpu.gtt_bytes >> 20) + " MiB" +
                 (limit != 0 ? ", pages_limit " + std::to_string(limit >> 20) + " MiB" : "") +
                 (pool != 0 ? ", KFD offers " + std::to_string(pool >> 20) + " MiB" : ""))
            .sees("gtt-raised-above-what-is-handed-out")
            .fix(add_kernel_parameter(machine, wanted))
            .root()
            .reboot());
  }
  if (findings.empty() && !compared)
    return {none_here("nothing here limits the GTT: ttm is not loaded, or has no pages_limit")};
  return or_pass(std::move(findings), "the GTT is within what TTM hands out");
}

}  // namespace

extern const Check kGttAboveTtmLimit;
constinit const Check kGttAboveTtmLimit{.code = "RV1015",
                                        .id = "gtt-above-ttm-limit",
                                        .topic = "memory",
                                        .title = "The GTT is larger than the kernel will hand out",
                                        .doc = kGttAboveTtmLimitDoc,
                                        .run = run_gtt_above_ttm_limit};

}  // namespace rocvet
