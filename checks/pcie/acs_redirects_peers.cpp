#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/links.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"
#include "checks/logs/tool_output.h"

namespace rocvet {
namespace {

constexpr std::string_view kAcsRedirectsPeersDoc = R"(
## What it looks for
ACSCtl of the bridges above the GPUs (lspci -vvv): ReqRedir+ and CmpltRedir+, on bare metal with
several GPUs, or where a test of GPU memory over the network (perftest) is shown.

## Why it matters
Peer-to-peer traffic then goes up to the root complex and back: slow, or a hang with the IOMMU.

## How to mend it
Switch ACS off in the BIOS, or clear it at boot with setpci.

## Not this
A host that passes GPUs to virtual machines, which needs it.

## References
- https://docs.kernel.org/driver-api/pci/p2pdma.html
- https://rocm.docs.amd.com/projects/rccl/en/latest/how-to/troubleshooting-rccl.html
)";

std::vector<Finding> run_acs_redirects_peers(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  // A network card is a peer too.
  constexpr std::string_view kNetwork[] = {"ib_write_bw", "ib_read_bw", "use_rocm", "gpudirect",
                                           "rdma"};
  constexpr std::string_view kPeers[] = {"copy peak bandwidth", "peer copy", "peer copies",
                                         "peer-to-peer", "p2p bandwidth"};
  const bool by_network = app_log_has_one(context, kNetwork);
  if (!several_on_pcie(machine) && !by_network)
    return {none_here("there are no two GPUs connected by PCIe alone", Absence::gpu)};
  if (machine.surroundings.virtual_machine.value_or(false))
    return {skip("the bridges are virtual")};
  std::vector<std::string> on;
  for (const LspciDevice& device : lspci_devices(machine)) {
    const std::string line = device.line_with("ACSCtl");
    if (device.is_bridge() && line.find("ReqRedir+") != line.npos &&
        line.find("CmpltRedir+") != line.npos)
      on.push_back(device.bdf + " " + line);
  }
  if (on.empty())
    return {tool_output(machine, "lspci-vvnn").empty() ? none_here("lspci -vvv was not captured")
                                                       : pass("no bridge redirects peer traffic")};
  const bool stated = said(context, "acs-blocks-p2p") > 0 || by_network ||
                      (person_speaks(context) && app_log_has_one(context, kPeers));
  return Say(stated ? Verdict::fail : Verdict::pass,
             stated ? "bridges above the GPUs redirect peer traffic"
                    : "bridges redirect peer traffic (ACS)")
      .saw(on)
      .sees("bridges-redirect-peer-traffic");
}

}  // namespace

extern const Check kAcsRedirectsPeers;
constinit const Check kAcsRedirectsPeers{.code = "RV1105",
                                         .id = "acs-redirects-peers",
                                         .topic = "pcie",
                                         .title = "Access Control Services redirect peer traffic",
                                         .doc = kAcsRedirectsPeersDoc,
                                         .run = run_acs_redirects_peers};

}  // namespace rocvet
