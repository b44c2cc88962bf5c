#include <algorithm>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/modules.h"
#include "checks/facts/targets.h"

namespace rocvet {
namespace {

constexpr std::string_view kHsaOverrideDoc = R"(
## What it looks for
HSA_OVERRIDE_GFX_VERSION against the GPU's own target and the targets that the installed libraries
have.

## Why it matters
The override makes ROCr hand out code of another ISA. That helps where libraries lack the GPU's
target and the other ISA is compatible; else programs fault, hang or compute nonsense. It applies
to every GPU of the machine.

## How to mend it
Unset it where the libraries have the native target. Where one of several GPUs needs it, set it
per device: HSA_OVERRIDE_GFX_VERSION_<n>.

## Not this
An override that does not reach the process: RV603.

## References
- https://github.com/ollama/ollama/blob/main/docs/gpu.mdx
- https://llvm.org/docs/AMDGPUUsage.html#processors
- https://github.com/ROCm/rocBLAS/issues/1339
)";

/// Whether every GPU of this target is the processor's own.
bool is_integrated_only(const Machine& machine, const std::string& gfx) {
  return std::ranges::all_of(machine.gpus, [&](const Gpu& gpu) {
    return !gpu.gfx || *gpu.gfx != gfx || gpu.kind == GpuKind::apu;
  });
}

/// Whether a card runs as that target and has no libraries of its own.
bool helps_a_card(const Context& context, const std::string& as) {
  return std::ranges::any_of(context.machine.gpus, [&](const Gpu& gpu) {
    return gpu.kind == GpuKind::dgpu && gpu.gfx && *gpu.gfx != as &&
           context.db.runs_code_of(*gpu.gfx, as) &&
           libraries_with(context.machine, *gpu.gfx).empty();
  });
}

/// A framework that lacks the GPU's own target and has the other one runs by the override alone,
/// whatever other libraries have.
bool a_framework_needs_it(const Machine& machine, const std::string& real, const std::string& as) {
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& one : python.frameworks) {
      if (is_base_framework(one.name) && !one.gfx.empty() && !any_target_fits(one.gfx, real) &&
          any_target_fits(one.gfx, as))
        return true;
    }
  }
  return false;
}

/// HSA_OVERRIDE_GFX_VERSION_<n> is of KFD's node n alone, which is not always the card that is
/// meant.
std::vector<Finding> of_single_nodes(const Context& context) {
  const Machine& machine = context.machine;
  std::vector<Finding> findings;
  for (const Gpu& gpu : machine.gpus) {
    if (!gpu.kfd_node || !gpu.gfx) continue;
    const std::string name = "HSA_OVERRIDE_GFX_VERSION_" + std::to_string(*gpu.kfd_node);
    const auto set = effective_variable(machine, name);
    if (!set) continue;
    const std::string as = gfx_of_override(set->value);
    if (context.db.runs_code_of(*gpu.gfx, as)) continue;
    const bool crosses = gfx_major(*gpu.gfx) != gfx_major(as);
    findings.push_back(failing(as.empty() ? name + " is malformed: it wants MAJOR.MINOR.STEPPING"
                                          : name + " makes this " + *gpu.gfx + " a " + as)
                           .about(gpu_label(gpu))
                           .saw(name + "=" + set->value + " (" + set->where + "), and node " +
                                std::to_string(*gpu.kfd_node) + " is " + gpu_label(gpu))
                           .sees(as.empty() ? ObservationName("override-malformed")
                                 : crosses  ? ObservationName("override-of-another-generation")
                                            : ObservationName("override-not-known-compatible"))
                           .fix({Step("unset {}", name)}));
  }
  return findings;
}

std::vector<Finding> run_hsa_override(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  const auto set = effective_variable(machine, "HSA_OVERRIDE_GFX_VERSION");
  if (!set) return or_pass(of_single_nodes(context), "HSA_OVERRIDE_GFX_VERSION is not set");
  const std::string as = gfx_of_override(set->value);
  const std::string saw = "HSA_OVERRIDE_GFX_VERSION=" + set->value + " (" + set->where + ")";
  if (as.empty())
    return failing("HSA_OVERRIDE_GFX_VERSION is malformed: it wants MAJOR.MINOR.STEPPING")
        .saw(saw)
        .sees("override-malformed")
        .fix({"unset HSA_OVERRIDE_GFX_VERSION"});
  const auto present = gfx_present(machine);
  std::vector<Finding> findings;
  for (const std::string& real : present) {
    if (real == as) continue;
    // One variable for all GPUs: what helps the card is forced upon the processor's own.
    if (is_integrated_only(machine, real) && helps_a_card(context, as)) {
      findings.push_back(warning("the override that the card runs by makes the integrated " + real +
                                 " a " + as + " too")
                             .saw(saw)
                             .sees("override-forced-on-the-integrated-gpu")
                             .fix({"export ROCR_VISIBLE_DEVICES=0   # the card alone"}));
      continue;
    }
    const auto native = libraries_with(machine, real);
    const bool compatible = context.db.runs_code_of(real, as);
    const bool crosses = gfx_major(real) != gfx_major(as);
    if (!native.empty() && !a_framework_needs_it(machine, real, as))
      // Within a generation it does little harm, and may have been of use to another program.
      findings.push_back(
          Say(crosses ? Verdict::fail : Verdict::warn,
              "the override makes a " + real + " a " + as + ", though the libraries have " + real)
              .saw(saw)
              .saw(native.front() + " has code for " + real)
              .sees("override-though-code-is-there")
              .fix({"unset HSA_OVERRIDE_GFX_VERSION"}));
    else if (crosses)
      findings.push_back(
          failing("the override makes a " + real + " a " + as + ", another generation")
              .saw(saw)
              .sees("override-of-another-generation")
              .fix({"unset HSA_OVERRIDE_GFX_VERSION"}));
    else if (!compatible)
      findings.push_back(warning("the override makes a " + real + " a " + as +
                                 ", which is not known to be compatible")
                             .saw(saw)
                             .sees("override-not-known-compatible")
                             .fix({"unset HSA_OVERRIDE_GFX_VERSION"}));
    else if (present.size() > 1)
      findings.push_back(
          warning("one override for GPUs of different targets")
              .saw(saw)
              .sees("one-override-for-several-targets")
              .fix({Step("export HSA_OVERRIDE_GFX_VERSION_0={}   # per device", set->value)}));
  }
  return or_pass(std::move(findings), "the override is compatible with the GPU");
}

}  // namespace

extern const Check kHsaOverride;
constinit const Check kHsaOverride{.code = "RV601",
                                   .id = "hsa-override",
                                   .topic = "environment",
                                   .title = "HSA_OVERRIDE_GFX_VERSION does more harm than good",
                                   .doc = kHsaOverrideDoc,
                                   .run = run_hsa_override};

}  // namespace rocvet
