#include "diagnosis/observations.h"

#include <algorithm>
#include <utility>

#include "base/add_once.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {
namespace {

/// A log that begins later than this has lost the driver's start.
constexpr double kBootSeconds = 5;

/// A warning is about what healthy machines have too: it complains only when somebody does.
bool is_complaint(const Finding& finding) {
  return finding.verdict == Verdict::fail;
}

/// The kernel's last word on a GPU that KFD lists is that it gave it up, or the kernel was built
/// without KFD: of what contradicts itself nothing is known.
bool contradicts_itself(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.kfd.stat && built_without_kfd(machine.kernel)) return true;
  return std::ranges::any_of(kernel_events(context), [&](const LogEvent& event) {
    const std::string_view id = event.message->id;
    if (event.from != LogEvent::From::machine || event.bdf.empty() ||
        (id != "gpu-init-fatal" && id != "probe-failed" && id != "probe-with-driver-failed"))
      return false;
    return std::ranges::any_of(machine.gpus, [&](const Gpu& gpu) {
      return gpu.kfd_node && gpu.bdf && *gpu.bdf == event.bdf;
    });
  });
}

/// Every AMD GPU of the machine is a node of KFD.
Truth kfd_lists_all(const Context& context) {
  const Machine& machine = context.machine;
  if (kfd_gpus(machine).empty()) return Truth::no;
  if (contradicts_itself(context)) return Truth::unknown;
  const bool all = std::all_of(machine.gpus.begin(), machine.gpus.end(), [](const Gpu& gpu) {
    return gpu.kfd_node || gpu.kind == GpuKind::apu;
  });
  return all ? Truth::yes : Truth::no;
}

Truth computed(const Machine& machine) {
  if (!machine.deep) return Truth::unknown;
  for (const DeepProbe& probe : machine.deep->probes) {
    for (const DeepDevice& device : probe.devices) {
      if (device.product_right && *device.product_right) return Truth::yes;
    }
  }
  return Truth::no;
}

/// The GPUs by what findings and the kernel call them.
std::map<std::string, std::string, std::less<>> labels_of(const Machine& machine) {
  std::map<std::string, std::string, std::less<>> labels;
  for (const Gpu& gpu : machine.gpus) {
    labels[gpu_label(gpu)] = gpu_label(gpu);
    if (gpu.bdf) labels[*gpu.bdf] = gpu_label(gpu);
  }
  return labels;
}

}  // namespace

Observations::Observations(const Context& context, const std::vector<CheckResult>& results)
    : knowledge_(context.db.knowledge()) {
  const auto labels = labels_of(context.machine);
  const auto gpu_of = [&](std::string_view called) {
    const auto found = labels.find(called);
    return found == labels.end() ? std::string() : found->second;
  };
  take_findings(results, gpu_of);
  take_kernel(context, gpu_of);
  take_words(context);
  take_state(context);
  for (const Observed& one : all_) {
    known_[one.name] = Truth::yes;
    add_once(where_[one.name], std::string_view(one.gpu));
    if (one.outcome) outcomes_.insert(one.name);
  }
}

void Observations::take_findings(const std::vector<CheckResult>& results, const GpuOf& gpu_of) {
  for (const CheckResult& result : results) {
    const Finding& finding = result.finding;
    Truth& judged = judged_[result.check->id];
    if (finding.verdict != Verdict::unknown && finding.verdict != Verdict::skip)
      judged = Truth::yes;
    const bool fault = is_complaint(finding);
    const std::string gpu = gpu_of(finding.subject);
    if (fault || finding.verdict == Verdict::warn) {
      all_.push_back(
          {"check." + std::string(result.check->id), Provenance::state, &result, "", fault, gpu});
    }
    for (const ObservationName name : finding.seen) {
      const ObservationInfo* known = knowledge_.observation(name.view());
      const bool complains = fault || (known != nullptr && known->asked);
      const bool outcome = known != nullptr && known->outcome;
      all_.push_back(
          {std::string(name.view()), Provenance::state, &result, "", complains, gpu, outcome});
    }
  }
  // What a check could not read of one card may be what the others do not show.
  for (const CheckResult& result : results) {
    if (result.finding.verdict == Verdict::unknown) judged_[result.check->id] = Truth::unknown;
  }
}

