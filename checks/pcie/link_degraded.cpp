#include "base/text.h"
#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr std::string_view kLinkDegradedDoc = R"(
## What it looks for
Current speed and width of the link of each busy GPU against the smaller of what the GPU and the
port above it can do.

## Why it matters
Copies between host and GPU slow down in proportion. Idle links drop their speed on purpose, so an
idle GPU's speed says nothing; its width does.

## How to mend it
Reseat the card, replace the riser, try another slot, check the BIOS slot speed and bifurcation.

## Not this
A slot that has fewer lanes than the card.

## References
- https://docs.kernel.org/PCI/sysfs-pci.html
- https://man7.org/linux/man-pages/man8/lspci.8.html
)";

std::vector<Finding> run_link_degraded(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  Judged judged;
  for (const Gpu* card : cards(machine)) {
    const Gpu& gpu = *card;
    if (gpu.kind == GpuKind::apu || !judged.has(gpu.pcie.current_width, gpu.pcie.max_width))
      continue;
    // Cards with switches of their own (Vega 20, RDNA) talk to them at full width; the hop that can
    // be degraded is the one between the slot and the card.
    // What the card can do at the slot, the upstream port of its switch says: many have 8 lanes.
    const PcieHop *root = nullptr, *port = nullptr, *inlet = nullptr;
    if (gpu.path && !gpu.path->empty()) {
      root = &gpu.path->front();
      for (const PcieHop& hop : *gpu.path) {
        const bool own = hop.vendor_id.value_or("") == "1002" && hop.pci_class;
        if (!own) port = &hop;
        if (own && inlet == nullptr) inlet = &hop;
      }
    }
    PcieLink link = gpu.pcie;
    int most_width = *gpu.pcie.max_width;
    double most_speed = gpu.pcie.max_gts.value_or(0);
    if (port != nullptr && port->link.max_width && port->link.current_width) {
      most_width = std::min(most_width, *port->link.max_width);
      if (port->link.max_gts) most_speed = std::min(most_speed, *port->link.max_gts);
      link = port->link;
    } else if (root != nullptr && root->link.max_width) {
      most_width = std::min(most_width, *root->link.max_width);
      if (root->link.max_gts) most_speed = std::min(most_speed, *root->link.max_gts);
    }
    if (inlet != nullptr && inlet->link.max_width) {
      most_width = std::min(most_width, *inlet->link.max_width);
      if (inlet->link.max_gts) most_speed = std::min(most_speed, *inlet->link.max_gts);
    }
    const Result<std::uint64_t>& busy = gpu.sensors.busy_percent;
    const bool working = busy && *busy >= 30;
    const int width = link.current_width.value_or(0);
    const double speed = link.current_gts.value_or(0);
    const bool narrow = width > 0 && width < most_width;
    const bool below = speed > 0 && most_speed > 0 && speed < most_speed * 0.9;
    // One that sleeps (unsupported) is idle.
    const bool untold = !busy && !busy.is_missing() && !busy.is(Error::Kind::unsupported);
    if (!narrow && !(below && (working || untold))) continue;
    const std::string now = fixed(speed, 1) + " GT/s x" + std::to_string(width),
                      can = fixed(most_speed, 1) + " GT/s x" + std::to_string(most_width);
    // A narrow link of an idle card may be a power-saving width.
    const bool sure = working || people_say(context, {"slow", "bandwidth"}) ||
                      said(context, "pcie-link-degraded") >= 0.2;
    if (untold && !(sure && narrow)) {
      findings.push_back(unknown(busy.error(), gpu_label(gpu)));
      continue;
    }
    findings.push_back(
        (sure ? warning("the PCIe link runs at " + now + ", both ends can do " + can)
              : passing("the PCIe link runs at " + now + " while idle, both ends can do " + can))
            .about(gpu_label(gpu))
            .saw("current " + now + ", possible " + can +
                 (busy ? ", busy " + std::to_string(*busy) + " %" : ""))
            .sees(working ? ObservationName("busy-link-below-both-ends")
                          : "link-narrower-than-both-ends"));
  }
  return judged.rest(std::move(findings),
                     "of " + counted(judged.number(), "PCIe link", "PCIe links") +
                         " none is narrower than both ends can, and none slower under load",
                     "no GPU here has a PCIe link of its own");
}

}  // namespace

extern const Check kLinkDegraded;
constinit const Check kLinkDegraded{.code = "RV1101",
                                    .id = "link-degraded",
                                    .topic = "pcie",
                                    .title = "A PCIe link runs below what both ends can do",
                                    .doc = kLinkDegradedDoc,
                                    .run = run_link_degraded};

}  // namespace rocvet
