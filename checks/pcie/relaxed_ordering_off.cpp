#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"
#include "checks/logs/tool_output.h"

namespace rocvet {
namespace {

constexpr std::string_view kRelaxedOrderingOffDoc = R"(
## What it looks for
RlxdOrd- in DevCtl of lspci, for Instinct GPUs.

## Why it matters
The root complex then keeps all writes of the GPU in order; peer traffic between GPU and network
card loses much of its bandwidth on EPYC.

## How to mend it
Look at the BIOS settings of PCIe (Preferred IO, relaxed ordering); the driver leaves the bit as the
firmware set it.

## Not this
Consumer cards, where nothing asks for it.

## References
- https://man7.org/linux/man-pages/man8/lspci.8.html
- https://rocm.docs.amd.com/en/latest/how-to/system-optimization/index.html
)";

std::vector<Finding> run_relaxed_ordering_off(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto devices = lspci_devices(context.machine);
  if (devices.empty()) return {none_here("lspci's output is not at hand")};
  if (!any_instinct(context)) return {none_here("there is no data-centre GPU here", Absence::gpu)};
  std::vector<std::string> off;
  bool known = false;
  for (const Gpu* gpu : cards(context.machine)) {
    if (!is_instinct(context, *gpu) || !gpu->card_bdf) continue;
    for (const LspciDevice& device : devices) {
      if (device.bdf != *gpu->card_bdf) continue;
      known |= device.has("RlxdOrd");
      if (device.has("RlxdOrd-")) off.push_back(gpu_label(*gpu));
    }
  }
  if (!known) return {none_here("lspci does not tell (it needs root for that)")};
  if (off.empty()) return {pass("relaxed ordering is on")};
  return warning("relaxed ordering is off for a data-centre GPU")
      .saw(off)
      .fix({"look for relaxed ordering in the BIOS"});
}

}  // namespace

extern const Check kRelaxedOrderingOff;
constinit const Check kRelaxedOrderingOff{.code = "RV1114",
                                          .id = "relaxed-ordering-off",
                                          .topic = "pcie",
                                          .title = "Relaxed ordering is off for a data-centre GPU",
                                          .doc = kRelaxedOrderingOffDoc,
                                          .run = run_relaxed_ordering_off};

}  // namespace rocvet
