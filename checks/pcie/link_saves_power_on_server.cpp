#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
The policy powersave or powersupersave of PCIe link power management on a machine with Instinct
GPUs.

## Why it matters
The link sleeps between transfers and wakes for each; small copies and collectives take longer, and
some boards lose the link when it wakes.

## How to mend it
`echo performance | sudo tee /sys/module/pcie_aspm/parameters/policy`, or pcie_aspm=off on the
command line.

## Not this
Laptops and desktops, where it is meant; the policy "default", which is the firmware's.

## References
- https://docs.kernel.org/admin-guide/kernel-parameters.html
- https://rocm.docs.amd.com/en/latest/how-to/system-optimization/index.html
)";

std::vector<Finding> run(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!any_instinct(context)) return {skip("there is no data-centre GPU here")};
  const std::string policy = setting(context.machine, "pcie_aspm policy");
  if (policy.empty()) return {skip("the policy is not known")};
  if (policy != "powersave" && policy != "powersupersave")
    return {pass("the policy of PCIe links is " + policy)};
  return warning("the links of data-centre GPUs save power")
      .saw("pcie_aspm policy: " + policy)
      .fix({"echo performance | sudo tee /sys/module/pcie_aspm/parameters/policy"})
      .undo(Step("echo {} | sudo tee /sys/module/pcie_aspm/parameters/policy", policy))
      .root();
}

}  // namespace

extern const Check kLinkSavesPowerOnServer;
constinit const Check kLinkSavesPowerOnServer{.code = "RV1112",
                                              .id = "link-saves-power-on-server",
                                              .topic = "pcie",
                                              .title = "The links of data-centre GPUs save power",
                                              .doc = kDoc,
                                              .run = run};

}  // namespace rocvet
