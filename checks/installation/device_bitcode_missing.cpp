#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
amdgcn/bitcode/ocml.bc in the ROCm trees that have a compiler or whose user builds something.

## Why it matters
hipcc and hipRTC link every kernel with it: "cannot find ROCm device library".

## How to mend it
`sudo apt install rocm-device-libs` (or the distribution's name for it).

## Not this
Bitcode that is there while a variable leads elsewhere: RV403.

## References
- https://clang.llvm.org/docs/HIPSupport.html
- https://github.com/ROCm/llvm-project/tree/amd-staging/amd/device-libs
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  bool any = !machine.software.bitcode.empty(), some_rocm = false;
  for (const RocmInstall& install : machine.software.rocm) {
    any |= install.has_device_libs;
    some_rocm |= install.owner == RocmOwner::amd_packages ||
                 install.owner == RocmOwner::distro_packages || install.owner == RocmOwner::tarball;
  }
  if (any) return {pass("device bitcode is here")};
  const bool complaint = app_log_has(context, "ROCm device library");
  if (!some_rocm && !complaint) return {skip("there is no ROCm with a compiler here")};
  const bool package_gone = package_absent(machine, "rocm-device-libs");
  return (complaint ? failing("the device bitcode is not installed")
                    : passing("the device bitcode is not installed; building needs it"))
      .saw("no amdgcn/bitcode/ocml.bc in any ROCm tree")
      .saw(package_gone ? "rocm-device-libs is not installed" : "")
      .sees("device-bitcode-absent")
      .fix({install_command(machine, "rocm-device-libs", "rocm-device-libs", "rocm-device-libs",
                            "rocm-device-libs")})
      .root();
}

}  // namespace

extern const Check kDeviceBitcodeMissing;
constinit const Check kDeviceBitcodeMissing{.code = "RV408",
                                            .id = "device-bitcode-missing",
                                            .topic = "installation",
                                            .title = "The device bitcode is not installed",
                                            .doc = kDoc,
                                            .run = run};

}  // namespace rocvet
