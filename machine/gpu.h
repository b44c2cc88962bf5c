// One GPU as the kernel shows it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "machine/gpu_readings.h"

namespace rocvet {

enum class GpuKind { unknown, dgpu, apu };

struct PcieLink {
  Result<double> current_gts, max_gts;  ///< GT/s per lane
  Result<int> current_width, max_width;
};

/// One hop of the way from the root port to the GPU, root first.
struct PcieHop {
  std::string bdf;
  Result<std::string> vendor_id, device_id, pci_class;
  PcieLink link;
};

struct IoLink {
  int from = 0, to = 0;  ///< KFD node numbers
  int type = 0;          ///< 2 PCIe, 11 XGMI, 5 CPU socket link
  std::uint64_t weight = 0, min_bandwidth_mbs = 0, max_bandwidth_mbs = 0, flags = 0;
};

struct MemoryBank {
  int heap_type = 0;  ///< 0 system, 1 VRAM visible to the CPU, 2 VRAM private
  std::uint64_t size_bytes = 0, width_bits = 0, clock_max_mhz = 0;
};

struct Partition {
  Result<int> index;
  Result<std::string> compute;  ///< SPX DPX TPX QPX CPX
  Result<std::string> memory;   ///< NPS1 NPS2 NPS4 …
};

/// A KFD node (a partition too), or a card that KFD does not list (then `kfd_node` is an error).
struct Gpu {
  int index = 0;
  /// "0000:03:00.0"; of a partition as KFD encodes it: the function digit is its index, and there
  /// is no such PCI function.
  Result<std::string> bdf;
  Result<std::string> card_bdf;  ///< the PCI function that is really there; partitions share it
  Result<std::string> vendor_id, device_id, subsystem_vendor_id, subsystem_id, revision, pci_class;
  Result<std::string> gfx;   ///< "gfx942"
  std::string gfx_source;    ///< "kfd", "pci-id", "ip_discovery", "rocminfo", "lspci" …
  Result<std::string> name;  ///< marketing name
  GpuKind kind = GpuKind::unknown;
  Result<int> compute_units, xcc_count, wavefront_size;
  Result<int> kfd_node, kfd_gpu_id, render_minor, card_minor;
  Partition partition;
  Result<std::uint64_t> vram_bytes, vram_used_bytes, visible_vram_bytes, gtt_bytes, gtt_used_bytes;
  Result<std::string> driver;  ///< bound kernel driver; missing when none is
  Result<std::string> vbios;
  Result<int> numa_node;
  PcieLink pcie;
  Result<std::vector<PcieHop>> path;  ///< root port first, the GPU not included
  Result<std::string> hive;           ///< XGMI hive id, decimal; missing when in none
  std::vector<IoLink> links;          ///< io_links and p2p_links; of a card's first partition only
  std::vector<MemoryBank> banks;
  Result<int> max_engine_clock_mhz, max_memory_clock_mhz, memory_width_bits;
  Result<std::string> unique_id, runtime_status, runtime_control, power_state;
  Result<std::string> iommu_group_type;
  Result<bool> boot_vga;
  Result<std::map<std::string, std::string>> firmware;  ///< "mec" -> "0x0000005a"
  PciFunction pci;
  GpuClocks clocks;
  GpuSensors sensors;
  GpuRas ras;
  std::map<std::string, std::uint64_t> kfd_properties;  ///< topology/nodes/N/properties
};

/// AMD's PCI vendor id, or unknown (then only AMD's own driver or tools spoke of it).
inline bool is_amd(const Gpu& gpu) {
  return !gpu.vendor_id || *gpu.vendor_id == "1002";
}

}  // namespace rocvet
