#include "selftests/gpu/code_objects.h"

#include <zstd.h>

#include <cstring>

#include "selftests/gpu/pack_format.h"

extern "C" const unsigned char rocvet_code_objects[], rocvet_code_objects_end[];

namespace rocvet::gpu {
namespace {

std::vector<PackTarget> all_targets() {
  PackHeader header;
  std::memcpy(&header, rocvet_code_objects, sizeof header);
  std::vector<PackTarget> targets(header.targets);
  std::memcpy(targets.data(), rocvet_code_objects + sizeof header,
              targets.size() * sizeof(PackTarget));
  return targets;
}

std::vector<std::byte> unpack(const PackTarget& target) {
  std::vector<std::byte> frame(target.unpacked_bytes);
  const std::size_t got = ZSTD_decompress(frame.data(), frame.size(),
                                          rocvet_code_objects + target.offset, target.bytes);
  if (got != frame.size()) frame.clear();
  return frame;
}

std::vector<PackModule> modules_of(const std::vector<std::byte>& frame) {
  std::uint32_t count = 0;
  if (frame.size() >= sizeof count) std::memcpy(&count, frame.data(), sizeof count);
  std::vector<PackModule> modules(count);
  if (count > 0) std::memcpy(modules.data(), frame.data() + 4, count * sizeof(PackModule));
  return modules;
}

/// Which of the built targets a device runs, best first: its own; for NVIDIA also that of an
/// earlier model of its generation, and last the code that the driver compiles.
std::vector<std::string> candidates(std::string_view arch) {
  std::string target(arch.substr(0, arch.find(':')));
  if (!target.starts_with("sm_")) return {target};
  std::vector<std::string> names{target + "a"};
  for (; target.back() >= '0'; --target.back()) names.push_back(target);
  names.emplace_back("compute_80");
  return names;
}

}  // namespace

std::vector<std::string> built_targets() {
  std::vector<std::string> names;
  for (const PackTarget& target : all_targets()) names.emplace_back(target.name);
  return names;
}

std::vector<std::string> built_modules(std::string_view name) {
  std::vector<std::string> names;
  for (const PackTarget& target : all_targets()) {
    if (name != target.name) continue;
    for (const PackModule& module : modules_of(unpack(target))) names.emplace_back(module.name);
  }
  return names;
}

Result<std::vector<std::byte>> code_object(std::string_view arch, std::string_view module) {
  if (arch == "host") return std::vector<std::byte>{};
  for (const std::string& candidate : candidates(arch)) {
    for (const PackTarget& target : all_targets()) {
      if (candidate != target.name) continue;
      const std::vector<std::byte> frame = unpack(target);
      for (const PackModule& entry : modules_of(frame)) {
        if (module != entry.name) continue;
        const auto first = frame.begin() + entry.offset;
        return std::vector<std::byte>(first, first + entry.bytes);
      }
    }
  }
  std::string built;
  for (const std::string& name : built_targets()) built += " " + name;
  return missing(std::string(kDeviceCode),
                 "this build has no '" + std::string(module) + "' for " + std::string(arch) +
                     " (it has code for:" + (built.empty() ? " no target" : built) + ")");
}

}  // namespace rocvet::gpu
