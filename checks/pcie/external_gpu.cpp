#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kExternalGpuDoc = R"(
## What it looks for
A GPU that the kernel marks as removable: it hangs on Thunderbolt or USB4.

## Why it matters
The tunnel carries four lanes of an old generation, shared with everything else on the cable, and
the link is lost when the cable is. Copies are slow, and runtime suspend is a common trouble.

## How to mend it
Nothing is wrong. Keep models on the GPU; plug it in before booting.

## Not this
A card in a slot, and one on an OCuLink cable, which the kernel takes for a slot.

## References
- https://docs.kernel.org/admin-guide/thunderbolt.html
)";

std::vector<Finding> run_external_gpu(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  Judged judged;
  for (const Gpu* gpu : cards(context.machine)) {
    if (!judged.has(gpu->pci.removable) || !*gpu->pci.removable) continue;
    return passing("the GPU sits outside the machine")
        .about(gpu_label(*gpu))
        .saw("removable: removable")
        .sees("gpu-outside-the-machine");
  }
  return judged.rest(
      {}, "of " + counted(judged.number(), "GPU", "GPUs") + " none sits outside the machine",
      "the kernel marks no GPU here as removable");
}

}  // namespace

extern const Check kExternalGpu;
constinit const Check kExternalGpu{.code = "RV1115",
                                   .id = "external-gpu",
                                   .topic = "pcie",
                                   .title = "The GPU sits outside the machine",
                                   .doc = kExternalGpuDoc,
                                   .run = run_external_gpu};

}  // namespace rocvet
