#include "machine/kfd_processes.h"

#include <algorithm>
#include <climits>
#include <optional>

#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr const char* kProcesses = "/sys/class/kfd/kfd/proc";
constexpr std::size_t kMostProcesses = 512;

std::optional<int> small(std::string_view digits) {
  const auto number = parse_number(digits);
  return number && *number <= INT_MAX ? std::optional<int>(static_cast<int>(*number))
                                      : std::nullopt;
}

}  // namespace

Result<std::vector<KfdProcess>> read_kfd_processes(Source& source) {
  const auto listed = source.list(kProcesses);
  if (!listed) return listed.error();
  std::vector<KfdProcess> processes;
  for (const std::string& entry : *listed) {
    const auto pid = small(entry);
    if (!pid || processes.size() == kMostProcesses) continue;
    const std::string folder = std::string(kProcesses) + "/" + entry;
    const auto files = source.list(folder);
    if (!files) continue;  // it has ended
    KfdProcess process{*pid, read_value(source, "/proc/" + entry + "/comm").value_or(""), {}};
    for (const std::string& file : *files) {
      constexpr std::string_view kVram = "vram_";
      if (!file.starts_with(kVram)) continue;
      const auto gpu = small(std::string_view(file).substr(kVram.size()));
      const auto bytes = read_unsigned(source, folder + "/" + file);
      if (gpu && bytes) process.vram[*gpu] = *bytes;
    }
    processes.push_back(std::move(process));
  }
  std::ranges::sort(processes, {}, &KfdProcess::pid);
  return processes;
}

}  // namespace rocvet
