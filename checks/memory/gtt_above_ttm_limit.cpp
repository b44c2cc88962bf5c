#include <algorithm>
#include <optional>
#include <string>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
The GTT size of an APU against ttm.pages_limit.

## Why it matters
The GTT (amdgpu.gttsize) is only an address range. What may be in it is limited by TTM: allocations
above ttm.pages_limit fail though the GTT shows room.

## How to mend it
Set ttm.pages_limit (pages of 4 KiB) to the size that is wanted, rather than amdgpu.gttsize, which
newer kernels call deprecated.

## Not this
A GTT that is too small: RV1001.

## References
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
- https://github.com/torvalds/linux/blob/master/drivers/gpu/drm/ttm/ttm_tt.c
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  // The larger of what the module says and what the command line asks for: a snapshot may have one
  // of another boot.
  std::optional<unsigned long long> pages;
  for (const std::string module : {"ttm", "amdttm"}) {
    const auto asked = machine.kernel.parameters.find(module + ".pages_limit");
    if (asked != machine.kernel.parameters.end()) {
      pages = std::max(pages, parse_number(asked->second));
    }
    const auto found = machine.driver.other_parameters.find(module);
    if (found == machine.driver.other_parameters.end()) continue;
    const auto limit = found->second.find("pages_limit");
    if (limit != found->second.end()) pages = std::max(pages, parse_number(limit->second));
  }
  if (!pages || *pages == 0) return {skip("ttm.pages_limit is not known")};
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.kind != GpuKind::apu || !gpu.gtt_bytes) continue;
    const unsigned long long limit = *pages * 4096;
    if (*gpu.gtt_bytes <= limit + limit / 50) continue;
    const std::string wanted = "ttm.pages_limit=" + std::to_string(*gpu.gtt_bytes / 4096);
    return warning("the GTT is larger than the kernel will hand out")
        .about(gpu_label(gpu))
        .saw("GTT " + std::to_string(*gpu.gtt_bytes >> 20) + " MiB, ttm.pages_limit " +
             std::to_string(limit >> 20) + " MiB")
        .fix(add_kernel_parameter(machine, wanted))
        .root()
        .reboot();
  }
  return {pass("the GTT is within what TTM hands out")};
}

}  // namespace

extern const Check kGttAboveTtmLimit;
constinit const Check kGttAboveTtmLimit{.code = "RV1015",
                                        .id = "gtt-above-ttm-limit",
                                        .topic = "memory",
                                        .title = "The GTT is larger than the kernel will hand out",
                                        .doc = kDoc,
                                        .run = run};

}  // namespace rocvet
