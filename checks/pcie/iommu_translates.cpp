#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr std::string_view kIommuTranslatesDoc = R"(
## What it looks for
An active IOMMU without passthrough (iommu=pt) on a machine with several discrete GPUs.

## Why it matters
RCCL warns that it may hang; peer traffic in translated mode does hang on some platforms.

## How to mend it
iommu=pt on the kernel command line, reboot.

## Not this
One GPU, a desktop, or an IOMMU that is off.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/reference/system-requirements.html
- https://docs.kernel.org/admin-guide/kernel-parameters.html
)";

std::vector<Finding> run_iommu_translates(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  std::size_t discrete = 0;
  bool translated = false, identity = false;
  for (const Gpu& gpu : machine.gpus) {
    discrete += gpu.kind == GpuKind::dgpu;
    if (!gpu.iommu_group_type) continue;
    (gpu.iommu_group_type->starts_with("DMA") ? translated : identity) = true;
  }
  if (discrete < 2) return {none_here("there are no two discrete GPUs", Absence::gpu)};
  if (!machine.iommu.units)
    return {unread(machine.iommu.units.error(), "the kernel has no IOMMUs")};
  if (machine.iommu.units->empty()) return {pass("the IOMMU is off")};
  if (machine.iommu.passthrough_asked.value_or(false) || (identity && !translated))
    return {pass("the IOMMU passes the GPUs' traffic through")};
  if (!translated && machine.iommu.group_types) {
    for (const auto& [group, type] : *machine.iommu.group_types)
      translated |= type.starts_with("DMA");
  }
  const bool stated = said(context, "iommu-not-passthrough") > 0;
  return Say(stated ? Verdict::fail : Verdict::pass,
             stated ? "the IOMMU translates the traffic of several GPUs"
                    : "the IOMMU translates; iommu=pt is advised for several GPUs")
      .saw("no iommu=pt on the kernel command line")
      .saw(translated ? "IOMMU groups of type DMA" : "")
      .sees("iommu-on-without-passthrough")
      .fix(add_kernel_parameter(machine, "iommu=pt"))
      .verify("cat /proc/cmdline")
      .root()
      .reboot();
}

}  // namespace

extern const Check kIommuTranslates;
constinit const Check kIommuTranslates{.code = "RV1106",
                                       .id = "iommu-translates",
                                       .topic = "pcie",
                                       .title = "The IOMMU translates the traffic of several GPUs",
                                       .doc = kIommuTranslatesDoc,
                                       .run = run_iommu_translates};

}  // namespace rocvet