void Observations::take_kernel(const Context& context, const GpuOf& gpu_of) {
  const auto& log = context.machine.kernel_log;
  const bool whole = log && !log->lines.empty() && log->lines.front().seconds <= kBootSeconds;
  kernel_log_ = whole ? Truth::yes : Truth::unknown;
  for (const LogEvent& event : kernel_events(context)) {
    const bool fault = event.message->severity >= LogSeverity::error;
    all_.push_back({"kernel." + std::string(event.message->id), Provenance::kernel, nullptr,
                    event.line, fault, gpu_of(event.bdf), event.message->outcome});
  }
}

void Observations::take_words(const Context& context) {
  complaint_ = someone_complains(context);
  for (const AppError& error : app_errors(context)) {
    if (!error.text->prose) {
      all_.push_back({"text." + std::string(error.text->id), Provenance::runtime, nullptr,
                      error.line, true, "", error.text->outcome});
    }
    for (const Suggestion& one : error.text->suggests) {
      double& share = prose_[one.cause];
      share = std::max(share, one.share);
    }
  }
}

void Observations::take_state(const Context& context) {
  const Machine& machine = context.machine;
  const std::pair<std::string_view, Truth> states[] = {
      {"kfd-lists-gpu", kfd_lists_all(context)},
      {"gpu-computes", computed(machine)},
      {"amdgpu-loaded", condition(context, "amdgpu-loaded")},
  };
  for (const auto& [name, truth] : states) known_[std::string(name)] = truth;
}

Truth Observations::saw(std::string_view name) const {
  if (const auto found = known_.find(name); found != known_.end()) return found->second;
  if (name.starts_with("text.")) return Truth::unknown;  // what was not said may be so all the same
  if (name.starts_with("kernel.")) return kernel_log_ == Truth::yes ? Truth::no : Truth::unknown;
  const ObservationInfo* known = knowledge_.observation(name);
  if (known != nullptr && known->partial) return Truth::unknown;
  const std::string_view check = name.starts_with("check.") ? name.substr(6)
                                 : known != nullptr         ? known->check
                                                            : "";
  const auto judged = judged_.find(check);
  return judged != judged_.end() && judged->second == Truth::yes ? Truth::no : Truth::unknown;
}

Truth Observations::saw(std::string_view name, std::string_view gpu) const {
  const Truth any = saw(name);
  const auto where = where_.find(name);
  if (any != Truth::yes || gpu.empty() || where == where_.end()) return any;
  const bool here = std::any_of(where->second.begin(), where->second.end(),
                                [&](std::string_view one) { return one.empty() || one == gpu; });
  if (here) return Truth::yes;
  return name.starts_with("kernel.") && kernel_log_ != Truth::yes ? Truth::unknown : Truth::no;
}

std::vector<std::string_view> Observations::gpus_with(const std::vector<Sign>& signs) const {
  std::vector<std::string_view> gpus;
  for (const Sign& sign : signs) {
    const auto where = where_.find(sign.saw);
    if (where == where_.end()) continue;
    for (const std::string_view gpu : where->second) {
      if (!gpu.empty()) add_once(gpus, gpu);
    }
  }
  return gpus;
}

bool Observations::complains(std::string_view name) const {
  return std::any_of(all_.begin(), all_.end(),
                     [&](const Observed& one) { return one.complains && one.name == name; });
}

double Observations::prose(std::string_view cause) const {
  const auto found = prose_.find(cause);
  return found == prose_.end() ? 0 : found->second;
}

}  // namespace rocvet
