#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/accounts.h"
#include "checks/facts/deep.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kSmiSeesOtherGpusDoc = R"(
## What it looks for
With --deep: whether ROCm SMI and AMD SMI list each card that amdgpu drives, by PCI address, and no
other.

## Why it matters
Monitoring, schedulers and telemetry use these libraries. A card they do not list is never watched,
and one that only they list has vanished from the bus since.

## How to mend it
Take the SMI library of the same ROCm release as the driver; in a container pass the whole of /sys.
A card that vanished: `sudo dmesg | grep -i -E 'amdgpu|pcie'`.

## Not this
ROCr and HIP leaving out a GPU: RV320.

## References
- https://rocm.docs.amd.com/projects/amdsmi/en/latest/
- https://rocm.docs.amd.com/projects/rocm_smi_lib/en/latest/
)";

/// KFD lists no card that amdgpu does not drive.
bool is_driven(const Gpu& gpu) {
  return gpu.kfd_node.has_value() || (gpu.driver && *gpu.driver == "amdgpu");
}

/// Cards that amdgpu drives, partitions counted once.
Testimony driven_cards(const Machine& machine) {
  Testimony cards{"the driver (/sys/bus/pci)", {}, false};
  for (const Gpu& gpu : machine.gpus) {
    const auto& bdf = gpu.card_bdf ? gpu.card_bdf : gpu.bdf;
    if (!is_driven(gpu) || !bdf) continue;
    const Sighting seen{place_of(*bdf), {}, "", gpu_name(gpu) + " at " + *bdf};
    bool known = false;
    for (const Sighting& one : cards.gpus) known |= one.place == seen.place;
    if (!known) cards.gpus.push_back(seen);
  }
  return cards;
}

/// Each place once: AMD SMI lists a partition as a processor.
Testimony once(const Testimony& account) {
  Testimony cards{account.who, {}, account.here};
  for (const Sighting& seen : account.gpus) {
    bool known = false;
    for (const Sighting& one : cards.gpus) known |= one.place == seen.place;
    if (known || seen.place.empty()) continue;  // one without an address is compared with nothing
    cards.gpus.push_back(seen);
    cards.gpus.back().node.reset();
  }
  return cards;
}

std::vector<Finding> run_smi_sees_other_gpus(const Context& context) {
  const Machine& machine = context.machine;
  const std::vector<Testimony> accounts = smi_accounts(machine);
  if (accounts.empty()) return {not_asked(machine, "no SMI library was asked")};
  if (machine.surroundings.wsl) return {skip("WSL has no PCI device to compare with")};
  for (const Gpu& gpu : machine.gpus) {
    const bool known = gpu.driver.has_value() || gpu.driver.is_missing();
    if (!is_driven(gpu) && !known) return {unknown(gpu.driver.error())};
    if (is_driven(gpu) && !gpu.bdf && !gpu.card_bdf) return {unknown(gpu.bdf.error())};
  }
  const Testimony cards = driven_cards(machine);
  std::vector<Finding> findings;
  for (const Testimony& account : accounts) {
    const Testimony listed = once(account);
    const auto lost = not_in(cards, listed), extra = not_in(listed, cards);
    if (lost.empty() && extra.empty()) continue;
    findings.push_back(
        warning(account.who + " and the driver tell of different cards")
            .about(account.who)
            .saw(lost.empty() ? "" : account.who + " does not list " + labels(lost))
            .saw(extra.empty() ? "" : "only " + account.who + " lists " + labels(extra)));
  }
  return or_pass(std::move(findings), "the SMI libraries list the driver's cards");
}

}  // namespace

extern const Check kSmiSeesOtherGpus;
constinit const Check kSmiSeesOtherGpus{.code = "RV321",
                                        .id = "smi-sees-other-gpus",
                                        .topic = "detection",
                                        .title = "An SMI library lists other cards than the driver",
                                        .doc = kSmiSeesOtherGpusDoc,
                                        .run = run_smi_sees_other_gpus};

}  // namespace rocvet
