// /sys/class/kfd/kfd/topology: what the compute side of amdgpu tells of each node.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "machine/gpu.h"
#include "source/source.h"

namespace rocvet {

/// "key value" lines; values are unsigned 64-bit. A line that is none is left out.
using KfdProperties = std::map<std::string, std::uint64_t>;
KfdProperties parse_kfd_properties(std::string_view text);

/// 90010 -> "gfx90a": decimal major*10000 + minor*100 + stepping, the last two printed in hex.
/// nullopt for 0, which marks a CPU.
std::optional<std::string> gfx_from_target_version(std::uint64_t version);

struct KfdAddress {
  std::string bdf;       ///< as KFD encodes it: the function digit may be a partition
  std::string card_bdf;  ///< function 0 of the same device
  int partition = 0;     ///< low 3 bits, or bits 28-31 where a newer kernel keeps it there
};
/// `location_id` is bus << 8 | device << 3 | function or partition.
KfdAddress kfd_address(std::uint64_t domain, std::uint64_t location_id);

struct KfdNode {
  int number = 0;
  KfdProperties properties;
  Result<int> gpu_id;
  std::vector<MemoryBank> banks;
  std::vector<IoLink> links;

  /// A node with SIMDs. A missing simd_count says nothing, so the vendor id is asked then.
  bool is_gpu() const;
  Result<std::uint64_t> property(std::string_view name) const;
};

/// Missing when there is no KFD. Nodes are sorted by number. Links are read for the first node of
/// each card only: the 64 partitions of 8 MI300X have 4,034 of them, which say the same.
Result<std::vector<KfdNode>> read_kfd_topology(Source& source);

/// The Gpu that one node describes; what KFD does not know stays "not captured".
Gpu gpu_from_kfd_node(const KfdNode& node);

}  // namespace rocvet
