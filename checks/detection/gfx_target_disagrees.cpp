#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/accounts.h"
#include "checks/facts/deep.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kGfxTargetDisagreesDoc = R"(
## What it looks for
The gfx target of each GPU as KFD tells it, against what ROCr (rocminfo) and HIP name for the same
GPU.

## Why it matters
Code is chosen by the name that HIP gives. HSA_OVERRIDE_GFX_VERSION makes ROCr give another name;
code for a target with other instructions or registers hangs, faults or computes wrongly.

## How to mend it
unset HSA_OVERRIDE_GFX_VERSION where the GPU is supported by its own name; without such a variable
the runtime is not of this machine (a copied output, a simulator, a patched library).

## Not this
Whether an override in force is a harmful one: RV601.

## References
- https://rocm.docs.amd.com/en/latest/reference/env-variables.html
- https://llvm.org/docs/AMDGPUUsage.html#processors
)";

std::vector<Finding> run_gfx_target_disagrees(const Context& context) {
  const Machine& machine = context.machine;
  std::vector<Testimony> accounts;
  if (auto hsa = hsa_account(machine)) accounts.push_back(std::move(*hsa));
  if (auto hip = hip_account(machine)) accounts.push_back(std::move(*hip));
  if (accounts.empty()) return {not_asked(machine, "neither ROCr nor HIP was asked")};
  std::string override_text;
  if (machine.process.environment) {
    for (const auto& [name, value] : *machine.process.environment) {
      if (name.starts_with("HSA_OVERRIDE_GFX_VERSION"))
        override_text += (override_text.empty() ? "" : ", ") + name + "=" + value;
    }
  }
  std::vector<Finding> findings;
  for (const Testimony& account : accounts) {
    for (const Sighting& seen : account.gpus) {
      const Gpu* gpu = gpu_of(machine, seen);
      if (gpu == nullptr || !gpu->gfx || gpu->gfx_source != "kfd" || seen.gfx.empty()) continue;
      if (*gpu->gfx == seen.gfx || seen.gfx.find("generic") != seen.gfx.npos) continue;
      const std::string what = "KFD says " + *gpu->gfx + ", " + account.who + " says " + seen.gfx;
      if (account.here && !machine.process.environment) {
        findings.push_back(unknown(machine.process.environment.error(), gpu_label(*gpu)));
        continue;
      }
      // The variables of a captured output are not known for sure.
      const bool explained = !override_text.empty() || !account.here;
      Finding said = (explained ? passing(what) : failing(what))
                         .about(gpu_label(*gpu))
                         .saw(override_text.empty() ? "no HSA_OVERRIDE_GFX_VERSION in this process"
                                                    : override_text)
                         .sees("runtime-names-another-target");
      findings.push_back(std::move(said));
    }
  }
  return or_pass(std::move(findings), "KFD, ROCr and HIP name the same targets");
}

}  // namespace

extern const Check kGfxTargetDisagrees;
constinit const Check kGfxTargetDisagrees{
    .code = "RV322",
    .id = "gfx-target-disagrees",
    .topic = "detection",
    .title = "The runtime gives the GPU another gfx name than the kernel",
    .doc = kGfxTargetDisagreesDoc,
    .run = run_gfx_target_disagrees};

}  // namespace rocvet
