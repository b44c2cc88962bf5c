#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/visibility.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kVisibilityHidesGpusDoc = R"(
## What it looks for
ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES, CUDA_VISIBLE_DEVICES and GPU_DEVICE_ORDINAL, and how
they work on each other: of this process, and of each service whose unit sets them.

## Why it matters
ROCR_VISIBLE_DEVICES acts first; the HIP lists then count from 0 what it left. An index out of
range, -1 or an empty list ends the list there. HIP honours CUDA_VISIBLE_DEVICES too.

## How to mend it
Keep one variable. With ROCR_VISIBLE_DEVICES=2,3 the HIP lists may only hold 0 and 1.

## Not this
A list that chooses some of the GPUs on purpose.

## References
- https://rocm.docs.amd.com/en/latest/conceptual/gpu-isolation.html
- https://rocm.docs.amd.com/projects/HIP/en/latest/reference/env_variables.html
)";

/// Units whose lists leave no GPU: a fault where somebody complains of that service.
std::vector<Finding> judge_services(const Context& context) {
  std::vector<Finding> findings;
  for (const ServiceVisibility& one : visibility_of_services(context.machine)) {
    if (one.seen.left > 0 || one.seen.problems.empty()) continue;
    const std::string name = one.service.substr(0, one.service.find('.'));
    const bool asked = someone_complains(context) && app_log_has(context, name);
    const std::string words = "visibility variables of " + one.service + " hide every GPU";
    findings.push_back(
        (asked ? failing(words) : warning(words))
            .about(one.service)
            .saw(one.file)
            .saw(one.seen.masks)
            .saw(one.seen.problems)
            .fix({Step("printf '[Service]\\nUnsetEnvironment=ROCR_VISIBLE_DEVICES "
                       "HIP_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES\\n' | sudo install -D "
                       "-m 644 /dev/stdin /etc/systemd/system/{}.d/all-gpus.conf",
                       one.service),
                  "sudo systemctl daemon-reload", Step("sudo systemctl restart {}", one.service)})
            .root());
  }
  return findings;
}

std::vector<Finding> judge_process(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  const Visibility seen = visibility(machine);
  if (seen.masks.empty()) return {pass("no variable hides a GPU")};
  if (seen.problems.empty())
    return {pass(seen.masks.front() + " leaves " + std::to_string(seen.left) + " GPU(s)")};
  const bool none_left = seen.left == 0;
  // The runtime stops at the first index that is not there and keeps those before it.
  const bool asked_for = has_app_error(context, "invalid-device-ordinal");
  const std::string words = none_left ? "visibility variables hide every GPU"
                                      : "visibility variables name GPUs that are not there";
  return (none_left || asked_for ? failing(words) : warning(words))
      .saw(seen.masks)
      .saw(seen.closed == 0
               ? ""
               : std::to_string(seen.closed) + " of " + std::to_string(seen.closed + seen.present) +
                     " GPUs have no render node that this process can open: they do "
                     "not count")
      .saw(seen.problems)
      .fix({"unset HIP_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES GPU_DEVICE_ORDINAL",
            "keep ROCR_VISIBLE_DEVICES, or nothing"});
}

std::vector<Finding> run_visibility_hides_gpus(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings = judge_services(context);
  std::vector<Finding> own = judge_process(context);
  // That this process sees all says nothing beside a service that does not.
  for (Finding& one : own) {
    if (findings.empty() || one.verdict == Verdict::fail || one.verdict == Verdict::warn)
      findings.push_back(std::move(one));
  }
  return findings;
}

}  // namespace

extern const Check kVisibilityHidesGpus;
constinit const Check kVisibilityHidesGpus{.code = "RV602",
                                           .id = "visibility-hides-gpus",
                                           .topic = "environment",
                                           .title = "Visibility variables hide GPUs",
                                           .doc = kVisibilityHidesGpusDoc,
                                           .run = run_visibility_hides_gpus};

}  // namespace rocvet
