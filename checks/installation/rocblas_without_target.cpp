#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/situation.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
The files of rocblas/library (of each ROCm, framework and application) for the GPU's target, or
for the one that the override names.

## Why it matters
rocBLAS stops with "Cannot read TensileLibrary.dat … for GPU arch". Everything above it (PyTorch,
ollama, llama.cpp) fails with it.

## How to mend it
Install a release that ships the target; or set HSA_OVERRIDE_GFX_VERSION to a compatible neighbour
that it has.

## Not this
A framework whose own kernels lack the target: RV801.

## References
- https://rocm.docs.amd.com/projects/rocBLAS/en/latest/
- https://github.com/ROCm/rocBLAS/issues/1339
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto set = effective_variable(machine, "HSA_OVERRIDE_GFX_VERSION");
  std::vector<Finding> findings;
  Judged judged;
  const auto judge = [&](const std::string& where,
                         const std::map<std::string, std::vector<std::string>>& targets) {
    const auto found = targets.find("rocblas");
    if (found == targets.end() || found->second.empty()) return;
    judged.count();
    for (const std::string& real : gfx_present(machine)) {
      std::string gfx = real;
      if (set && !gfx_of_override(set->value).empty()) gfx = gfx_of_override(set->value);
      if (any_target_fits(found->second, gfx)) continue;
      const bool complaint =
          app_log_has(context, "TensileLibrary") || app_log_has(context, "rocBLAS error") ||
          app_log_has(context, "for GPU arch") || app_log_has(context, "amdgpu is not supported");
      findings.push_back((complaint ? failing("rocBLAS has no kernels for " + gfx)
                                    : passing("rocBLAS has no kernels for " + gfx))
                             .about(where)
                             .saw(where + ": no file for " + gfx)
                             .sees("rocblas-lacks-the-target")
                             .fix({Step("install a ROCm that ships {} (rocvet advise)", gfx)}));
    }
  };
  for (const RocmInstall& install : machine.software.rocm)
    judge(install.root, install.kernel_targets);
  for (const Application& application : machine.software.applications)
    judge(application.path, application.kernel_targets);
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks)
      judge(framework.root, framework.kernel_targets);
  }
  return judged.rest(
      std::move(findings),
      counted(judged.number(), "rocBLAS has", "rocBLAS have") + " kernels for the GPUs here",
      "rocBLAS is not here");
}

}  // namespace

extern const Check kRocblasWithoutTarget;
constinit const Check kRocblasWithoutTarget{.code = "RV402",
                                            .id = "rocblas-without-target",
                                            .topic = "installation",
                                            .title = "rocBLAS has no kernels for this GPU",
                                            .doc = kDoc,
                                            .run = run};

}  // namespace rocvet
