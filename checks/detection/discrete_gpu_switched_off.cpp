#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"

namespace rocvet {
namespace {

constexpr std::string_view kDiscreteGpuSwitchedOffDoc = R"(
## What it looks for
The switch of ASUS firmware (dgpu_disable) and the mode in /etc/supergfxd.conf, where no discrete
GPU is on the bus.

## Why it matters
A GPU that the firmware has taken off the bus is not broken and not missing: no driver can find it
until the switch is turned.

## How to mend it
Turn the switch and restart.

## Not this
A discrete GPU that sleeps: it stays on the bus.

## References
- https://docs.kernel.org/admin-guide/abi-testing.html
- https://gitlab.com/asus-linux/supergfxctl
)";

std::vector<Finding> run_discrete_gpu_switched_off(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.gpus_readable && machine.gpus.empty())
    return {none_here("the lists of GPUs were not readable")};
  const std::string switched = setting(machine, "dgpu_disable").value_or("");
  std::string mode = lower(setting(machine, "supergfxd.conf").value_or(""));
  std::erase_if(mode, [](char letter) { return letter == ' ' || letter == '\n'; });
  const bool integrated = mode.find("\"mode\":\"integrated\"") != std::string::npos;
  if (switched.empty() && mode.empty()) return {none_here("there is no switch for a GPU here")};
  if (switched != "1" && !integrated) return {pass("the discrete GPU is not switched off")};
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.kind == GpuKind::dgpu) return {pass("the discrete GPU is on the bus")};
  }
  return warning("the laptop's discrete GPU is switched off")
      .saw(switched == "1" ? "asus-nb-wmi/dgpu_disable: 1" : "")
      .saw(integrated ? "/etc/supergfxd.conf: mode Integrated" : "")
      .fix({integrated
                ? Step("supergfxctl --mode Hybrid")
                : Step("echo 0 | sudo tee /sys/bus/platform/devices/asus-nb-wmi/dgpu_disable"),
            "sudo reboot"})
      .root()
      .reboot();
}

}  // namespace

extern const Check kDiscreteGpuSwitchedOff;
constinit const Check kDiscreteGpuSwitchedOff{.code = "RV309",
                                              .id = "discrete-gpu-switched-off",
                                              .topic = "detection",
                                              .title = "The laptop's discrete GPU is switched off",
                                              .doc = kDiscreteGpuSwitchedOffDoc,
                                              .run = run_discrete_gpu_switched_off};

}  // namespace rocvet
