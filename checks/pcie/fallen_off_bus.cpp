#include <algorithm>

#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kFallenOffBusDoc = R"(
## What it looks for
A link width of 63, which is a register full of ones, on a GPU that is not asleep; "error" for every
sensor with it.

## Why it matters
Reads of a device that is gone give ones. The GPU fell off the bus: power, heat, a riser, or a reset
that failed. Processes that use it hang.

## How to mend it
Power the machine off and on; then seat, cables, power supply.

## Not this
A GPU that sleeps (D3cold), which reads the same.

## References
- https://docs.kernel.org/PCI/pci-error-recovery.html
)";

std::vector<Finding> run_fallen_off_bus(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* gpu : cards(context.machine)) {
    const bool asleep = gpu->runtime_status.value_or("active") != "active" ||
                        gpu->power_state.value_or("D0") == "D3cold";
    if (asleep) judged.lacks(Result<int>(not_woken("")));
    if (asleep || !judged.has(gpu->pcie.current_width) || *gpu->pcie.current_width != 63) continue;
    const bool silent = !gpu->sensors.silent.empty() || did_not_answer(gpu->clocks.engine);
    findings.push_back(failing("the GPU does not answer on the bus")
                           .about(gpu_label(*gpu))
                           .saw("current_link_width: 63 (a register full of ones)")
                           .saw(silent ? "its sensors do not answer" : "")
                           .fix({"sudo dmesg | grep -i -e amdgpu -e pcieport | tail -n 50",
                                 "sudo poweroff   # and on again"})
                           .root()
                           .reboot());
  }
  return judged.rest(std::move(findings),
                     counted(judged.number(), "GPU answers", "GPUs answer") + " on the bus",
                     "no GPU here has a PCIe link of its own");
}

}  // namespace

extern const Check kFallenOffBus;
constinit const Check kFallenOffBus{.code = "RV1116",
                                    .id = "fallen-off-bus",
                                    .topic = "pcie",
                                    .title = "The GPU does not answer on the bus",
                                    .doc = kFallenOffBusDoc,
                                    .run = run_fallen_off_bus};

}  // namespace rocvet
