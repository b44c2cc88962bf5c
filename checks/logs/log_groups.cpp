#include "checks/logs/log_groups.h"

#include <algorithm>

#include "checks/facts/gpus.h"
#include "checks/logs/complaint.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {
namespace {

/// The GPU computes all the same: KFD lists one, and none is missing.
bool gpus_work(const Machine& machine) {
  if (kfd_gpus(machine).empty()) return false;
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.kfd_node || gpu.kind == GpuKind::apu) continue;
    if (gpu.driver ? *gpu.driver == "amdgpu" : gpu.driver.is_missing()) return false;
  }
  return true;
}

void scale(std::vector<Finding>& findings, std::string_view cause, double factor) {
  for (Finding& finding : findings) {
    for (Vote& vote : finding.votes) {
      if (vote.cause == cause) vote.strength *= factor;
    }
  }
}

void add_vote(std::vector<Finding>& findings, std::string cause, double strength) {
  for (Finding& finding : findings) {
    if (finding.verdict == Verdict::fail) {
      finding.votes.push_back({std::move(cause), strength, false});
      return;
    }
  }
}

/// A line that somebody complains of, whatever the machine looks like now.
bool is_told(const Finding& finding) {
  return !finding.evidence.empty() && finding.evidence.front().starts_with(kTold);
}

/// What the log says of an initialisation that a later one made good is a warning.
void soften(std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    if (is_told(finding)) continue;
    if (finding.verdict == Verdict::fail) finding.verdict = Verdict::warn;
    for (Vote& vote : finding.votes) vote.strength *= 0.3;
  }
}

/// A GPU whose twin (the same device id) computes with the same driver and firmware.
bool twin_works(const Machine& machine, const std::string& bdf) {
  const Gpu* failed = nullptr;
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.bdf && *gpu.bdf == bdf && !gpu.kfd_node) failed = &gpu;
  }
  return failed != nullptr && failed->device_id &&
         std::any_of(machine.gpus.begin(), machine.gpus.end(), [&](const Gpu& other) {
           return other.kfd_node && other.device_id && *other.device_id == *failed->device_id;
         });
}

bool virtual_machine(const Machine& machine) {
  return machine.surroundings.virtual_machine && *machine.surroundings.virtual_machine;
}

/// The GPU that KFD leaves out is of a generation that it drives: GCN 3 and later, by the PCI id
/// or, where that is not known, by the name that the kernel gives it.
bool known_to_newer_kfd(const Context& context) {
  for (const LogEvent& event : kernel_events(context)) {
    for (const char* name : {"TAHITI", "PITCAIRN", "VERDE", "OLAND", "HAINAN", "BONAIRE", "KABINI",
                             "MULLINS", "TOPAZ"}) {
      if (event.pattern->name == "asic-not-in-kfd" && event.line.find(name) != event.line.npos)
        return false;
    }
  }
  for (const Gpu& gpu : context.machine.gpus) {
    if (!gpu.device_id) continue;
    const std::string_view gfx =
        gpu.gfx ? std::string_view(*gpu.gfx) : context.db.gfx_of_device("1002", *gpu.device_id);
    if (!gfx.empty() && gfx_major(gfx).value_or(0) >= 8) return true;
  }
  return false;
}

bool any_runtime_pm(const Machine& machine) {
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.runtime_control && *gpu.runtime_control == "auto") return true;
  }
  return false;
}

}  // namespace

std::vector<Finding> init_findings(const Context& context) {
  auto findings = findings_of_group(context, "init", "failed initialisation of a GPU");
  const Machine& machine = context.machine;
  if (gpus_work(machine)) {
    soften(findings);
    return findings;
  }
  if (has_event(context, "pcie-atomics-rejected")) {
    // The same line in a virtual machine speaks of the virtual root port.
    const bool guest = virtual_machine(machine);
    scale(findings, guest ? "pcie-atomics-unsupported" : "vm-atomics-not-exposed", 0.1);
    if (guest) add_vote(findings, "vm-atomics-not-exposed", 0.9);
  }
  // What one of several like cards cannot do under the same driver is a matter of that card.
  const bool room = has_event(context, "bar-no-space") || has_event(context, "bar-cannot-assign") ||
                    has_event(context, "probe-failed-enomem") ||
                    has_event(context, "probe-with-driver-enomem");
  for (const LogEvent& event : kernel_events(context)) {
    if (room || event.pattern->group != "init" || event.pattern->severity != LogSeverity::fatal ||
        !twin_works(machine, event.bdf))
      continue;
    add_vote(findings, "gpu-hardware-fault", 0.65);
    scale(findings, "mixed-driver-remnants", 0.3);
    scale(findings, "firmware-regression", 0.3);
    break;
  }
  const bool too_old = !known_to_newer_kfd(context);
  scale(findings, too_old ? "kernel-too-old-for-gpu" : "gpu-not-supported-by-kfd",
        has_event(context, "asic-not-in-kfd") || has_event(context, "kfd-not-supported-on-asic")
            ? 0.2
            : 1.0);
  // A probe that ends with ENOMEM is about address space only where no other reason is told.
  const bool firmware = has_event(context, "firmware-file-missing") ||
                        has_event(context, "firmware-gpu-info") ||
                        has_event(context, "psp-unknown-firmware-type");
  if (firmware) {
    scale(findings, "gpu-hardware-fault", 0.3);
    scale(findings, "bar-allocation-failed", 0.5);
  }
  return findings;
}

