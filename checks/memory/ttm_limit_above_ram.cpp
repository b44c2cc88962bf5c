#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kTtmLimitAboveRamDoc = R"(
## What it looks for
ttm.pages_limit against the machine's memory.

## Why it matters
Pages that the GPU uses cannot be swapped. Without a rest for the system a large model does not
fail: the machine freezes, or the kernel kills the session.

## How to mend it
Leave the system 2 to 4 GiB at least: set the limit below the memory.

## Not this
Cards with memory of their own, which use little of it.

## References
- https://github.com/torvalds/linux/blob/master/drivers/gpu/drm/ttm/ttm_tt.c
)";

std::vector<Finding> run_ttm_limit_above_ram(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto found = machine.driver.other_options.find("ttm");
  if (found == machine.driver.other_options.end()) return {none_here("ttm is not loaded")};
  const Result<OptionValue> limit = option_of(found->second, "pages_limit");
  if (limit.is_missing()) return {none_here("ttm has no pages_limit")};
  if (!limit) return {unknown(limit.error())};
  if (!machine.memory.total_bytes) return {unknown(machine.memory.total_bytes.error())};
  const auto pages = parse_number(limit->text);
  bool apu = false;
  for (const Gpu& gpu : machine.gpus) apu |= gpu.kind == GpuKind::apu;
  if (!pages || !apu) return {none_here("there is no APU here", Absence::gpu)};
  if (*pages * 4096 < *machine.memory.total_bytes)
    return {pass("the limit leaves the system memory")};
  return warning("the GPU may take all of the machine's memory")
      .saw("ttm.pages_limit " + std::to_string(*pages * 4096 >> 20) + " MiB, memory " +
           std::to_string(*machine.memory.total_bytes >> 20) + " MiB")
      .fix(add_kernel_parameter(
          machine,
          "ttm.pages_limit=" + std::to_string(*machine.memory.total_bytes / 4096 / 16 * 15)))
      .root()
      .reboot();
}

}  // namespace

extern const Check kTtmLimitAboveRam;
constinit const Check kTtmLimitAboveRam{.code = "RV1016",
                                        .id = "ttm-limit-above-ram",
                                        .topic = "memory",
                                        .title = "The GPU may take all of the machine's memory",
                                        .doc = kTtmLimitAboveRamDoc,
                                        .run = run_ttm_limit_above_ram};

}  // namespace rocvet
