#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/wsl.h"

namespace rocvet {
namespace {

constexpr std::string_view kWslDetectionOffDoc = R"(
## What it looks for
WSL2 with /dev/dxg and librocdxg, a ROCm release that does not look for it by itself, and
HSA_ENABLE_DXG_DETECTION.

## Why it matters
ROCm before 7.13 uses librocdxg only when the variable asks for it.

## How to mend it
export HSA_ENABLE_DXG_DETECTION=1

## Not this
A librocdxg that is not found: RV711. A release without WSL support: RV712.

## References
- https://github.com/ROCm/librocdxg
- https://rocm.docs.amd.com/projects/radeon/en/latest/docs/install/wsl/install-radeon.html
)";

std::vector<Finding> run_wsl_detection_off(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.surroundings.wsl) return {none_here("this is not WSL", Absence::surroundings)};
  const WslRocm wsl = wsl_rocm(machine);
  if (!wsl.uses_librocdxg) return {none_here("this ROCm does not use librocdxg")};
  if (wsl.detects_by_itself) return {pass("this ROCm looks for /dev/dxg by itself")};
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  const std::string value = variable_or_empty(machine, "HSA_ENABLE_DXG_DETECTION");
  if (value == "1") return {pass("HSA_ENABLE_DXG_DETECTION=1")};
  const bool sees = wsl.rocminfo_lists_gpu.value_or(false);
  if (sees) return {pass("rocminfo lists the GPU")};
  return (wsl.rocminfo_lists_gpu ? failing("HSA_ENABLE_DXG_DETECTION is not set")
                                 : passing("HSA_ENABLE_DXG_DETECTION is not set"))
      .saw("ROCm " + wsl.version + " under WSL, librocdxg installed")
      .sees(wsl.rocminfo_lists_gpu ? ObservationName("dxg-detection-off-and-no-gpu-listed")
                                   : ObservationName("dxg-detection-off"))
      .fix({"export HSA_ENABLE_DXG_DETECTION=1"});
}

}  // namespace

extern const Check kWslDetectionOff;
constinit const Check kWslDetectionOff{.code = "RV710",
                                       .id = "wsl-detection-off",
                                       .topic = "container",
                                       .title = "WSL: HSA_ENABLE_DXG_DETECTION=1 is not set",
                                       .doc = kWslDetectionOffDoc,
                                       .run = run_wsl_detection_off};

}  // namespace rocvet
