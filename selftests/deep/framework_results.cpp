#include "selftests/deep/framework_results.h"

#include "base/text.h"

namespace rocvet {
namespace {

using Outcome = DeepProbe::Outcome;

std::string fact(const DeepProbe& probe, const char* name) {
  const auto found = probe.facts.find(name);
  return found == probe.facts.end() ? "" : found->second;
}

/// Why a framework that runs finds no GPU: by what it was built for.
std::string why_no_device(const DeepProbe& probe) {
  if (!probe.why.empty()) return probe.why;
  const std::string what = probe.id + " " + probe.version, where = " (" + probe.subject + ")";
  if (!fact(probe, "hip").empty())
    return what + " is built for ROCm " + fact(probe, "hip") + " and finds no GPU" + where;
  if (!fact(probe, "cuda").empty()) return what + " is built for CUDA, not for ROCm" + where;
  if (probe.id == "torch" || probe.id == "tensorflow")
    return what + " is built for the CPU alone" + where;
  return what + " has no back end for AMD GPUs that works" + where;
}

TestResult result_of_probe(const DeepProbe& probe, const DeepDevice* device) {
  TestResult result;
  result.id = "framework." + probe.id;
  result.device = probe.id;
  if (device != nullptr) {
    result.device += ":" + std::to_string(device->index);
    result.gpu.index = device->index;
    result.gpu.bdf = device->bdf.value_or(std::string());
    result.gpu.name = device->name.value_or(std::string());
    result.gpu.arch = device->gfx.value_or(std::string());
  }
  result.through = std::string(trim(probe.library + " " + probe.version));
  if (!probe.subject.empty()) result.evidence.push_back("in " + probe.subject);
  if (!probe.words.empty()) result.evidence.push_back("it wrote: " + probe.words);
  switch (probe.outcome) {
    case Outcome::works:
      result.verdict = Verdict::pass;
      result.summary = "right";
      break;
    case Outcome::absent:
    case Outcome::withheld:
      result.verdict = Verdict::unknown;
      result.summary = probe.id + " " + probe.why;
      break;
    case Outcome::no_device:
      result.verdict = Verdict::fail;
      result.summary = why_no_device(probe);
      break;
    default:
      // Another of its GPUs is the wrong one.
      if (device != nullptr && device->product_right == std::optional(true) &&
          probe.outcome == Outcome::wrong) {
        result.verdict = Verdict::pass;
        result.summary = "right";
        break;
      }
      result.verdict = Verdict::fail;
      result.summary = (probe.call.empty() ? probe.id : probe.call) + ": " +
                       (probe.status_name.empty() ? "" : probe.status_name + ": ") + probe.why;
      break;
  }
  return result;
}

}  // namespace

std::vector<TestResult> framework_results(const Deep& deep) {
  std::vector<TestResult> out;
  for (const DeepProbe& probe : deep.probes) {
    if (probe.devices.empty()) out.push_back(result_of_probe(probe, nullptr));
    for (const DeepDevice& device : probe.devices) out.push_back(result_of_probe(probe, &device));
  }
  return out;
}

}  // namespace rocvet
