// The hardware below the kernel: board, processor, memory, mounts, IOMMU.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "machine/system.h"
#include "source/source.h"

namespace rocvet {

Dmi read_dmi(Source& source);
Cpu read_cpu(Source& source);
Iommu read_iommu(Source& source, const Kernel& kernel);
/// What df says of every local file system.
Result<std::vector<FileSystemUse>> read_file_systems(Source& source);
SystemMemory read_memory(Source& source, const std::vector<Mount>& mounts,
                         const Result<std::vector<FileSystemUse>>& file_systems);

/// /proc/cpuinfo; `sockets` is an error where no line names a physical id.
Cpu parse_cpuinfo(std::string_view text);
/// How many processors a list such as "0-63,128-191" holds.
int count_cpus(std::string_view online);
/// The highest number in such a list.
std::optional<int> last_cpu_of(std::string_view online);
/// `df -PkT`, or df -T without -P where a long device name has a line of its own.
Result<std::vector<FileSystemUse>> parse_df(std::string_view text);
/// "67108864k", "50%" of `total_bytes`, "8g" -> bytes.
Result<std::uint64_t> parse_tmpfs_size(std::string_view text, std::uint64_t total_bytes);

}  // namespace rocvet
