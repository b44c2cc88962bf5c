#include <algorithm>

#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/dropped_targets.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/modules.h"
#include "checks/facts/situation.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kFrameworkWithoutTargetDoc = R"(
## What it looks for
The code objects inside PyTorch's (TensorFlow's, …) libraries, against the GPU's target or the one
that the override names; and whether the ROCm that a build brings is older than the first release
that has anything for the GPU: its runtime then lists no device.

## Why it matters
The first kernel fails: "no kernel image is available", "invalid device function",
hipErrorNoBinaryForGpu.

## How to mend it
Install a build for the target; or set HSA_OVERRIDE_GFX_VERSION to a compatible target that the
build has.

## Not this
A build for CUDA or the CPU: RV802, RV803. rocBLAS alone: RV402. A module beside the framework
(llama_cpp, flash_attn, vLLM): RV818.

## References
- https://pytorch.org/get-started/locally/
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/3rd-party/pytorch-install.html
)";

/// The first ROCm with anything for the target, where the one that a wheel brings is older.
std::string first_release_for(const Context& context, const std::string& gfx,
                              const Framework& framework) {
  if (!framework.hip_version || is_own_build(framework)) return "";
  const std::string brought = series_of(*framework.hip_version);
  return brought.find('.') == brought.npos ? "" : context.db.rocm_needed_for(gfx, brought);
}

std::vector<Finding> run_framework_without_target(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto set = effective_variable(machine, "HSA_OVERRIDE_GFX_VERSION");
  const auto present = gfx_present(machine);
  bool complaint = complains_of_missing_code(context);
  for (const char* text : {"SIGSEGV", "egmentation fault", "segfault"})
    complaint |= app_log_has(context, text);
  std::vector<Finding> findings;
  Judged judged;
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks) {
      if (!is_built_for_known_targets(framework)) continue;
      judged.count();
      bool any = false;
      for (const std::string& real : present) any |= any_target_fits(framework.gfx, real);
      for (const std::string& real : present) {
        const std::string gfx =
            set && !gfx_of_override(set->value).empty() ? gfx_of_override(set->value) : real;
        if (any_target_fits(framework.gfx, gfx)) continue;
        // Beside a GPU that the build has code for, the other is a matter of choosing devices.
        if (any) continue;
        const bool gone = dropped_by_framework(context, real, framework);
        // A runtime too old lists no device; what misses code has found one.
        const std::string needed =
            complaint || gone ? "" : first_release_for(context, real, framework);
        findings.push_back(
            (complaint
                 ? failing(framework.name + " " + framework.version + " has no code for " + gfx)
                 : warning(framework.name + " " + framework.version + " has no code for " + gfx))
                .about(python.root)
                .saw("its code objects: " + framework.gfx.front() +
                     (framework.gfx.size() > 1 ? " … " + framework.gfx.back() : "") +
                     "; the GPU is " + real)
                .saw(gone && !context.db.last_rocm_for(real).empty()
                         ? "the last ROCm that supported " + real + " is " +
                               context.db.last_rocm_for(real)
                         : "")
                .sees(is_own_build(framework)
                          ? ObservationName("own-framework-build-lacks-the-target")
                      : gone           ? ObservationName("framework-lacks-a-dropped-target")
                      : needed.empty() ? ObservationName("framework-lacks-the-target")
                                       : ObservationName("framework-older-than-the-gpu"))
                .fix({Step("install a build of {} for {} (rocvet advise)", framework.name, real)}));
        Finding& said = findings.back();
        if (!needed.empty())
          said.evidence.push_back("the first release that has anything for " + real + " is " +
                                  needed + "; this build brings " + *framework.hip_version);
        if (present.size() > 1) said.seen.push_back("framework-lacks-every-gpu");
      }
    }
  }
  return judged.rest(
      std::move(findings),
      "of " + counted(judged.number(), "framework", "frameworks") + " none lacks code for the GPU",
      "no framework with code for AMD GPUs is here");
}

}  // namespace

extern const Check kFrameworkWithoutTarget;
constinit const Check kFrameworkWithoutTarget{.code = "RV801",
                                              .id = "framework-without-target",
                                              .topic = "framework",
                                              .title = "A framework build has no code for this GPU",
                                              .doc = kFrameworkWithoutTargetDoc,
                                              .run = run_framework_without_target};

}  // namespace rocvet
