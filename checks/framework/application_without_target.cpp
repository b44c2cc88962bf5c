#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/modules.h"
#include "checks/facts/sonames.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kApplicationWithoutTargetDoc = R"(
## What it looks for
The code objects in applications (llama.cpp, ollama, whisper.cpp …) and the targets chosen in a
CMakeCache.txt, against the GPU's target or the override.

## Why it matters
"invalid device function" from one program while everything else works.

## How to mend it
Rebuild with -DGPU_TARGETS=gfxN (older: -DAMDGPU_TARGETS=gfxN).

## Not this
A framework from an index: RV801. A module of Python: RV818.

## References
- https://github.com/ggml-org/llama.cpp/blob/master/docs/build.md
- https://rocm.docs.amd.com/en/latest/conceptual/cmake-packages.html
)";

/// A distribution's package is for the GPUs that it was built for: one that lies here unused harms
/// nobody. It is in question where the log speaks of it.
bool in_question(const Context& context, const Application& application) {
  if (!is_of_system(application.path)) return true;
  // It is what the image is for.
  if (context.machine.surroundings.container && someone_complains(context)) return true;
  const std::string_view name(application.name);
  const std::string_view family = name.substr(0, name.find_first_of("-."));
  return app_log_has(context, family) || (family == "llama" && app_log_has(context, "ggml"));
}

std::vector<Finding> run_application_without_target(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto set = effective_variable(machine, "HSA_OVERRIDE_GFX_VERSION");
  std::vector<Finding> findings;
  Judged judged;
  const auto judge = [&](const std::string& what, const std::vector<std::string>& targets,
                         ObservationName seen, bool asked) {
    if (targets.empty()) return;
    judged.count();
    std::string lacking;
    for (const std::string& real : gfx_present(machine)) {
      const std::string gfx =
          set && !gfx_of_override(set->value).empty() ? gfx_of_override(set->value) : real;
      if (any_target_fits(targets, gfx)) return;
      lacking = gfx;
    }
    if (lacking.empty()) return;
    if (!asked) {
      findings.push_back(
          passing(what + ", a package of the distribution, has no code for " + lacking)
              .about(what));
      return;
    }
    findings.push_back(failing(what + " has no code for " + lacking)
                           .about(what)
                           .saw("its targets: " + targets.front() +
                                (targets.size() > 1 ? " … " + targets.back() : ""))
                           .sees(seen)
                           .fix({Step("rebuild with -DGPU_TARGETS={} (older: -DAMDGPU_TARGETS={})",
                                      lacking, lacking)}));
  };
  for (const Application& application : machine.software.applications) {
    // A bundle made by others is not built here: its targets are the project's choice.
    judge(application.path, application.gfx,
          application.bundle.empty() ? ObservationName("application-lacks-the-target")
                                     : ObservationName("bundled-application-lacks-the-target"),
          in_question(context, application));
  }
  const bool complaint = complains_of_missing_code(context);
  for (const BuildTargets& build : machine.software.build_targets) {
    if (complaint) judge(build.file, build.targets, "build-folder-lacks-the-target", true);
  }
  return judged.rest(std::move(findings),
                     "of " + counted(judged.number(), "application", "applications") +
                         " none lacks code for the GPU",
                     "no application with code for AMD GPUs is here");
}

}  // namespace

extern const Check kApplicationWithoutTarget;
constinit const Check kApplicationWithoutTarget{.code = "RV805",
                                                .id = "application-without-target",
                                                .topic = "framework",
                                                .title = "An application was built for other GPUs",
                                                .doc = kApplicationWithoutTargetDoc,
                                                .run = run_application_without_target};

}  // namespace rocvet
