#include <set>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/driver/driver_packages.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kNotBuiltForNextKernelDoc = R"(
## What it looks for
A kernel in /boot that is newer than the running one, and for which DKMS has not installed the GPU
driver that the running one uses.

## Why it matters
The GPU works now and is gone after the next restart: usually the headers of the new kernel are
missing, or the driver does not build on it.

## How to mend it
Install the headers and build, or keep the older kernel as the default until a newer driver is out.

## Not this
A driver that is not built for the running kernel: RV207.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/reference/system-requirements.html
- https://github.com/dell/dkms
)";

/// The numbers of "6.8.0-60-generic", so that 60 and 9 compare as numbers.
std::vector<unsigned long long> numbers_of(std::string_view release) {
  std::vector<unsigned long long> numbers;
  while (!release.empty()) {
    const std::size_t begin = release.find_first_of("0123456789");
    if (begin == release.npos) break;
    release.remove_prefix(begin);
    const std::string_view digits = release.substr(0, release.find_first_not_of("0123456789"));
    numbers.push_back(parse_number(digits).value_or(0));
    release.remove_prefix(digits.size());
  }
  return numbers;
}
/// What follows the numbers: "generic" kernels are not followed by "oem" ones.
std::string_view flavour(std::string_view release) {
  return release.substr(release.find_last_of("-.") + 1);
}

std::vector<Finding> run_not_built_for_next_kernel(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.surroundings.container) return {skip("modules are the host's matter")};
  if (!machine.driver.dkms) return {unread(machine.driver.dkms.error(), "there is no DKMS here")};
  if (!machine.kernel.release) return {unknown(machine.kernel.release.error())};
  if (!machine.kernel.images)
    return {unread(machine.kernel.images.error(), "there is no /boot with kernels")};
  const std::string& running = *machine.kernel.release;
  std::set<std::string> built;
  for (const DkmsState& state : *machine.driver.dkms) {
    if (is_gpu_module(state.module) && state.state == "installed") built.insert(state.kernel);
  }
  if (built.count(running) == 0) return {pass("the running kernel does not use a DKMS driver")};
  std::string next;
  for (const std::string& image : *machine.kernel.images) {
    if (flavour(image) == flavour(running) && numbers_of(image) > numbers_of(running) &&
        (next.empty() || numbers_of(image) > numbers_of(next)))
      next = image;
  }
  if (next.empty()) return {pass("no newer kernel waits to be booted")};
  if (built.count(next) > 0) return {pass("the driver is built for " + next + " too")};
  const Step headers = install_command(machine, "linux-headers-" + next, "kernel-devel-" + next,
                                       "kernel-default-devel");
  return warning("the DKMS driver is not built for " + next + ", which boots next")
      .saw("running: " + running + "; in /boot: " + next)
      .fix({headers.empty() ? Step("install the headers of kernel {}", next) : headers,
            Step("sudo dkms autoinstall -k {}", next)})
      .verify("dkms status")
      .root();
}

}  // namespace

extern const Check kNotBuiltForNextKernel;
constinit const Check kNotBuiltForNextKernel{
    .code = "RV225",
    .id = "not-built-for-next-kernel",
    .topic = "driver",
    .title = "The DKMS driver is not built for the kernel that boots next",
    .doc = kNotBuiltForNextKernelDoc,
    .run = run_not_built_for_next_kernel};

}  // namespace rocvet
