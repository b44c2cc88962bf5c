#include <algorithm>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kCudaBuildDoc = R"(
## What it looks for
Builds of torch, vLLM and others: +cuNNN, cuda set and hip None in torch/version.py, nvidia-*
packages.

## Why it matters
Such a build never sees an AMD GPU. It comes in when pip resolves a version that the ROCm index
lacks.

## How to mend it
`pip uninstall -y torch torchvision torchaudio triton`, remove the nvidia-* packages, install with
an exact +rocm version from the ROCm index.

## Not this
A machine that has an NVIDIA GPU as well.

## References
- https://pytorch.org/get-started/locally/
- https://download.pytorch.org/whl/
)";

struct Replacement {
  std::string_view framework;  ///< how its package's name begins
  Literal removal, installation;
};

/// Where each framework's build for ROCm is; the first that fits, the last fits all.
constexpr Replacement kReplacements[] = {
    {"onnxruntime", "pip uninstall -y onnxruntime onnxruntime-gpu",
     "pip install onnxruntime-migraphx -f https://repo.radeon.com/rocm/manylinux/rocm-rel-X.Y/   # "
     "before ROCm 7.1: onnxruntime-rocm"},
    {"tensorflow", "pip uninstall -y tensorflow",
     "pip install tensorflow-rocm -f https://repo.radeon.com/rocm/manylinux/rocm-rel-X.Y/"},
    {"jax", "pip uninstall -y jax-cuda12-plugin jax-cuda12-pjrt jax-cuda13-plugin jax-cuda13-pjrt",
     "pip install jax-rocm7-plugin jax-rocm7-pjrt   # of jaxlib's version"},
    {"", "pip uninstall -y torch torchvision torchaudio triton",
     "pip install torch --index-url https://download.pytorch.org/whl/rocmX.Y   # an exact +rocm "
     "version"},
};

const Replacement& replacement_for(std::string_view framework) {
  return *std::ranges::find_if(
      kReplacements, [&](const Replacement& one) { return framework.starts_with(one.framework); });
}

std::vector<Finding> run_cuda_build(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (machine.driver.is_loaded("nvidia")) return {skip("an NVIDIA GPU is here as well")};
  std::vector<Finding> findings;
  bool rocm_build = false;
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks) {
      rocm_build |= framework.build == "rocm";
      if (framework.build != "cuda") continue;
      findings.push_back(
          failing(framework.name + " " + framework.version + " is a CUDA build")
              .about(python.root)
              .saw(framework.root + ": " + framework.version +
                   (framework.cuda_version ? ", CUDA " + *framework.cuda_version : ""))
              .fix({Step(replacement_for(framework.name).removal),
                    Step(replacement_for(framework.name).installation)}));
    }
  }
  // Another environment with the right build may be the one in use.
  if (rocm_build) {
    for (Finding& finding : findings) {
      finding.verdict = Verdict::pass;
      finding.seen.push_back("cuda-framework-beside-rocm-build");
    }
  }
  return or_pass(std::move(findings), "no framework is a CUDA build");
}

}  // namespace

extern const Check kCudaBuild;
constinit const Check kCudaBuild{
    .code = "RV802",
    .id = "cuda-build",
    .topic = "framework",
    .title = "A CUDA build of a framework is installed on an AMD machine",
    .doc = kCudaBuildDoc,
    .run = run_cuda_build};

}  // namespace rocvet
