#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
HIP_PLATFORM=nvidia (or nvcc), and HIP_COMPILER=nvcc, on a machine with an AMD GPU and no NVIDIA
one.

## Why it matters
hipcc and CMake then build for CUDA and want nvcc.

## How to mend it
unset HIP_PLATFORM, or set it to amd.

## Not this
hipconfig that falls back to nvidia by itself because it finds no GPU: RV302.

## References
- https://rocm.docs.amd.com/projects/HIP/en/latest/install/install.html
)";

std::vector<Finding> run(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!context.machine.process.environment)
    return {unknown(context.machine.process.environment.error())};
  const std::string value = variable_or_empty(context.machine, "HIP_PLATFORM");
  if (value != "nvidia" && value != "nvcc") return {pass("HIP_PLATFORM is not nvidia")};
  return warning("HIP_PLATFORM=" + value + " on a machine with an AMD GPU")
      .saw("HIP_PLATFORM=" + value)
      .fix({"unset HIP_PLATFORM"});
}

}  // namespace

extern const Check kHipPlatformNvidia;
constinit const Check kHipPlatformNvidia{.code = "RV608",
                                         .id = "hip-platform-nvidia",
                                         .topic = "environment",
                                         .title = "HIP_PLATFORM is set to nvidia",
                                         .doc = kDoc,
                                         .run = run};

}  // namespace rocvet
