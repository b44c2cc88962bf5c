// Build tool: pack_code_objects OUT TARGET:MODULE:FILE… writes the pack of pack_format.h.
#include <zstd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "selftests/gpu/pack_format.h"

using namespace rocvet::gpu;

namespace {

struct Module {
  std::string name, bytes;
};
struct Target {
  std::string name;
  std::vector<Module> modules;
};

template <typename T>
void append(std::string& to, const T& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string frame_of(const Target& target) {
  std::string table, data;
  append(table, static_cast<std::uint32_t>(target.modules.size()));
  const std::size_t start = 4 + target.modules.size() * sizeof(PackModule);
  for (const Module& module : target.modules) {
    // Code objects are ELF files: aligned, so that they can be read where they lie.
    data.resize((start + data.size() + 63) / 64 * 64 - start);
    PackModule entry{};
    std::strncpy(entry.name, module.name.c_str(), sizeof entry.name - 1);
    entry.offset = static_cast<std::uint32_t>(start + data.size());
    entry.bytes = static_cast<std::uint32_t>(module.bytes.size());
    append(table, entry);
    data += module.bytes;
  }
  return table + data;
}

std::string compressed(const std::string& bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 19));
  return packed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 3;
  std::vector<Target> targets;
  for (int i = 2; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t first = argument.find(':'), second = argument.find(':', first + 1);
    const std::string path = argument.substr(second + 1);
    std::ifstream file(path, std::ios::binary);
    Module module{argument.substr(first + 1, second - first - 1),
                  {std::istreambuf_iterator<char>(file), {}}};
    if (!file || module.bytes.empty()) {
      std::fprintf(stderr, "pack_code_objects: cannot read %s\n", path.c_str());
      return 3;
    }
    const std::string name = argument.substr(0, first);
    if (targets.empty() || targets.back().name != name) targets.push_back({name, {}});
    targets.back().modules.push_back(std::move(module));
  }
  std::string directory, data;
  append(directory, PackHeader{{'R', 'V', 'C', 'O'}, static_cast<std::uint32_t>(targets.size())});
  const std::size_t start = directory.size() + targets.size() * sizeof(PackTarget);
  for (const Target& target : targets) {
    const std::string frame = frame_of(target), packed = compressed(frame);
    PackTarget entry{};
    std::strncpy(entry.name, target.name.c_str(), sizeof entry.name - 1);
    entry.offset = static_cast<std::uint32_t>(start + data.size());
    entry.bytes = static_cast<std::uint32_t>(packed.size());
    entry.unpacked_bytes = static_cast<std::uint32_t>(frame.size());
    append(directory, entry);
    data += packed;
  }
  std::ofstream out(argv[1], std::ios::binary);
  out << directory << data;
  return out.flush() ? 0 : 3;
}
