#include "checks/facts/targets.h"

#include <functional>

#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/logs/tool_output.h"

namespace rocvet {
namespace {

/// Calls `visit(path, targets)` for everything that carries code objects.
void each_carrier(
    const Machine& machine,
    const std::function<void(const std::string&, const std::vector<std::string>&)>& visit) {
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks)
      visit(framework.name + " in " + python.root, framework.gfx);
  }
  for (const Application& application : machine.software.applications) {
    visit(application.path, application.gfx);
    for (const auto& [library, targets] : application.kernel_targets)
      visit(library + " of " + application.path, targets);
  }
  for (const RocmInstall& install : machine.software.rocm) {
    for (const auto& [library, targets] : install.kernel_targets)
      visit(library + " in " + install.root, targets);
    for (const Library& library : install.libraries) {
      if (!library.elf.gfx.empty()) visit(library.path, library.elf.gfx);
    }
  }
}

}  // namespace

std::vector<std::string> libraries_with(const Machine& machine, std::string_view gfx) {
  std::vector<std::string> found;
  each_carrier(machine, [&](const std::string& path, const std::vector<std::string>& targets) {
    if (any_target_fits(targets, gfx)) found.push_back(path);
  });
  return found;
}

XnackTargets xnack_targets(const Machine& machine, std::string_view gfx) {
  XnackTargets modes;
  each_carrier(machine, [&](const std::string& path, const std::vector<std::string>& targets) {
    for (const std::string& target : targets) {
      if (!target_fits(target, gfx)) continue;
      const bool on = target.find("xnack+") != std::string::npos;
      const bool off = target.find("xnack-") != std::string::npos;
      modes.on |= on;
      modes.off |= off;
      // File names of kernel libraries do not carry the mode: they say nothing of it.
      modes.any |= !on && !off && path.find(" in ") == std::string::npos &&
                   path.find(" of ") == std::string::npos;
      if ((on || off) && modes.where.empty()) modes.where = path;
    }
  });
  return modes;
}

std::optional<bool> xnack_mode(const Machine& machine, const Gpu& gpu) {
  const std::string own = variable_or_empty(machine, "HSA_XNACK");
  if (own == "0") return false;
  if (const auto told = rocminfo_xnack(machine, gpu.gfx.value_or(""))) return *told;
  if (own == "1") return true;
  if (machine.driver.amdgpu) {
    const auto noretry = machine.driver.amdgpu->parameters.find("noretry");
    if (noretry != machine.driver.amdgpu->parameters.end()) {
      // APUs of gfx9 run with retry when the driver was told so.
      if (noretry->second == "0" && gpu.kind == GpuKind::apu) return true;
      if (noretry->second == "1") return false;
    }
  }
  return std::nullopt;
}

std::string xnack_evidence(const Machine& machine, const Gpu& gpu) {
  const std::string own = variable_or_empty(machine, "HSA_XNACK");
  if (!own.empty()) return "HSA_XNACK=" + own;
  if (const auto told = rocminfo_xnack(machine, gpu.gfx.value_or("")))
    return "rocminfo: " + gpu.gfx.value_or("") + (*told ? ":xnack+" : ":xnack-");
  if (machine.driver.amdgpu) {
    const auto noretry = machine.driver.amdgpu->parameters.find("noretry");
    if (noretry != machine.driver.amdgpu->parameters.end())
      return "amdgpu.noretry=" + noretry->second;
  }
  return "";
}

}  // namespace rocvet
