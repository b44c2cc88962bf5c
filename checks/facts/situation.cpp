#include "checks/facts/situation.h"

#include <algorithm>

#include "base/text.h"
#include "checks/driver/driver_packages.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"
#include "db/question_of.h"

namespace rocvet {

namespace {

/// What the loaded module calls itself; "" where that is not known.
std::string loaded_version(const Driver& driver) {
  if (driver.version) return *driver.version;
  return driver.amdgpu && driver.amdgpu->version ? *driver.amdgpu->version : "";
}

constexpr std::string_view kKernelMessage = "kernel.", kText = "text.";

}  // namespace

std::string series_of(const std::string& version) {
  const auto parts = split(version, '.');
  return parts.size() < 2 ? version : std::string(parts[0]) + "." + std::string(parts[1]);
}

std::string rocm_version(const Machine& machine) {
  std::string found;
  for (const RocmInstall& install : machine.software.rocm) {
    if (!install.version) continue;
    if (install.is_default) return *install.version;
    if (found.empty()) found = *install.version;
  }
  if (!found.empty()) return found;
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks) {
      if (framework.hip_version) return *framework.hip_version;
    }
  }
  return "";
}

Situation situation(const Context& context) {
  const Machine& machine = context.machine;
  Situation here;
  for (const Gpu& gpu : machine.gpus) {
    const std::string_view gfx = gfx_of(context, gpu);
    if (gfx.empty()) continue;
    if (here.gfx.empty() || (gpu.kind == GpuKind::dgpu && gpu.kfd_node)) {
      here.gfx = gfx;
      here.device = gpu.device_id ? "1002:" + *gpu.device_id : "";
    }
    if (here.firmware.empty() && gpu.firmware) here.firmware = *gpu.firmware;
  }
  here.rocm = rocm_version(machine);
  const Question question = question_of(machine);
  here.kernel = question.kernel;
  here.os = question.os;
  here.dkms_driver = dkms_driver_version(machine);
  if (const Package* package = find_package(machine, "amdgpu-dkms"))
    here.dkms_package = package->version;
  for (const char* name : kFirmwarePackages) {
    if (const Package* package = find_package(machine, name);
        package != nullptr && here.linux_firmware.empty())
      here.linux_firmware = package->version;
  }
  if (here.linux_firmware.empty()) here.linux_firmware = machine.driver.firmware_release;
  here.gfx_override = variable_or_empty(machine, "HSA_OVERRIDE_GFX_VERSION");
  here.wsl = machine.surroundings.wsl;
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks)
      here.frameworks.emplace(framework.name, framework.version);
  }
  return here;
}

Situation situation_of(const Context& context, const Gpu& gpu) {
  Situation here = situation(context);
  here.gfx = gfx_of(context, gpu);
  here.device = gpu.device_id ? "1002:" + *gpu.device_id : "";
  here.firmware = gpu.firmware ? *gpu.firmware : std::map<std::string, std::string>();
  return here;
}

Situation situation_of_loaded_driver(const Context& context) {
  const Machine& machine = context.machine;
  Situation here = situation(context);
  const bool in_tree = machine.driver.origin == DriverOrigin::in_tree;
  // In a container the packages and dkms are the image's, and the driver is the host's.
  if (machine.surroundings.container) {
    here.dkms_package.clear();
    here.dkms_driver = machine.driver.version.value_or("");
  }
  // Without packages and dkms (a saved report), what the module says of itself.
  if (machine.driver.origin == DriverOrigin::dkms && here.dkms_package.empty() &&
      here.dkms_driver.empty())
    here.dkms_driver = loaded_version(machine.driver);
  if (in_tree) {
    here.dkms_package.clear();
    here.dkms_driver.clear();
  } else if (here.dkms_package.empty() && here.dkms_driver.empty()) {
    here.kernel.clear();  // nobody knows which driver it is
  }
  return here;
}

std::vector<KnownIssue> issues_about(const Context& context, std::string_view topic,
                                     const Situation& here) {
  return context.db.known_issues(here, topic);
}

std::vector<KnownIssue> issues_about(const Context& context, std::string_view topic) {
  return issues_about(context, topic, situation(context));
}

bool shows(const Context& context, const KnownIssue& issue) {
  for (const std::string_view signature : issue.signatures) {
    if (signature.starts_with(kKernelMessage)) {
      if (has_event(context, signature.substr(kKernelMessage.size()))) return true;
      continue;
    }
    if (signature.starts_with(kText)) {
      if (has_app_error(context, signature.substr(kText.size()))) return true;
      continue;
    }
    if (app_log_has(context, signature)) return true;
    if (!context.machine.kernel_log) continue;
    for (const KernelLine& line : context.machine.kernel_log->lines) {
      if (fits(signature, line.text)) return true;
    }
  }
  return false;
}

}  // namespace rocvet
