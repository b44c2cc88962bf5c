#include <algorithm>

#include "checks/check.h"
#include "checks/common/container_remedy.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kSandboxWithoutRocmDoc = R"(
## What it looks for
flatpak, snap and firejail: the devices the application was granted, and whether a HIP runtime exists
inside, a wheel's own too. A fault where somebody complains of a program that computes.

## Why it matters
A sandboxed application sees its own /usr. Without libamdhip64 in it (or in an extension) the GPU
cannot be used though the host could.

## How to mend it
Install the application outside the sandbox, or with a ROCm extension; `flatpak override --user
--device=all APP`.

## Not this
A docker or podman container: RV101.

## References
- https://docs.flatpak.org/en/latest/sandbox-permissions.html
- https://snapcraft.io/docs/supported-interfaces
)";

std::vector<Finding> run_sandbox_without_rocm(const Context& context) {
  const Machine& machine = context.machine;
  const Surroundings& around = machine.surroundings;
  if (!is_sandbox(around.environment))
    return {none_here("this is no flatpak, snap or firejail", Absence::surroundings)};
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto& devices = around.flatpak_devices;
  const bool all = std::find(devices.begin(), devices.end(), "all") != devices.end();
  bool hip = false;
  for (const RocmInstall& install : machine.software.rocm) {
    for (const Library& library : install.libraries)
      hip |= library.path.find("libamdhip64") != std::string::npos;
  }
  // A wheel brings its own.
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks) hip |= framework.build == "rocm";
  }
  // It lists the targets of the kernel files that it found beside itself.
  hip |= has_app_error(context, "ollama-gpu-too-old");
  std::vector<std::string> evidence;
  if (!hip) evidence.push_back("no libamdhip64 inside the sandbox");
  if (around.environment == Environment::flatpak && !all && !machine.kfd.stat)
    evidence.push_back("the application was not granted device=all");
  if (evidence.empty()) return {pass("the sandbox has ROCm and the devices")};
  // Most programs in a sandbox never compute.
  constexpr std::string_view kOfCompute[] = {"hip",  "rocm", "opencl", "compute", "kfd",
                                             "cuda", "hsa",  "gpu",    "render",  "accelerat"};
  const bool asked = someone_complains_of(context, kOfCompute);
  Finding finding =
      (asked ? failing("the sandbox has no way to the GPU's compute")
             : passing("the sandbox has no way to the GPU's compute; nobody misses it"))
          .saw(around.evidence)
          .saw(evidence)
          .fix(pass_devices(machine));
  if (all && !hip) {
    // What it lacks is no device but the runtime, which an extension of the application brings.
    finding.summary = "the sandbox has the devices and no ROCm in it";
    finding.seen.push_back("flatpak-has-devices-without-rocm");
    finding.remedy = {};
    finding.remedy.steps = {
        "flatpak search rocm   # the application's extension for AMD GPUs, of its branch",
        "flatpak install flathub EXTENSION", "or install the application outside the sandbox"};
  }
  return {finding};
}

}  // namespace

extern const Check kSandboxWithoutRocm;
constinit const Check kSandboxWithoutRocm{.code = "RV704",
                                          .id = "sandbox-without-rocm",
                                          .topic = "container",
                                          .title = "The sandbox has no ROCm",
                                          .doc = kSandboxWithoutRocmDoc,
                                          .run = run_sandbox_without_rocm};

}  // namespace rocvet
