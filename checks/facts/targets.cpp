#include "checks/facts/targets.h"

#include <functional>

#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/logs/tool_output.h"

namespace rocvet {
namespace {

/// amdgpu.noretry as it is now: 1, 0, or -1 for what the GPU does by default.
std::optional<long long> noretry(const Machine& machine) {
  if (!machine.driver.amdgpu) return std::nullopt;
  const Result<OptionValue> option = option_of(machine.driver.amdgpu->options, "noretry");
  return option ? option->number : std::nullopt;
}

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

const Gpu* gpu_without_xnack(const Machine& machine) {
  for (const Gpu& gpu : machine.gpus) {
    if (!gpu.kfd_node || !gpu.gfx || gfx_major(*gpu.gfx).value_or(0) < 9) continue;
    const std::string& gfx = *gpu.gfx;
    if (gfx == "gfx90a" || gfx.starts_with("gfx94") || gfx.starts_with("gfx95")) continue;
    if (gfx_major(gfx).value_or(0) > 9) return &gpu;
    // Others of GCN 5 have the mode that they were started with.
    const auto retry = noretry(machine);
    const bool off_by_default = gfx == "gfx900" || gfx == "gfx906" || gfx == "gfx908";
    if (retry == 1 || (retry == -1 && off_by_default)) return &gpu;
  }
  return nullptr;
}

XnackTargets xnack_targets(const Machine& machine, std::string_view gfx) {
  XnackTargets modes;
  each_carrier(machine, [&](const std::string& path, const std::vector<std::string>& targets) {
    // File names of kernel libraries do not carry the mode: they say nothing of it.
    const bool named_by_files =
        path.find(" in ") != std::string::npos || path.find(" of ") != std::string::npos;
    XnackTargets here;
    for (const std::string& target : targets) {
      if (!target_fits(target, gfx)) continue;
      const bool on = target.find("xnack+") != std::string::npos;
      const bool off = target.find("xnack-") != std::string::npos;
      here.on |= on;
      here.off |= off;
      here.any |= !on && !off && !named_by_files;
    }
    if ((here.on || here.off) && modes.where.empty()) modes.where = path;
    if (here.on && !here.off && !here.any && !named_by_files) modes.only_on.push_back(path);
    modes.on |= here.on;
    modes.off |= here.off;
    modes.any |= here.any;
  });
  return modes;
}

std::optional<bool> xnack_mode(const Machine& machine, const Gpu& gpu) {
  const std::string own = variable_or_empty(machine, "HSA_XNACK");
  if (own == "0") return false;
  if (const auto told = rocminfo_xnack(machine, gpu.gfx.value_or(""))) return told;
  if (own == "1") return gpu_without_xnack(machine) == nullptr;
  const auto retry = noretry(machine);
  // APUs of gfx9 run with retry when the driver was told so.
  if (retry == 0 && gpu.kind == GpuKind::apu) return true;
  if (retry == 1) return false;
  const std::string gfx = gpu.gfx.value_or("");
  const bool off_by_default =
      gfx == "gfx900" || gfx == "gfx906" || gfx == "gfx908" || gfx == "gfx90a" || gfx == "gfx942";
  if (retry == -1 && off_by_default && variable_unset(machine, "HSA_XNACK")) return false;
  return std::nullopt;
}

std::string xnack_evidence(const Machine& machine, const Gpu& gpu) {
  const std::string own = variable_or_empty(machine, "HSA_XNACK");
  if (!own.empty()) return "HSA_XNACK=" + own;
  if (const auto told = rocminfo_xnack(machine, gpu.gfx.value_or("")))
    return "rocminfo: " + gpu.gfx.value_or("") + (*told ? ":xnack+" : ":xnack-");
  const auto retry = noretry(machine);
  return retry ? "amdgpu.noretry=" + std::to_string(*retry) : "";
}

}  // namespace rocvet
