#include "checks/check.h"
#include "checks/common/say.h"

namespace rocvet {
namespace {

constexpr std::string_view kMixedBuildsDoc = R"(
## What it looks for
torch, torchvision and torchaudio (and others) of different builds in one Python environment.

## Why it matters
Extensions are compiled against one torch: a mix crashes at import or falls back to the CPU.

## How to mend it
Install the set from one index at once.

## Not this
Two environments with different builds.

## References
- https://github.com/pytorch/pytorch/wiki/PyTorch-Versions
)";

std::vector<Finding> run_mixed_builds(const Context& context) {
  std::vector<Finding> findings;
  for (const PythonEnvironment& python : context.machine.software.python) {
    std::string rocm, cuda;
    for (const PythonPackage& package : python.packages) {
      if (!package.name.starts_with("torch")) continue;
      if (package.version.find("+rocm") != std::string::npos)
        rocm = package.name + " " + package.version;
      if (package.version.find("+cu") != std::string::npos)
        cuda = package.name + " " + package.version;
    }
    if (rocm.empty() || cuda.empty()) continue;
    findings.push_back(
        failing("ROCm and CUDA builds are mixed in one environment")
            .about(python.root)
            .saw(rocm)
            .saw(cuda)
            .fix({"install torch, torchvision and torchaudio from one index at once"}));
  }
  return or_pass(std::move(findings), "no environment mixes builds");
}

}  // namespace

extern const Check kMixedBuilds;
constinit const Check kMixedBuilds{.code = "RV804",
                                   .id = "mixed-builds",
                                   .topic = "framework",
                                   .title = "Builds for different platforms in one environment",
                                   .doc = kMixedBuildsDoc,
                                   .run = run_mixed_builds};

}  // namespace rocvet
