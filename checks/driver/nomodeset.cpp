#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
nomodeset or amdgpu.modeset=0 on the kernel command line.

## Why it matters
amdgpu does not initialise without mode setting, headless machines included.

## How to mend it
Remove the parameter from the boot loader's configuration, reboot.

## Not this
amdgpu.dc=0, which only switches the display code.

## References
- https://docs.kernel.org/admin-guide/kernel-parameters.html
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!machine.kernel.command_line) return {unknown(machine.kernel.command_line.error())};
  const auto& parameters = machine.kernel.parameters;
  std::string found;
  if (parameters.count("nomodeset") != 0) found = "nomodeset";
  const auto modeset = parameters.find("amdgpu.modeset");
  if (modeset != parameters.end() && modeset->second == "0") found = "amdgpu.modeset=0";
  if (found.empty()) return {pass("the kernel command line allows amdgpu to start")};
  if (!kfd_gpus(machine).empty()) return {pass(found + " is set, and the GPU works all the same")};
  return failing(found + " is on the kernel command line")
      .saw("/proc/cmdline: " + found)
      .fix(remove_kernel_parameter(machine, found))
      .verify("cat /proc/cmdline")
      .root()
      .reboot();
}

}  // namespace

extern const Check kNomodeset;
constinit const Check kNomodeset{.code = "RV211",
                                 .id = "nomodeset",
                                 .topic = "driver",
                                 .title = "nomodeset keeps amdgpu from starting",
                                 .doc = kDoc,
                                 .run = run};

}  // namespace rocvet
