#include <algorithm>

#include "base/path_walk.h"
#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kApplicationBundleMissingDoc = R"(
## What it looks for
The folder of ROCm libraries that belongs to ollama (lib/ollama/rocm in the prefix of the binary),
other prefixes that have one, and a stray nvidia-smi.

## Why it matters
The installer skips the ROCm bundle when it finds nvidia-smi or sees no AMD device; the program
then uses the CPU.

## How to mend it
Install the ROCm add-on into the same prefix; remove nvidia-smi where there is no NVIDIA GPU.

## Not this
A bundle that is there and lacks the GPU's target: RV402.

## References
- https://github.com/ollama/ollama/blob/main/docs/linux.md
- https://github.com/ollama/ollama/blob/main/scripts/install.sh
)";

std::vector<Finding> run_application_bundle_missing(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Application& application : machine.software.applications) {
    if (application.name != "ollama") continue;
    judged.count();
    if (!application.bundle.empty()) continue;
    // A distribution's package links its ROCm, and brings none along.
    if (!find_packages(machine, "ollama-rocm*").empty()) continue;
    // So does a build of one's own.
    if (std::ranges::any_of(application.libraries, [](const Library& library) {
          return base_name(library.path).starts_with("libggml-hip.so");
        }))
      continue;
    const bool elsewhere = !application.other_bundles.empty();
    bool system_rocm = false;
    for (const RocmInstall& install : machine.software.rocm)
      system_rocm |= install.owner == RocmOwner::distro_packages;
    const bool complaint = people_say(context, {"GPU", "CPU"});
    const bool bad = elsewhere || complaint;
    findings.push_back(
        Say(verdict_of(elsewhere, bad), bad ? "ollama has no ROCm libraries in its prefix"
                                            : "ollama has no ROCm libraries of its own")
            .about(application.path)
            .saw("no lib/ollama/rocm beside " + application.path)
            .saw(elsewhere ? application.other_bundles.front() + " belongs to another prefix" : "")
            .sees(elsewhere     ? ObservationName("bundle-in-another-prefix")
                  : system_rocm ? ObservationName("bundle-absent-beside-distro-rocm")
                                : ObservationName("bundle-absent"))
            .fix({Step("curl -fsSL https://ollama.com/download/ollama-linux-amd64-rocm.tgz | sudo "
                       "tar zx -C {}",
                       application.path.substr(0, application.path.find("/bin/")))})
            .root());
  }
  return judged.rest(
      std::move(findings),
      counted(judged.number(), "ollama has its", "ollamas have their") + " ROCm libraries",
      "ollama is not here");
}

}  // namespace

extern const Check kApplicationBundleMissing;
constinit const Check kApplicationBundleMissing{
    .code = "RV806",
    .id = "application-bundle-missing",
    .topic = "framework",
    .title = "An application's own ROCm libraries are missing",
    .doc = kApplicationBundleMissingDoc,
    .run = run_application_bundle_missing};

}  // namespace rocvet
