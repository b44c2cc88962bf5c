#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/wsl.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr std::string_view kWheelRuntimeUnderWslDoc = R"(
## What it looks for
libhsa-runtime64 inside torch under WSL2, while rocminfo (with the system's) lists the GPU.

## Why it matters
The wheel's ordinary HSA runtime wants /dev/kfd; under WSL the system's has to be used.

## How to mend it
`rm …/site-packages/torch/lib/libhsa-runtime64.so*`, so that the system's is taken; or use the WSL
wheels.

## Not this
A ROCm without a runtime for WSL: RV712.

## References
- https://rocm.docs.amd.com/projects/radeon/en/latest/docs/install/wsl/install-pytorch.html
)";

std::vector<Finding> run_wheel_runtime_under_wsl(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.surroundings.wsl) return {none_here("this is not WSL", Absence::surroundings)};
  const WslRocm wsl = wsl_rocm(machine);
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks) {
      for (const Library& library : framework.libraries) {
        if (library.path.find("/libhsa-runtime64") == std::string::npos ||
            library.path.find("/torch/") == std::string::npos)
          continue;
        if (wsl.uses_librocdxg) return {pass("this ROCm's runtime knows WSL")};
        const bool complaint =
            app_log_has(context, "False") || said(context, "wheel-bundled-runtime-conflict") > 0;
        const bool others_work = wsl.rocminfo_lists_gpu.value_or(false);
        const bool told = !wsl.rocminfo_lists_gpu && !wsl.wsl_runtime_package.empty();
        const bool bad = complaint && (others_work || told);
        return (bad ? failing("torch brings an HSA runtime along that does not know WSL")
                    : passing("torch brings its own HSA runtime along"))
            .about(python.root)
            .saw(library.path)
            .saw(others_work ? "rocminfo lists the GPU" : "")
            .sees("torch-brings-hsa-runtime-under-wsl")
            .fix({Step("rm {}libhsa-runtime64.so*",
                       library.path.substr(0, library.path.rfind('/') + 1))});
      }
    }
  }
  return {pass("no wheel brings an HSA runtime along")};
}

}  // namespace

extern const Check kWheelRuntimeUnderWsl;
constinit const Check kWheelRuntimeUnderWsl{
    .code = "RV813",
    .id = "wheel-runtime-under-wsl",
    .topic = "framework",
    .title = "A wheel brings a runtime along that does not know WSL",
    .doc = kWheelRuntimeUnderWslDoc,
    .run = run_wheel_runtime_under_wsl};

}  // namespace rocvet
