#include "machine/gpu_tools.h"

#include <algorithm>

#include "base/terminal_codes.h"
#include "base/text.h"

namespace rocvet {
namespace {

struct Tool {
  std::string_view pattern;  ///< of the output's file name
  std::vector<Gpu> (*parse)(std::string_view);
};

// Best first: what speaks for KFD, then for the driver, then for PCI alone.
constexpr Tool kTools[] = {
    {"rocminfo*", gpus_from_rocminfo},
    {"*agent_info*.csv", gpus_from_agent_csv},
    {"amd-smi-static*", gpus_from_amd_smi_text},
    {"amd-smi*", gpus_from_amd_smi_text},
    {"*.json", gpus_from_json},
    {"rocm-smi*", gpus_from_rocm_smi_text},
    {"amdgpu_info*", gpus_from_libdrm_info},
    {"udevadm*", gpus_from_udevadm},
    {"lspci*", gpus_from_lspci},
    {"lstopo*", gpus_from_lstopo},
    {"*sysinfo*.csv", gpus_from_sysinfo_csv},
};

/// The entry of `gpus` that `gpu` tells of: the same address, or the same place in the order where
/// one of the two has no address and nothing speaks against it.
Gpu* same_gpu(std::vector<Gpu>& gpus, const Gpu& gpu, std::size_t place, std::size_t count) {
  for (Gpu& candidate : gpus) {
    if (gpu.bdf && candidate.bdf && *gpu.bdf == *candidate.bdf) return &candidate;
  }
  if (gpus.size() != count || place >= gpus.size()) return nullptr;
  Gpu& candidate = gpus[place];
  if (gpu.bdf && candidate.bdf) return nullptr;
  if (gpu.device_id && candidate.device_id && *gpu.device_id != *candidate.device_id) {
    return nullptr;
  }
  return &candidate;
}

template <typename T>
void fill(Result<T>& fact, const Result<T>& other) {
  if (!fact && other) fact = other;
}

}  // namespace

void fill_from(Gpu& gpu, const Gpu& other) {
  if (!gpu.gfx && other.gfx) {
    gpu.gfx = other.gfx;
    gpu.gfx_source = other.gfx_source;
  }
  fill(gpu.bdf, other.bdf);
  fill(gpu.card_bdf, other.card_bdf);
  fill(gpu.vendor_id, other.vendor_id);
  fill(gpu.device_id, other.device_id);
  fill(gpu.subsystem_vendor_id, other.subsystem_vendor_id);
  fill(gpu.subsystem_id, other.subsystem_id);
  fill(gpu.revision, other.revision);
  fill(gpu.pci_class, other.pci_class);
  fill(gpu.name, other.name);
  fill(gpu.compute_units, other.compute_units);
  fill(gpu.xcc_count, other.xcc_count);
  fill(gpu.wavefront_size, other.wavefront_size);
  fill(gpu.kfd_node, other.kfd_node);
  fill(gpu.kfd_gpu_id, other.kfd_gpu_id);
  fill(gpu.render_minor, other.render_minor);
  fill(gpu.card_minor, other.card_minor);
  fill(gpu.partition.index, other.partition.index);
  fill(gpu.partition.compute, other.partition.compute);
  fill(gpu.partition.memory, other.partition.memory);
  fill(gpu.vram_bytes, other.vram_bytes);
  fill(gpu.visible_vram_bytes, other.visible_vram_bytes);
  fill(gpu.gtt_bytes, other.gtt_bytes);
  fill(gpu.driver, other.driver);
  fill(gpu.vbios, other.vbios);
  fill(gpu.numa_node, other.numa_node);
  fill(gpu.pcie.current_gts, other.pcie.current_gts);
  fill(gpu.pcie.current_width, other.pcie.current_width);
  fill(gpu.pcie.max_gts, other.pcie.max_gts);
  fill(gpu.pcie.max_width, other.pcie.max_width);
  fill(gpu.max_engine_clock_mhz, other.max_engine_clock_mhz);
  fill(gpu.unique_id, other.unique_id);
  if (gpu.kind == GpuKind::unknown) gpu.kind = other.kind;
}

bool add_tool_gpus(Source& source, bool rocminfo_only, std::vector<Gpu>& gpus) {
  std::vector<std::string> names = source.outputs();
  if (rocminfo_only) names = {"rocminfo"};
  bool told = false;
  std::vector<bool> used(names.size(), false);
  for (const Tool& tool : kTools) {
    for (std::size_t n = 0; n < names.size(); ++n) {
      if (used[n] || !glob_match(tool.pattern, names[n])) continue;
      const auto output = source.run(names[n]);
      if (!output) continue;
      const std::vector<Gpu> found = tool.parse(strip_terminal_codes(output->out));
      if (found.empty()) continue;  // not what its name says: another parser may know it
      used[n] = true;
      // The first account decides how many GPUs there are: a later tool may show one that the
      // first hid (a device filter), or call it by another address.
      if (gpus.empty()) {
        gpus = found;
      } else {
        for (std::size_t i = 0; i < found.size(); ++i) {
          if (Gpu* gpu = same_gpu(gpus, found[i], i, found.size())) fill_from(*gpu, found[i]);
        }
      }
      told = true;
    }
  }
  return told;
}

}  // namespace rocvet
