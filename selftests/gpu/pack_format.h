// How device code lies in the binary: a directory of targets, each a zstd frame, which holds a
// directory of modules and their code objects. Little endian, as both ends are.
#pragma once

#include <cstdint>

namespace rocvet::gpu {

struct PackHeader {
  char magic[4];  ///< "RVCO"
  std::uint32_t targets;
};
/// Follows the header, once for each target. Offsets count from the start of the pack.
struct PackTarget {
  char name[24];
  std::uint32_t offset, bytes, unpacked_bytes;
};
/// In a frame: how many modules, then these. Offsets count from the start of the frame's content.
struct PackModule {
  char name[40];
  std::uint32_t offset, bytes;
};

}  // namespace rocvet::gpu
