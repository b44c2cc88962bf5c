#include "checks/logs/log_groups.h"

#include <algorithm>

#include "checks/facts/generations.h"
#include "checks/facts/gpus.h"
#include "checks/facts/situation.h"
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

/// A line that somebody complains of counts whatever the machine looks like now.
bool is_told(const LogEvent& event) {
  return event.from == LogEvent::From::quote;
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

/// The GPU that KFD leaves out is of a generation that it drives, GCN 3 and later, by the PCI id
/// or, where that is not known, by the name that the kernel gives it; and this kernel is not new
/// enough for it already. Two chips of GCN 3 are in no
/// kernel's KFD: Topaz (Iceland) and Stoney.
bool known_to_newer_kfd(const Context& context) {
  for (const LogEvent& event : kernel_events(context)) {
    for (const char* name : {"TAHITI", "PITCAIRN", "VERDE", "OLAND", "HAINAN", "BONAIRE", "KABINI",
                             "MULLINS", "TOPAZ", "STONEY"}) {
      if (event.message->id == "asic-not-in-kfd" && event.line.find(name) != event.line.npos)
        return false;
    }
  }
  // What the driver says of itself goes before what is published of its version.
  const bool refused = has_event(context, "asic-not-in-kfd");
  for (const Gpu& gpu : context.machine.gpus) {
    if (!gpu.device_id || in_no_kfd(*gpu.device_id)) continue;
    const Situation here = situation_of(context, gpu);
    if (gfx_major(here.gfx).value_or(0) >= 8 && (refused || !context.db.kernel_knows(here)))
      return true;
  }
  return false;
}

/// No room in the address space was left for a BAR.
bool is_about_room(const LogEvent& event) {
  const std::string_view id = event.message->id;
  return id == "bar-no-space" || id == "bar-cannot-assign" || id == "bar-failed-to-assign";
}

bool probe_found_no_room(const Context& context) {
  return has_event(context, "probe-failed-enomem") ||
         has_event(context, "probe-with-driver-enomem");
}

bool lacks_room(const Context& context) {
  const auto& events = kernel_events(context);
  return probe_found_no_room(context) || std::any_of(events.begin(), events.end(), is_about_room);
}

/// In a virtual machine no GPU came up, for none of the reasons that software gives it: a firmware
/// file that is not there, no room, a kernel that does not know it.
bool failed_in_guest(const Context& context) {
  const auto& guest = context.machine.surroundings.virtual_machine;
  if (!guest || !*guest || context.machine.surroundings.wsl || lacks_room(context)) return false;
  bool failed = false;
  for (const LogEvent& event : kernel_events(context)) {
    const KernelMessage& message = *event.message;
    if (message.topic == "firmware" && message.severity >= LogSeverity::error) return false;
    constexpr std::string_view kReasons[] = {
        "asic-not-in-kfd",  "kfd-not-supported-on-asic", "gpu-wants-newer-driver",
        "ip-block-unknown", "modesetting-disabled",      "gpu-init-sme-raven",
        "gpu-hardware-a0",  "gpu-lockup-timeout-syntax", "gpu-init-memory-failed"};
    if (std::ranges::find(kReasons, message.id) != std::end(kReasons)) return false;
    failed |= message.topic == "init" && message.severity == LogSeverity::fatal;
  }
  return failed;
}

bool any_runtime_pm(const Machine& machine) {
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.runtime_control && *gpu.runtime_control == "auto") return true;
  }
  return false;
}

}  // namespace

std::vector<Finding> init_findings(const Context& context) {
  const Machine& machine = context.machine;
  const bool work = gpus_work(machine);
  auto findings = findings_of_topic(context, "init", "failed initialisation of a GPU",
                                    [&](const LogEvent& event, Finding& finding) {
                                      // What the log says of an initialisation that a later one
                                      // made good is a warning.
                                      if (work && !is_told(event)) finding.verdict = Verdict::warn;
                                    });
  if (work) return findings;
  if (has_event(context, "asic-not-in-kfd") || has_event(context, "kfd-not-supported-on-asic")) {
    findings.front().seen.push_back(known_to_newer_kfd(context)
                                        ? ObservationName("kfd-lacks-this-generation-yet")
                                        : ObservationName("kfd-never-had-this-generation"));
  }
  if (failed_in_guest(context)) findings.front().seen.push_back("init-failed-in-guest");
  if (machine.gpus.size() >= 3 && kfd_lists_no_gpu(machine))
    findings.front().seen.push_back("no-gpu-of-several-initialises");
  // What one of several like cards cannot do under the same driver is a matter of that card.
  for (const LogEvent& event : kernel_events(context)) {
    if (event.message->topic != "init" || event.message->severity != LogSeverity::fatal ||
        lacks_room(context) || !twin_works(machine, event.bdf))
      continue;
    findings.front().seen.push_back("twin-of-failed-gpu-works");
    break;
  }
  return findings;
}

std::vector<Finding> firmware_findings(const Context& context) {
  auto findings = findings_of_topic(context, "firmware", "missing firmware");
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
      finding.seen = {"gpu-works-without-firmware-file"};
    }
  }
  return findings;
}

std::vector<Finding> pcie_findings(const Context& context) {
  const bool driver_failed = probe_found_no_room(context);
  const bool work = gpus_work(context.machine);
  auto findings = findings_of_topic(
      context, "pcie", "PCIe errors", [&](const LogEvent& event, Finding& finding) {
        // Bridges and virtual functions may want more room than there is; the GPU has its own.
        if (work && !driver_failed && !is_told(event) && is_about_room(event))
          finding.verdict = Verdict::pass;
      });
  if (driver_failed) findings.front().seen.push_back("probe-ended-for-want-of-room");
  return findings;
}

std::vector<Finding> module_findings(const Context& context) {
  const bool loaded = context.machine.driver.amdgpu.has_value();
  return findings_of_topic(context, "module", "refused modules",
                           [&](const LogEvent&, Finding& finding) {
                             // Some other module was refused.
                             if (loaded) finding.verdict = Verdict::warn;
                           });
}

std::vector<Finding> execution_findings(const Context& context) {
  return findings_of_topic(context, "execution", "hangs or faults of a GPU");
}

std::vector<Finding> power_findings(const Context& context) {
  return findings_of_topic(context, "power", "failures to wake up");
}

std::vector<Finding> host_findings(const Context& context) {
  const bool has_log = context.machine.kernel_log.has_value();
  auto findings = findings_of_topic(context, "host", "faults of the host",
                                    [&](const LogEvent& event, Finding& finding) {
                                      // That some program crashed once is no fault of the machine.
                                      if (has_log && event.message->id == "segfault")
                                        finding.verdict = Verdict::pass;
                                    });
  if (!has_log) return findings;
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
  if (in_driver && (any_runtime_pm(context.machine) || woke))
    findings.front().seen.push_back("lockup-while-gpu-wakes");
  return findings;
}

}  // namespace rocvet
