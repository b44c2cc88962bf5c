#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kAmdgpuBlacklistedDoc = R"(
## What it looks for
blacklist and install lines for amdgpu in modprobe.d, and modprobe.blacklist=, module_blacklist=
and rd.driver.blacklist= on the kernel command line.

## Why it matters
udev does not load a blacklisted module, and the GPU stays without a driver. Some administrators
blacklist it on purpose and load it later; then it is loaded and this check passes.

## How to mend it
Remove the entry, rebuild the initial RAM disk, reboot; or `sudo modprobe amdgpu` by hand.

## Not this
A GPU reserved for a virtual machine: RV203.

## References
- https://man7.org/linux/man-pages/man5/modprobe.d.5.html
- https://docs.kernel.org/admin-guide/kernel-parameters.html
)";

std::vector<Finding> run_amdgpu_blacklisted(const Context& context) {
  const Machine& machine = context.machine;
  const Driver& driver = machine.driver;
  if (auto none = skip_without_gpu(context)) return {*none};
  std::string where, text;
  std::vector<Step> steps;
  const auto on_line = driver.blacklisted_on_command_line.find("amdgpu");
  if (on_line != driver.blacklisted_on_command_line.end()) {
    where = "/proc/cmdline";
    text = on_line->second;
    steps = remove_kernel_parameter(machine, text);
  }
  for (const ModprobeLine& line : driver.modprobe) {
    if (line.module != "amdgpu" || line.shadowed) continue;
    const bool off =
        line.command == "install" && (line.argument.find("/bin/false") != std::string::npos ||
                                      line.argument.find("/bin/true") != std::string::npos);
    if (line.command != "blacklist" && !off) continue;
    where = line.file;
    text = line.text;
    steps = {off ? Step("sudo sed -i 's/^\\(install *amdgpu\\)/#\\1/' {}", line.file)
                 : Step("sudo sed -i 's/^\\(blacklist *amdgpu\\)/#\\1/' {}", line.file),
             initramfs_command(machine), "sudo reboot"};
  }
  if (where.empty()) {
    if (!driver.modprobe_readable && !machine.kernel.command_line)
      return {unknown(driver.modprobe_readable.error())};
    return {pass("nothing blacklists amdgpu")};
  }
  if (driver.amdgpu)
    return {pass("amdgpu is blacklisted in " + where + " and was loaded all the same")};
  return failing("amdgpu is blacklisted")
      .saw(where + ": " + text)
      .saw("amdgpu is not loaded")
      .fix(std::move(steps))
      .verify("rocvet check --only amdgpu-blacklisted")
      .root()
      .reboot();
}

}  // namespace

extern const Check kAmdgpuBlacklisted;
constinit const Check kAmdgpuBlacklisted{.code = "RV202",
                                         .id = "amdgpu-blacklisted",
                                         .topic = "driver",
                                         .title = "amdgpu is blacklisted",
                                         .doc = kAmdgpuBlacklistedDoc,
                                         .run = run_amdgpu_blacklisted};

}  // namespace rocvet
