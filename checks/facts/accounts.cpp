#include "checks/facts/accounts.h"

#include <algorithm>

#include "base/terminal_codes.h"
#include "base/text.h"
#include "checks/facts/deep.h"
#include "checks/facts/gpus.h"
#include "checks/logs/tool_output.h"
#include "machine/gpu_tools.h"

namespace rocvet {
namespace {

std::string bare(const std::string& gfx) {
  return gfx.substr(0, gfx.find(':'));
}

Sighting sighting(const std::optional<std::string>& bdf, std::optional<int> node,
                  const std::string& gfx, const std::string& name) {
  Sighting seen;
  seen.place = place_of(bdf.value_or(""));
  seen.node = node;
  seen.gfx = bare(gfx);
  seen.label = !seen.gfx.empty() ? seen.gfx : name.empty() ? "a GPU" : name;
  if (bdf) {
    seen.label += " at " + *bdf;
  } else if (node) {
    seen.label += ", KFD node " + std::to_string(*node);
  }
  return seen;
}

Testimony account_of(std::string who, const DeepProbe& probe) {
  Testimony account{std::move(who), {}, true};
  for (const DeepDevice& device : probe.devices) {
    account.gpus.push_back(
        sighting(device.bdf, device.kfd_node, device.gfx.value_or(""), device.name.value_or("")));
  }
  return account;
}

/// Only an answer counts: a library that failed tells nothing of GPUs.
const DeepProbe* answered(const Machine& machine, std::string_view id) {
  const DeepProbe* probe = deep_probe(machine, id);
  if (probe == nullptr || (probe->outcome != DeepProbe::Outcome::works &&
                           probe->outcome != DeepProbe::Outcome::no_device))
    return nullptr;
  return probe;
}

bool same(const Sighting& a, const Sighting& b) {
  if (a.node && b.node) return *a.node == *b.node;
  return a.place == b.place;
}

}  // namespace

std::string place_of(const std::string& bdf) {
  const std::size_t dot = bdf.rfind('.');
  return dot == bdf.npos ? std::string() : lower(bdf.substr(0, dot));
}

std::optional<Testimony> hsa_account(const Machine& machine) {
  if (const DeepProbe* probe = answered(machine, "hsa"))
    return account_of("ROCr (hsa_iterate_agents)", *probe);
  const std::string_view text = tool_output(machine, "rocminfo");
  // A rocminfo that failed lists nothing at all, not even the CPU.
  if (text.find("Agent ") == text.npos) return std::nullopt;
  Testimony account{"rocminfo", {}, false};
  for (const Gpu& gpu : gpus_from_rocminfo(strip_terminal_codes(text))) {
    account.gpus.push_back(sighting(gpu.bdf.optional(), gpu.kfd_node.optional(),
                                    gpu.gfx.value_or(""), gpu.name.value_or("")));
  }
  return account;
}

std::optional<Testimony> hip_account(const Machine& machine) {
  const DeepProbe* probe = answered(machine, "hip");
  if (probe == nullptr) return std::nullopt;
  return account_of("HIP (hipGetDeviceCount)", *probe);
}

std::vector<Testimony> smi_accounts(const Machine& machine) {
  std::vector<Testimony> accounts;
  if (const DeepProbe* probe = answered(machine, "rocm-smi"))
    accounts.push_back(account_of("ROCm SMI", *probe));
  if (const DeepProbe* probe = answered(machine, "amd-smi"))
    accounts.push_back(account_of("AMD SMI", *probe));
  return accounts;
}

Testimony kfd_account(const Machine& machine) {
  Testimony account{"KFD's topology", {}, false};
  for (const Gpu* gpu : kfd_gpus(machine)) {
    account.gpus.push_back(sighting(gpu->bdf.optional(), gpu->kfd_node.optional(),
                                    gpu->gfx.value_or(""), gpu->name.value_or("")));
  }
  return account;
}

std::vector<const Sighting*> not_in(const Testimony& all, const Testimony& some) {
  std::vector<bool> taken(some.gpus.size(), false);
  std::vector<const Sighting*> left;
  for (const Sighting& one : all.gpus) {
    bool found = false;
    for (std::size_t i = 0; i < some.gpus.size() && !found; ++i) {
      if (taken[i] || !same(one, some.gpus[i])) continue;
      taken[i] = found = true;
    }
    if (!found) left.push_back(&one);
  }
  return left;
}

std::string labels(const std::vector<const Sighting*>& gpus) {
  std::vector<std::string> names;
  for (const Sighting* one : gpus) {
    if (names.size() == 4 && gpus.size() > 5) {
      names.push_back("and " + std::to_string(gpus.size() - 4) + " more");
      break;
    }
    names.push_back(one->label);
  }
  return join(names, ", ");
}

const Gpu* gpu_of(const Machine& machine, const Sighting& sighting) {
  for (const Gpu& gpu : machine.gpus) {
    if (sighting.node && gpu.kfd_node && *gpu.kfd_node == *sighting.node) return &gpu;
  }
  for (const Gpu& gpu : machine.gpus) {
    if (!sighting.place.empty() && gpu.bdf && place_of(*gpu.bdf) == sighting.place) return &gpu;
  }
  return nullptr;
}

}  // namespace rocvet
