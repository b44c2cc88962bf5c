#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kWslDeviceMissingDoc = R"(
## What it looks for
/dev/dxg under WSL, and in containers on WSL.

## Why it matters
It is WSL's only way to the GPU. WSL1 has none, nor has a container that was started without it.

## How to mend it
`wsl --update` and WSL2 on the host; containers: --device=/dev/dxg -v /usr/lib/wsl:/usr/lib/wsl.

## Not this
/dev/kfd, which WSL never has.

## References
- https://learn.microsoft.com/en-us/windows/wsl/tutorials/gpu-compute
)";

std::vector<Finding> run_wsl_device_missing(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.surroundings.wsl) return {none_here("this is not WSL", Absence::surroundings)};
  if (machine.dxg.stat) return {pass("/dev/dxg exists")};
  if (!machine.dxg.stat.is_missing()) return {unknown(machine.dxg.stat.error())};
  if (machine.surroundings.container)
    return failing("the container on WSL was not given /dev/dxg")
        .sees("dxg-absent-in-container")
        .fix({"start the container with --device=/dev/dxg -v /usr/lib/wsl:/usr/lib/wsl"});
  return failing("there is no /dev/dxg: WSL1, or an old WSL")
      .sees("dxg-absent")
      .fix({"wsl --update   # in Windows", "wsl --set-version DISTRO 2"});
}

}  // namespace

extern const Check kWslDeviceMissing;
constinit const Check kWslDeviceMissing{.code = "RV713",
                                        .id = "wsl-device-missing",
                                        .topic = "container",
                                        .title = "WSL: there is no /dev/dxg",
                                        .doc = kWslDeviceMissingDoc,
                                        .run = run_wsl_device_missing};

}  // namespace rocvet
