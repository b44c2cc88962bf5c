// Packets of AMD's copy engines (SDMA 4 to 7.1), as words.
// Source: the packet headers of ROCr (sdma_registers.h) and of the kernel (sdma_v*_0_0_pkt_open.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace rocvet::gpu::sdma {

constexpr std::uint32_t low(std::uint64_t value) {
  return static_cast<std::uint32_t>(value);
}
constexpr std::uint32_t high(std::uint64_t value) {
  return static_cast<std::uint32_t>(value >> 32);
}

/// What the packets of an engine look like.
enum class Generation {
  gfx9,
  gfx10,   ///< and gfx11: knows the caches
  gfx12,   ///< says of a word whether it is of the system's memory
  gfx125,  ///< says the scope of each access; another packet for the caches
};
constexpr Generation generation_of(std::uint64_t gfx_target_version) {
  if (gfx_target_version >= 120500) return Generation::gfx125;
  if (gfx_target_version >= 120000) return Generation::gfx12;
  return gfx_target_version >= 100000 ? Generation::gfx10 : Generation::gfx9;
}
inline constexpr std::uint32_t kSystemScope = 3;

constexpr std::uint32_t kNop = 0;
/// Of one packet; every engine takes as much.
constexpr std::uint64_t kMostBytes = 2 << 20;

constexpr std::array<std::uint32_t, 7> copy(Generation of, std::uint64_t to, std::uint64_t from,
                                            std::uint64_t bytes) {
  constexpr std::uint32_t kCopyLinear = 1, kScopes = kSystemScope << 18 | kSystemScope << 26;
  return {kCopyLinear, low(bytes - 1), of == Generation::gfx125 ? kScopes : 0,
          low(from),   high(from),     low(to),
          high(to)};
}

/// Waits until the word at `address` is 0.
constexpr std::array<std::uint32_t, 6> wait_for_zero(std::uint64_t address) {
  constexpr std::uint32_t kPollMemory = 8 | 3u << 28 | 1u << 31;  // until equal; memory
  constexpr std::uint32_t kInterval = 4, kForEver = 0xfffu << 16;
  return {kPollMemory, low(address), high(address), 0, 0xffffffffu, kInterval | kForEver};
}

/// Writes a word of the system's memory after all before it is done.
constexpr std::array<std::uint32_t, 4> write_word(Generation of, std::uint64_t address,
                                                  std::uint32_t value) {
  constexpr std::uint32_t kFence = 5, kUncached = 3u << 16, kSystem = 1u << 20;
  return {kFence | (of >= Generation::gfx10 ? kUncached : 0) |
              (of >= Generation::gfx12 ? kSystem : 0) |
              (of == Generation::gfx125 ? kSystemScope << 24 : 0),
          low(address), high(address), value};
}

/// Interrupts for an event.
constexpr std::array<std::uint32_t, 2> interrupt(std::uint32_t event_id) {
  constexpr std::uint32_t kTrap = 6;
  return {kTrap, event_id};
}

/// Writes the caches back and invalidates them, all addresses; gfx9 has no such packet.
inline std::vector<std::uint32_t> caches(Generation of) {
  constexpr std::uint32_t kGcr = 17 | 1u << 8;
  // Bits of the control field. L2, metadata and scalar cache: both; L1 and the vector cache have
  // nothing to write back.
  constexpr std::uint32_t kL2 = 3u << 14, kL1 = 1u << 9, kVector = 1u << 8, kScalar = 3u << 6,
                          kMetadata = 3u << 4;
  // The scalar cache is read alone there, and what was metadata is the scope of L2.
  constexpr std::uint32_t kDeviceL2 = 1u << 4, kScalarRead = 1u << 7;
  switch (of) {
    case Generation::gfx9:
      return {};
    case Generation::gfx125:
      return {kGcr, 0, 0, kL2 | kVector | kScalarRead | kDeviceL2, 0, 0};
    default:
      return {kGcr, 0, (kL2 | kL1 | kVector | kScalar | kMetadata) << 16, 0, 0};
  }
}

}  // namespace rocvet::gpu::sdma
