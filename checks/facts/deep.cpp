#include "checks/facts/deep.h"

#include <cstdio>
#include <set>

#include "base/text.h"
#include "checks/facts/gpus.h"
#include "checks/facts/visibility.h"

namespace rocvet {
namespace {

using DeepOutcome = DeepProbe::Outcome;

std::string devices_text(const DeepProbe& probe) {
  std::string text =
      std::to_string(probe.devices.size()) + (probe.devices.size() == 1 ? " GPU" : " GPUs");
  std::vector<std::string> names;
  std::set<std::string> said;
  for (const DeepDevice& device : probe.devices) {
    std::string one = device.gfx ? *device.gfx : device.name.value_or("");
    if (device.bdf && probe.devices.size() <= 4) one += (one.empty() ? "" : " at ") + *device.bdf;
    if (!one.empty() && said.insert(one).second) names.push_back(std::move(one));
  }
  return names.empty() ? text : text + ": " + join(names, ", ");
}

/// "hipErrorNoDevice (100)", "HSA_STATUS_ERROR_OUT_OF_RESOURCES (0x1008)".
std::string status_text(const DeepProbe& probe) {
  if (!probe.status) return probe.status_name;
  char hex[32];
  std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(*probe.status));
  const std::string number = probe.id == "hsa" ? hex : std::to_string(*probe.status);
  return probe.status_name.empty() ? "status " + number : probe.status_name + " (" + number + ")";
}

bool is_smi(const DeepProbe& probe) {
  return probe.id == "rocm-smi" || probe.id == "amd-smi";
}

std::string fact(const DeepProbe& probe, const char* name) {
  const auto found = probe.facts.find(name);
  return found == probe.facts.end() ? std::string() : found->second;
}

bool driven(const Machine& machine) {
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.driver && *gpu.driver == "amdgpu") return true;
  }
  return false;
}

}  // namespace

const DeepProbe* deep_probe(const Machine& machine, std::string_view id) {
  if (!machine.deep) return nullptr;
  for (const DeepProbe& probe : machine.deep->probes) {
    if (probe.id == id) return &probe;
  }
  return nullptr;
}

std::string deep_name(const DeepProbe& probe) {
  if (probe.id == "hip") return "HIP";
  if (probe.id == "hsa") return "ROCr";
  if (probe.id == "rocm-smi") return "ROCm SMI";
  if (probe.id == "amd-smi") return "AMD SMI";
  return probe.subject.empty() ? probe.id : probe.id + " of " + probe.subject;
}

std::string deep_sentence(const DeepProbe& probe) {
  // HIP 5.2 has no words beside the name.
  const bool told = !probe.why.empty() && probe.why != probe.status_name;
  const std::string why = told ? ": " + probe.why : "";
  const std::string status = status_text(probe);
  const std::string answer = status.empty() ? probe.why : probe.call + " answers " + status + why;
  switch (probe.outcome) {
    case DeepOutcome::works:
      return "finds " + devices_text(probe) + (probe.id == "torch" ? ", and multiplies right" : "");
    case DeepOutcome::no_device:
      if (!probe.call.empty()) return answer;
      if (probe.id == "torch" && fact(probe, "hip").empty())
        return fact(probe, "cuda").empty()
                   ? "is a build for the CPU, and imports"
                   : "is a build for CUDA " + fact(probe, "cuda") + ", imports, and finds no GPU";
      return "starts, and finds no GPU";
    case DeepOutcome::refused:
      if (probe.id == "torch") return probe.call + " raises " + probe.status_name + why;
      return answer;
    case DeepOutcome::absent:
      return probe.id == "torch" ? probe.why : "was not found";
    case DeepOutcome::unloadable:
    case DeepOutcome::incomplete:
    case DeepOutcome::crashed:
    case DeepOutcome::hung:
    case DeepOutcome::garbage:
    case DeepOutcome::wrong:
    case DeepOutcome::withheld:
      break;
  }
  return probe.why;
}

bool deep_fault(const Machine& machine, const DeepProbe& probe) {
  switch (probe.outcome) {
    case DeepOutcome::works:
    case DeepOutcome::absent:
    case DeepOutcome::withheld:
      return false;
    case DeepOutcome::no_device:
      if (is_smi(probe)) return driven(machine);
      // A build for something else is another check's business.
      if (probe.id == "torch" && fact(probe, "hip").empty()) return false;
      return has_gpu(machine) && (machine.gpus.empty() || visibility(machine).left > 0);
    case DeepOutcome::refused:
      if (is_smi(probe)) return driven(machine);
      return probe.id == "torch" || has_gpu(machine);
    case DeepOutcome::unloadable:
    case DeepOutcome::incomplete:
    case DeepOutcome::crashed:
    case DeepOutcome::hung:
    case DeepOutcome::garbage:
    case DeepOutcome::wrong:
      break;
  }
  return true;
}

std::string deep_words(const Machine& machine) {
  std::string said;
  if (!machine.deep) return said;
  for (const DeepProbe& probe : machine.deep->probes) {
    if (!deep_fault(machine, probe)) continue;
    said += deep_name(probe) + ": " + deep_sentence(probe) + "\n";
    if (!probe.words.empty()) said += probe.words + "\n";
  }
  return said;
}

Finding not_asked(const Machine& machine, const std::string& nobody_was) {
  if (!machine.deep && was_not_seen(machine.deep.error())) return unknown(machine.deep.error());
  for (const Unread& unread : machine.unread) {
    if (unread.place == "cmd:rocminfo" || unread.place == "cmd:clinfo")
      return unknown(unread.error);
  }
  return skip(nobody_was + " (--deep does)");
}

}  // namespace rocvet
