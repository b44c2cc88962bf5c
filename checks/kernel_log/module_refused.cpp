#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/kernel_events.h"
#include "checks/logs/log_groups.h"

namespace rocvet {
namespace {

constexpr std::string_view kModuleRefusedDoc = R"(
## What it looks for
Signatures that Secure Boot or lockdown did not accept, modules built for another kernel, symbols
that do not fit.

## Why it matters
amdgpu is not loaded then, and no GPU is seen.

## How to mend it
Signature: enrol the key (`mokutil --import`). Other kernel: `sudo dkms autoinstall`.

## Not this
A blacklisted module: RV202.

## References
- https://docs.kernel.org/admin-guide/module-signing.html
- https://wiki.ubuntu.com/UEFI/SecureBoot/DKMS
)";

std::vector<Finding> run_module_refused(const Context& context) {
  return module_findings(context);
}

}  // namespace

extern const Check kModuleRefused;
constinit const Check kModuleRefused{.code = "RV905",
                                     .id = "module-refused",
                                     .topic = "kernel_log",
                                     .title = "The kernel refused a module",
                                     .doc = kModuleRefusedDoc,
                                     .run = run_module_refused};

}  // namespace rocvet
