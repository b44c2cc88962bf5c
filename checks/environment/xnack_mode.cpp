#include <optional>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/targets.h"
#include "checks/logs/tool_output.h"

namespace rocvet {
namespace {

constexpr std::string_view kXnackModeDoc = R"(
## What it looks for
The GPU's mode (rocminfo's ISA name, amdgpu.noretry, HSA_XNACK) against the xnack-/xnack+ code
objects of programs and libraries; and HSA_XNACK=1, of the process or a service, where a GPU keeps
it from having its way. KFD has one mode per process, for all GPUs that it may open: MI200 and MI300
can have either, a card of RDNA has none, and beside one no process gets XNACK.

## Why it matters
A code object built for one mode does not load in the other: "Unable to find code object". A
program that was promised page faults dies of the first one: "Memory access fault".

## How to mend it
export HSA_XNACK=0 (or 1) as the libraries need; on APUs amdgpu.noretry=1 on the kernel command
line. Beside another card: a container that is given the GPUs alone that can (--device of their
render nodes); ROCR_VISIBLE_DEVICES does not do.

## Not this
A GPU without any code in the libraries: RV801.

## References
- https://llvm.org/docs/AMDGPUUsage.html#target-features
- https://rocm.docs.amd.com/en/latest/conceptual/gpu-memory.html
- https://github.com/torvalds/linux/blob/v6.8/drivers/gpu/drm/amd/amdkfd/kfd_process.c (kfd_process_xnack_mode)
)";

/// HSA_XNACK=1 that KFD refuses: ROCr goes on without a word.
std::optional<Finding> asked_in_vain(const Machine& machine) {
  const auto asked = effective_variable(machine, "HSA_XNACK");
  const Gpu* keeps = gpu_without_xnack(machine);
  if (!asked || asked->value != "1" || keeps == nullptr) return std::nullopt;
  return Say(Verdict::warn, "HSA_XNACK=1 is set, and no process gets XNACK here")
      .saw(asked->where + ": HSA_XNACK=1")
      .saw(gpu_label(*keeps) + " is " + *keeps->gfx +
           ": KFD gives XNACK to a process only when every GPU that it may open can do it")
      .sees("xnack-asked-in-vain")
      .fix({"unset HSA_XNACK", "or a container with the render nodes of the GPUs that can alone"});
}

std::vector<Finding> run_xnack_mode(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  if (auto vain = asked_in_vain(machine)) findings.push_back(std::move(*vain));
  for (const Gpu& gpu : machine.gpus) {
    if (!gpu.gfx) continue;
    const XnackTargets targets = xnack_targets(machine, *gpu.gfx);
    if (!targets.on && !targets.off) continue;
    const std::optional<bool> mode = xnack_mode(machine, gpu);
    if (!mode) continue;
    if (!*mode && !targets.only_on.empty()) {
      findings.push_back(failing("the GPU runs with XNACK off, and a program is built xnack+")
                             .about(gpu_label(gpu))
                             .saw(targets.only_on.front() + " has " + *gpu.gfx + ":xnack+ only")
                             .saw(xnack_evidence(machine, gpu))
                             .fix({"export HSA_XNACK=1"}));
      continue;
    }
    if (targets.any) continue;  // code without a mode runs in both
    const bool missing_on = *mode && !targets.on, missing_off = !*mode && !targets.off;
    if (!missing_on && !missing_off) continue;
    const std::string want = *mode ? "xnack-" : "xnack+";
    findings.push_back(failing("the GPU runs with XNACK " + std::string(*mode ? "on" : "off") +
                               ", the libraries are built " + want)
                           .about(gpu_label(gpu))
                           .saw(targets.where + " has " + *gpu.gfx + ":" + want + " only")
                           .saw(xnack_evidence(machine, gpu))
                           .fix({Step("export HSA_XNACK={}", *mode ? "0" : "1"),
                                 *mode ? Step("or amdgpu.noretry=1 on the kernel command line")
                                       : Step("or amdgpu.noretry=0 on the kernel command line")}));
  }
  return or_pass(std::move(findings), "the XNACK mode fits the code objects");
}

}  // namespace

extern const Check kXnackMode;
constinit const Check kXnackMode{.code = "RV609",
                                 .id = "xnack-mode",
                                 .topic = "environment",
                                 .title = "The XNACK mode is not the one of the code objects",
                                 .doc = kXnackModeDoc,
                                 .run = run_xnack_mode};

}  // namespace rocvet
