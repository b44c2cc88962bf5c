// The machine as found, for a person: a line a GPU, then the software.
#include "base/text.h"
#include "report/layout.h"

namespace rocvet {
namespace {

std::string gibibytes(std::uint64_t bytes) {
  const double gib = static_cast<double>(bytes) / (1 << 30);
  return fixed(gib, gib < 10 ? 1 : 0) + " GiB";
}

std::string link_text(const PcieLink& link) {
  if (!link.current_gts || !link.current_width) return "";
  std::string out = "PCIe " + fixed(*link.current_gts, *link.current_gts < 10 ? 1 : 0) + " GT/s x" +
                    std::to_string(*link.current_width);
  if (link.max_gts && link.max_width &&
      (*link.max_gts != *link.current_gts || *link.max_width != *link.current_width)) {
    out +=
        " (can do " + fixed(*link.max_gts, 0) + " GT/s x" + std::to_string(*link.max_width) + ")";
  }
  return out;
}

std::string gpu_text(const Gpu& gpu) {
  std::vector<std::string> parts;
  parts.push_back(gpu.name.value_or(std::string("AMD GPU")) + " (" +
                  gpu.gfx.value_or(std::string("gfx unknown")) +
                  (gpu.gfx_source.empty() ? "" : ", by " + gpu.gfx_source) + ")");
  if (gpu.bdf) parts.push_back(*gpu.bdf);
  if (gpu.device_id) parts.push_back("1002:" + *gpu.device_id);
  if (gpu.compute_units) parts.push_back(std::to_string(*gpu.compute_units) + " CUs");
  if (gpu.vram_bytes) parts.push_back(gibibytes(*gpu.vram_bytes) + " VRAM");
  if (gpu.kind == GpuKind::apu) {
    parts.emplace_back("APU");
    if (gpu.gtt_bytes) parts.push_back(gibibytes(*gpu.gtt_bytes) + " GTT");
  }
  if (gpu.partition.compute)
    parts.push_back(*gpu.partition.compute +
                    (gpu.partition.memory ? "/" + *gpu.partition.memory : std::string()));
  if (const std::string link = link_text(gpu.pcie); !link.empty()) parts.push_back(link);
  parts.push_back("driver " + (gpu.driver                ? *gpu.driver
                               : gpu.driver.is_missing() ? std::string("none")
                                                         : std::string("?")));
  parts.push_back(gpu.kfd_node ? "KFD node " + std::to_string(*gpu.kfd_node)
                               : std::string("not in KFD"));
  if (gpu.render_minor) parts.push_back("renderD" + std::to_string(*gpu.render_minor));
  if (gpu.numa_node && *gpu.numa_node >= 0)
    parts.push_back("NUMA " + std::to_string(*gpu.numa_node));
  return join(parts, " · ");
}

}  // namespace

std::string scan_text(const Machine& machine) {
  std::string out;
  for (const Gpu& gpu : machine.gpus)
    out += "GPU " + std::to_string(gpu.index) + "  " + gpu_text(gpu) + "\n";
  for (const RocmInstall& install : machine.software.rocm) {
    out += "ROCm   " + install.version.value_or(std::string("version unknown")) + " in " +
           install.root + (install.is_default ? " (default)" : "") + ", " +
           std::to_string(install.libraries.size()) + " libraries\n";
  }
  for (const PythonEnvironment& environment : machine.software.python) {
    for (const Framework& framework : environment.frameworks) {
      out += "Python " + framework.name + " " + framework.version +
             (framework.build.empty() ? "" : " (" + framework.build + ")") + " in " +
             environment.root + "\n";
    }
  }
  return out;
}

}  // namespace rocvet