std::vector<Finding> firmware_findings(const Context& context) {
  auto findings = findings_of_group(context, "firmware", "missing firmware");
  const bool init_failed =
      has_event(context, "gpu-init-fatal") || has_event(context, "ip-init-failed") ||
      has_event(context, "sw-init-failed") || has_event(context, "early-init-failed") ||
      has_event(context, "probe-failed") || has_event(context, "probe-with-driver-failed") ||
      kfd_lists_no_gpu(context.machine);
  if (!init_failed && gpus_work(context.machine)) {
    for (Finding& finding : findings) {
      if (finding.verdict != Verdict::fail) continue;
      finding.verdict = Verdict::pass;
      finding.summary = "a firmware file was not found, and the GPU initialised without it";
      finding.votes = {{"benign-firmware-warning", 0.5, false}};
    }
  }
  return findings;
}

std::vector<Finding> pcie_findings(const Context& context) {
  auto findings = findings_of_group(context, "pcie", "PCIe errors");
  const Machine& machine = context.machine;
  const bool driver_failed =
      has_event(context, "probe-failed-enomem") || has_event(context, "probe-with-driver-enomem");
  if (driver_failed) add_vote(findings, "bar-allocation-failed", 0.8);
  if (gpus_work(machine)) {
    // Bridges and virtual functions may want more room than there is; the GPU has its own.
    for (Finding& finding : findings) {
      const bool room = !finding.votes.empty() && finding.votes[0].cause == "bar-allocation-failed";
      if (!room || driver_failed || is_told(finding)) continue;
      finding.verdict = Verdict::pass;
      finding.votes.clear();
    }
  }
  return findings;
}

std::vector<Finding> module_findings(const Context& context) {
  auto findings = findings_of_group(context, "module", "refused modules");
  const bool loaded = context.machine.driver.amdgpu.has_value();
  if (loaded) {
    // Some other module was refused.
    for (Finding& finding : findings) {
      if (finding.verdict == Verdict::fail) finding.verdict = Verdict::warn;
    }
    scale(findings, "secure-boot-unsigned-module", 0.3);
  }
  return findings;
}

std::vector<Finding> execution_findings(const Context& context) {
  return findings_of_group(context, "execution", "hangs or faults of a GPU");
}

std::vector<Finding> power_findings(const Context& context) {
  auto findings = findings_of_group(context, "power", "failures to wake up");
  if (!any_runtime_pm(context.machine) && !context.machine.gpus.empty())
    scale(findings, "runtime-pm-resume-failure", 0.5);
  return findings;
}

std::vector<Finding> host_findings(const Context& context) {
  auto findings = findings_of_group(context, "host", "faults of the host");
  if (!context.machine.kernel_log) return findings;
  // A lockup in the memory manager of the GPU's driver, met by a reader of its sensors, is a GPU
  // that sleeps; elsewhere a lockup says nothing of it.
  bool in_driver = false, woke = false;
  for (const KernelLine& line : context.machine.kernel_log->lines) {
    in_driver |= fits("amdttm_resource_manager_usage", line.text) ||
                 fits("ttm_resource_manager_usage", line.text) ||
                 fits("amdgpu_*_show+", line.text) || fits("amdgpu_pmops_runtime", line.text) ||
                 fits("amdgpu_get_", line.text);
    woke |= fits("PSP is resuming", line.text) || fits("runtime resume", line.text);
  }
  if (!in_driver) {
    scale(findings, "runtime-pm-resume-failure", 0.3);
  } else if (any_runtime_pm(context.machine) || woke) {
    add_vote(findings, "runtime-pm-resume-failure", 0.8);
  }
  // That some program crashed once is no fault of the machine.
  for (Finding& finding : findings) {
    if (finding.summary == "a program crashed") finding.verdict = Verdict::pass;
  }
  return findings;
}

}  // namespace rocvet
