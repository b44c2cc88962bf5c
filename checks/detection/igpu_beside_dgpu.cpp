#include <algorithm>
#include <optional>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/targets.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr std::string_view kIgpuBesideDgpuDoc = R"(
## What it looks for
KFD nodes of an integrated and of a discrete GPU at once, with no ROCR_VISIBLE_DEVICES or
HIP_VISIBLE_DEVICES (which profilers and debuggers do not obey); whether the words of a complaint
name the integrated one's target alone.

## Why it matters
HIP enumerates both. Frameworks put work on the small one or initialise kernels for all devices,
and crash where a library has no code for it.

## How to mend it
`export ROCR_VISIBLE_DEVICES=0` with the index (or UUID) of the discrete GPU, or switch the
integrated one off in the BIOS.

## Not this
A machine where both work: this is reported as a fault only when an application complains. A mask
that hides every GPU: RV602.

## References
- https://rocm.docs.amd.com/en/latest/conceptual/gpu-isolation.html
- https://rocm.docs.amd.com/projects/radeon/en/latest/docs/prerequisites.html
)";

/// The number N of ROCr's "Memory access fault by GPU node-N", one of KFD's nodes.
std::optional<int> faulting_node(const Context& context) {
  constexpr std::string_view kBefore = "Memory access fault by GPU node-";
  const std::string& text = spoken(context);
  const std::size_t at = text.find(kBefore);
  if (at == text.npos) return std::nullopt;
  const std::string_view digits = std::string_view(text).substr(at + kBefore.size(), 4);
  const auto number = parse_number(digits.substr(0, digits.find_first_not_of("0123456789")));
  if (!number) return std::nullopt;
  return static_cast<int>(*number);
}

std::vector<Finding> run_igpu_beside_dgpu(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const Gpu* integrated = nullptr;
  const Gpu* discrete = nullptr;
  for (const Gpu* gpu : kfd_gpus(machine))
    (gpu->kind == GpuKind::apu ? integrated : discrete) = gpu;
  if (integrated == nullptr || discrete == nullptr)
    return {pass("no integrated GPU beside a discrete one")};
  // Tools that ask ROCr itself see past the masks of HIP.
  constexpr std::string_view kToolsOfRocr[] = {"rocprof", "omnitrace", "rocgdb", "rocminfo"};
  const bool below_hip = app_log_has_one(context, kToolsOfRocr);
  for (const char* name : {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES",
                           "GPU_DEVICE_ORDINAL"}) {
    if (below_hip && std::string_view(name) != "ROCR_VISIBLE_DEVICES") break;
    if (!variable_or_empty(machine, name).empty())
      return {pass(std::string(name) + " chooses among the integrated and the discrete GPU")};
  }
  const bool differ = integrated->gfx && discrete->gfx && *integrated->gfx != *discrete->gfx;
  // What has code for the discrete GPU and none for the integrated one fails on the latter.
  bool fails_there = false;
  if (differ && lacks_code(context)) {
    const auto own = libraries_with(machine, *integrated->gfx);
    for (const std::string& path : libraries_with(machine, *discrete->gfx))
      fails_there |= std::find(own.begin(), own.end(), path) == own.end();
    fails_there &= !app_log_has(context, *discrete->gfx) || app_log_has(context, *integrated->gfx);
    // HIP names each target without code: where the discrete one is among them it is not alone.
    fails_there &= !app_log_has(context, "for ISA: *" + *discrete->gfx);
  }
  Finding finding = passing("an integrated GPU is enumerated beside the discrete one")
                        .saw(gpu_name(*integrated) + " and " + gpu_name(*discrete) +
                             ", no visibility variable set")
                        .saw(fails_there ? "libraries here have code for " + *discrete->gfx +
                                               " and none for " + *integrated->gfx
                                         : "")
                        .sees("igpu-beside-dgpu-without-a-mask")
                        .fix({"export ROCR_VISIBLE_DEVICES=0"});
  if (fails_there) finding.seen.push_back("code-missed-that-only-the-igpu-lacks");
  if (differ && app_log_has(context, *integrated->gfx) && !app_log_has(context, *discrete->gfx) &&
      someone_complains(context)) {
    finding.evidence.push_back("what was said names " + *integrated->gfx + " alone");
    finding.seen.push_back("integrated-gpu-alone-is-named");
  }
  if (const auto node = faulting_node(context)) {
    if (integrated->kfd_node && *integrated->kfd_node == *node) {
      finding.evidence.push_back("the fault is of KFD's node " + std::to_string(*node) +
                                 ", the integrated GPU");
      finding.seen.push_back("integrated-gpu-faulted");
    } else if (discrete->kfd_node && *discrete->kfd_node == *node) {
      finding.seen.push_back("discrete-gpu-faulted");
    }
  }
  return {finding};
}

}  // namespace

extern const Check kIgpuBesideDgpu;
constinit const Check kIgpuBesideDgpu{
    .code = "RV306",
    .id = "igpu-beside-dgpu",
    .topic = "detection",
    .title = "An integrated GPU is enumerated beside the discrete one",
    .doc = kIgpuBesideDgpuDoc,
    .run = run_igpu_beside_dgpu};

}  // namespace rocvet
