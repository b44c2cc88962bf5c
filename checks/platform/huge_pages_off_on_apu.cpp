#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
/sys/kernel/mm/transparent_hugepage/enabled is "never" on a machine with MI300A.

## Why it matters
Its GPU works in the same memory as the processor and reaches it by the processor's page tables.
With 4 KiB pages its translation cache covers almost nothing; AMD asks for "always".

## How to mend it
`echo always | sudo tee /sys/kernel/mm/transparent_hugepage/enabled`

## Not this
Cards with memory of their own.

## References
- https://instinct.docs.amd.com/projects/amdgpu-docs/en/latest/system-optimization/mi300a.html
- https://docs.kernel.org/admin-guide/mm/transhuge.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  bool here = false;
  for (const Gpu& gpu : machine.gpus)
    here |= gpu.kind == GpuKind::apu && gpu.gfx && *gpu.gfx == "gfx942";
  if (!here) return {skip("there is no MI300A here")};
  if (!machine.kernel.transparent_hugepages)
    return {unread(machine.kernel.transparent_hugepages.error(),
                   "the kernel has no transparent huge pages")};
  const std::string& mode = *machine.kernel.transparent_hugepages;
  if (mode != "never") return {pass("transparent huge pages: " + mode)};
  return warning("transparent huge pages are off")
      .saw("transparent_hugepage/enabled: never")
      .fix({"echo always | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"})
      .undo("echo never | sudo tee /sys/kernel/mm/transparent_hugepage/enabled")
      .root();
}

}  // namespace

extern const Check kHugePagesOffOnApu;
constinit const Check kHugePagesOffOnApu{.code = "RV1316",
                                         .id = "huge-pages-off-on-apu",
                                         .topic = "platform",
                                         .title = "Transparent huge pages are off on an MI300A",
                                         .doc = kDoc,
                                         .run = run};

}  // namespace rocvet
