#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/modules.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr std::string_view kCpuBuildDoc = R"(
## What it looks for
torch with +cpu, or hip and cuda both None in torch/version.py.

## Why it matters
torch.cuda.is_available() is False whatever the GPU. It comes in when no ROCm wheel exists for the
Python version.

## How to mend it
`pip install torch --index-url https://download.pytorch.org/whl/rocmX.Y`, with a Python that has
wheels.

## Not this
A CUDA build: RV802.

## References
- https://pytorch.org/get-started/locally/
)";

/// What a distribution packages is not pip's to remove, and it forbids pip beside it (PEP 668).
std::vector<Step> steps_for(const Framework& framework) {
  if (framework.root.find("/dist-packages/") != framework.root.npos &&
      framework.root.starts_with("/usr/lib/"))
    return {"sudo apt install python3-venv && python3 -m venv ~/rocm-torch",
            "~/rocm-torch/bin/pip install torch --index-url "
            "https://download.pytorch.org/whl/rocmX.Y",
            "run your program with ~/rocm-torch/bin/python"};
  return {"pip uninstall -y torch torchvision torchaudio",
          "pip install torch --index-url https://download.pytorch.org/whl/rocmX.Y"};
}

std::vector<Finding> run_cpu_build(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  bool rocm_build = false;
  const bool stated = said(context, "torch-cpu-wheel") >= 0.2;
  const bool complaint = stated || lacks_gpu_framework(machine) ||
                         people_say(context, {"is_available()", "cpu", "False", "does not see"});
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks) {
      rocm_build |= framework.build == "rocm";
      if (framework.name != "torch") continue;
      judged.count();
      if (framework.build != "cpu") continue;
      findings.push_back(
          Say(verdict_of(stated, complaint), "torch " + framework.version + " is a CPU build")
              .about(python.root)
              .saw(framework.root + ": " + framework.version + ", Python " + python.python_version)
              .sees("torch-is-cpu-build")
              .fix(steps_for(framework)));
    }
  }
  if (rocm_build && !findings.empty())
    return passing("a CPU build of torch lies beside a ROCm build")
        .sees("cpu-torch-beside-rocm-build");
  if (rocm_build) return passing("torch is a ROCm build").sees("rocm-build-and-no-cpu-torch");
  return judged.rest(std::move(findings),
                     "of " + counted(judged.number(), "build of torch", "builds of torch") +
                         " none is a CPU build",
                     "torch is not here");
}

}  // namespace

extern const Check kCpuBuild;
constinit const Check kCpuBuild{.code = "RV803",
                                .id = "cpu-build",
                                .topic = "framework",
                                .title = "A CPU build of PyTorch is installed",
                                .doc = kCpuBuildDoc,
                                .run = run_cpu_build};

}  // namespace rocvet
