#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kPeersFailTogetherDoc = R"(
## What it looks for
A person's words on a machine with several GPUs connected by PCIe: each GPU alone is well, and
together they hang or compute something wrong.

## Why it matters
What only several GPUs do is to copy to each other. Where the platform loses or delays such copies,
programs hang, and models answer nonsense, without any error.

## How to mend it
Switch peer copies off: NCCL_P2P_DISABLE=1 for RCCL, `amdgpu.pcie_p2p=0` for all. Then look for the
reason: IOMMU, Access Control Services, a slot of the chipset.

## Not this
GPUs that fail alone, too.

## References
- https://rocm.docs.amd.com/projects/rccl/en/latest/how-to/troubleshooting-rccl.html
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
)";

/// The line in which somebody says that one GPU alone is well; "" where nobody does.
std::string alone_is_well(const Context& context) {
  const Knowledge& knowledge = context.db.knowledge();
  const auto &alone = knowledge.words("one-gpu-alone"), &well = knowledge.words("is-well");
  std::string found;
  each_line(spoken(context), [&](std::string_view raw) {
    if (!found.empty() || raw.size() > 600) return;
    const std::string line = lower(raw);
    if (contains_one(line, alone) && contains_one(line, well)) found = raw;
  });
  return found;
}

std::vector<Finding> run_peers_fail_together(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  if (context.machine.gpus.size() < 2) return {none_here("there is one GPU", Absence::gpu)};
  const std::string line = alone_is_well(context);
  if (line.empty() || !app_log_has_one(context, "several-fail"))
    return {skip("nobody says that one GPU is well and several are not")};
  return warning("one GPU alone is well, and several together are not, as somebody says")
      .saw(line.substr(0, 240))
      .sees("several-gpus-fail-where-one-works")
      .fix({"export NCCL_P2P_DISABLE=1", "add amdgpu.pcie_p2p=0 to the kernel command line"});
}

}  // namespace

extern const Check kPeersFailTogether;
constinit const Check kPeersFailTogether{.code = "RV623",
                                         .id = "peers-fail-together",
                                         .topic = "environment",
                                         .title = "Several GPUs fail where each alone works",
                                         .doc = kPeersFailTogetherDoc,
                                         .run = run_peers_fail_together};

}  // namespace rocvet
