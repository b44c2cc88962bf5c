#include "machine/read_gpus.h"

#include <algorithm>
#include <map>
#include <set>

#include "machine/gpu_tools.h"
#include "machine/kfd_topology.h"
#include "machine/pci_device.h"

namespace rocvet {
namespace {

using Devices = std::vector<PciDevice>;

/// The PCI function of a node: its own address, else that of the card it is a partition of, else
/// the one that made its render node.
const PciDevice* device_of(const Gpu& gpu, const Devices& devices) {
  for (const Result<std::string>* address : {&gpu.bdf, &gpu.card_bdf}) {
    for (const PciDevice& device : devices) {
      if (*address && device.bdf && *device.bdf == **address) return &device;
    }
  }
  for (const PciDevice& device : devices) {
    if (gpu.render_minor && device.render_minor && *device.render_minor == *gpu.render_minor &&
        device.vendor_id.value_or("1002") == "1002") {
      return &device;
    }
  }
  return nullptr;
}

/// KFD's memory bank of an APU is the pool borrowed from the system (the GTT), while the driver's
/// VRAM is the small part that firmware carved out.
bool borrows_system_memory(const Gpu& gpu, std::uint64_t bank_bytes) {
  return bank_bytes > 0 && gpu.gtt_bytes && gpu.vram_bytes && bank_bytes == *gpu.gtt_bytes &&
         *gpu.vram_bytes * 2 < bank_bytes;
}

std::vector<Gpu> gpus_of_kfd(Source& source, const std::vector<KfdNode>& nodes,
                             const Devices& devices, std::set<const PciDevice*>& used) {
  // Partitions of one card share its address and its unique id. (Two cards may share an address
  // in a simulated tree, and have ids of their own.)
  std::map<std::pair<std::string, std::string>, int> nodes_of_card;
  const auto card = [](const Gpu& gpu) {
    return std::pair(gpu.card_bdf.value_or(""), gpu.unique_id.value_or(""));
  };
  std::vector<Gpu> gpus;
  std::vector<int> partition_index;
  for (const KfdNode& node : nodes) {
    if (!node.is_gpu()) continue;
    gpus.push_back(gpu_from_kfd_node(node));
    ++nodes_of_card[card(gpus.back())];
    partition_index.push_back(
        kfd_address(0, node.property("location_id").value_or(0ULL)).partition);
  }
  std::map<const PciDevice*, Gpu> facts_of;  // a card's files are read once for all its partitions
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    Gpu& gpu = gpus[i];
    const bool partitioned = nodes_of_card[card(gpu)] > 1;
    const Result<std::uint64_t> bank_bytes = gpu.vram_bytes;
    if (const PciDevice* device = device_of(gpu, devices)) {
      used.insert(device);
      auto facts = facts_of.find(device);
      if (facts == facts_of.end()) {
        facts = facts_of.emplace(device, Gpu{}).first;
        add_device_facts(source, *device, facts->second);
      }
      Gpu joined = facts->second;
      joined.bdf = gpu.bdf ? gpu.bdf : joined.bdf;
      joined.kfd_node = gpu.kfd_node;
      joined.kfd_gpu_id = gpu.kfd_gpu_id;
      joined.kfd_properties = std::move(gpu.kfd_properties);
      joined.banks = std::move(gpu.banks);
      joined.links = std::move(gpu.links);
      joined.gfx = gpu.gfx;
      joined.gfx_source = gpu.gfx_source;
      joined.compute_units = gpu.compute_units;
      joined.xcc_count = gpu.xcc_count;
      joined.wavefront_size = gpu.wavefront_size;
      joined.max_engine_clock_mhz = gpu.max_engine_clock_mhz;
      joined.max_memory_clock_mhz = gpu.max_memory_clock_mhz;
      joined.memory_width_bits = gpu.memory_width_bits;
      joined.hive = gpu.hive;
      joined.kind = gpu.kind;
      if (gpu.render_minor) joined.render_minor = gpu.render_minor;
      if (!joined.unique_id) joined.unique_id = gpu.unique_id;
      if (!joined.device_id) joined.device_id = gpu.device_id;
      if (!joined.vendor_id) joined.vendor_id = gpu.vendor_id;
      // Of a partition the banks are its share; the driver's figure is the whole card's.
      if (bank_bytes && (partitioned || !joined.vram_bytes)) joined.vram_bytes = bank_bytes;
      if (borrows_system_memory(joined, bank_bytes.value_or(0ULL))) joined.kind = GpuKind::apu;
      gpu = std::move(joined);
    }
    if (partitioned || gpu.partition.compute) {
      gpu.partition.index = partition_index[i];
    } else {
      gpu.partition.index = missing(gpu.bdf.value_or("KFD node"), "is not partitioned");
    }
  }
  return gpus;
}

/// A card whose driver KFD does not use, or one of another maker.
Gpu gpu_of_card(Source& source, const PciDevice& device, const Error& no_node) {
  Gpu gpu;
  add_device_facts(source, device, gpu);
  gpu.kfd_node = no_node;
  gpu.kfd_gpu_id = no_node;
  return gpu;
}

}  // namespace

void read_gpus(Source& source, Machine& machine) {
  const Result<std::vector<KfdNode>> nodes = read_kfd_topology(source);
  const Result<Devices> devices = read_pci_gpus(source);
  const Devices none;
  std::set<const PciDevice*> used;
  if (nodes) {
    machine.kfd_nodes = static_cast<int>(nodes->size());
    machine.gpus = gpus_of_kfd(source, *nodes, devices ? *devices : none, used);
  } else {
    machine.kfd_nodes = nodes.error();
  }
  machine.kfd_processes = read_kfd_processes(source);
  const Error no_node =
      nodes ? missing("/sys/class/kfd/kfd/topology/nodes", "KFD does not list this card")
            : nodes.error();
  for (const PciDevice& device : devices ? *devices : none) {
    if (used.contains(&device)) continue;
    Gpu gpu = gpu_of_card(source, device, no_node);
    (is_amd(gpu) ? machine.gpus : machine.other_gpus).push_back(std::move(gpu));
  }
  machine.gpus_readable = Done{};
  if (machine.gpus.size() > kMostGpus) {
    machine.gpus_readable =
        malformed("/sys/class/drm", "there are more than " + std::to_string(kMostGpus) + " GPUs");
    machine.gpus.clear();
  }
  if (!devices && !nodes) machine.gpus_readable = devices.error();
  // Tools are asked only where no file tells: a snapshot without sysfs, or WSL2, whose GPU is no
  // PCI device.
  const bool wsl = source.exists("/dev/dxg");
  if (!devices || (wsl && machine.gpus.empty())) {
    if (add_tool_gpus(source, wsl, machine.gpus)) machine.gpus_readable = Done{};
  }
  int index = 0;
  for (Gpu& gpu : machine.gpus) gpu.index = index++;
  for (Gpu& gpu : machine.other_gpus) gpu.index = index++;
}

}  // namespace rocvet
