#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/accounts.h"
#include "checks/facts/deep.h"
#include "checks/facts/gpus.h"
#include "checks/facts/visibility.h"

namespace rocvet {
namespace {

constexpr std::string_view kRuntimeSeesOtherGpusDoc = R"(
## What it looks for
Whether ROCr (--deep, or the output of rocminfo) lists the GPUs that KFD's topology offers, and
HIP (--deep) those that ROCr lists, by KFD node or PCI address, after ROCR_VISIBLE_DEVICES,
HIP_VISIBLE_DEVICES and their kin.

## Why it matters
Each layer drops what it cannot use without a word: ROCr a GPU whose render node it may not open or
whose target it does not know, HIP a GPU that ROCr gave no usable queue for. The application sees
only the last layer.

## How to mend it
The finding names both sides and the GPUs between them: look at their render nodes (RV103, RV104),
at the ROCm release's support for them (RV401), and at the variables.

## Not this
GPUs hidden by a variable on purpose (RV602). A GPU that KFD itself leaves out (RV302).

## References
- https://rocm.docs.amd.com/en/latest/conceptual/gpu-isolation.html
- https://rocm.docs.amd.com/projects/ROCR-Runtime/en/latest/
)";

/// Integrated GPUs beside others are left out by many releases, and nobody misses them.
bool only_integrated(const Machine& machine, const std::vector<const Sighting*>& gpus) {
  for (const Sighting* one : gpus) {
    const Gpu* gpu = gpu_of(machine, *one);
    if (gpu == nullptr || gpu->kind != GpuKind::apu) return false;
  }
  return gpus.size() < machine.gpus.size();
}

std::string count_text(const Testimony& account) {
  return account.who + " lists " + std::to_string(account.gpus.size()) +
         (account.gpus.size() == 1 ? " GPU" : " GPUs");
}

/// `lower` is asked by the process above `upper`; `expected` is how many of upper's the variables
/// leave.
std::vector<Finding> compare(const Machine& machine, const Testimony& upper, const Testimony& lower,
                             std::size_t expected, const std::vector<std::string>& masks) {
  std::vector<Finding> findings;
  const auto extra = not_in(lower, upper);
  const auto lost = not_in(upper, lower);
  const auto report = [&](Say said) {
    findings.push_back(
        std::move(said).about(lower.who).saw(count_text(upper)).saw(count_text(lower)).saw(masks));
  };
  if (!extra.empty()) {
    report((lower.here
                ? failing(lower.who + " lists what " + upper.who + " does not: " + labels(extra))
                : warning(lower.who + " lists what " + upper.who + " does not: " + labels(extra))));
  } else if (lower.gpus.size() < expected) {
    // What a variable hides cannot be told from what is lost, but how many can.
    const std::string what = lower.who + " lacks " + std::to_string(expected - lower.gpus.size()) +
                             " of the GPUs that " + upper.who + " offers";
    const std::string which = (masks.empty() ? "lacking: " : "hidden or lacking: ") + labels(lost);
    if (only_integrated(machine, lost)) {
      report(passing(what + ", an integrated one").saw(which));
    } else if (!lower.here) {
      report(passing(what).saw(which).sees("captured-runtime-lacks-gpus"));
    } else {
      report(failing(what).saw(which));
    }
  }
  return findings;
}

std::vector<Finding> run_runtime_sees_other_gpus(const Context& context) {
  const Machine& machine = context.machine;
  const auto hsa = hsa_account(machine);
  const auto hip = hip_account(machine);
  if (!hsa && !hip) return {not_asked(machine, "neither ROCr nor HIP was asked")};
  if (machine.surroundings.wsl) return {skip("WSL has no KFD to compare with")};
  if (!machine.kfd_nodes && !machine.kfd_nodes.is_missing())
    return {unknown(machine.kfd_nodes.error())};
  const Visibility seen = visibility(machine);
  std::vector<Finding> findings;
  const auto add = [&](std::vector<Finding> more) {
    for (Finding& one : more) findings.push_back(std::move(one));
  };
  const Testimony kfd = kfd_account(machine);
  if (hsa) add(compare(machine, kfd, *hsa, seen.left_by_rocr, seen.rocr_masks));
  if (hsa && hip && hsa->here) {
    // What the HIP variables leave of what ROCr shows.
    const std::size_t hidden = seen.left_by_rocr - std::min(seen.left, seen.left_by_rocr);
    const std::size_t rest = hsa->gpus.size() - std::min(hidden, hsa->gpus.size());
    add(compare(machine, *hsa, *hip, rest, seen.masks));
  } else if (hip) {
    add(compare(machine, kfd, *hip, seen.left, seen.masks));
  }
  return or_pass(std::move(findings), "KFD, ROCr and HIP tell of the same GPUs");
}

}  // namespace

extern const Check kRuntimeSeesOtherGpus;
constinit const Check kRuntimeSeesOtherGpus{
    .code = "RV320",
    .id = "runtime-sees-other-gpus",
    .topic = "detection",
    .title = "ROCr or HIP does not see the GPUs that the kernel offers",
    .doc = kRuntimeSeesOtherGpusDoc,
    .run = run_runtime_sees_other_gpus};

}  // namespace rocvet
