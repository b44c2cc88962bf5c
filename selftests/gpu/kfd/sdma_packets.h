// Packets of AMD's copy engines (SDMA 4 to 7), as words.
// Source: the packet headers of ROCr (sdma_registers.h) and of the kernel (sdma_v*_0_0_pkt_open.h).
#pragma once

#include <array>
#include <cstdint>

namespace rocvet::gpu::sdma {

constexpr std::uint32_t low(std::uint64_t value) {
  return static_cast<std::uint32_t>(value);
}
constexpr std::uint32_t high(std::uint64_t value) {
  return static_cast<std::uint32_t>(value >> 32);
}

constexpr std::uint32_t kNop = 0;
/// Of one packet; every engine takes as much.
constexpr std::uint64_t kMostBytes = 2 << 20;

constexpr std::array<std::uint32_t, 7> copy(std::uint64_t to, std::uint64_t from,
                                            std::uint64_t bytes) {
  constexpr std::uint32_t kCopyLinear = 1;
  return {kCopyLinear, low(bytes - 1), 0, low(from), high(from), low(to), high(to)};
}

/// Waits until the word at `address` is 0.
constexpr std::array<std::uint32_t, 6> wait_for_zero(std::uint64_t address) {
  constexpr std::uint32_t kPollMemory = 8 | 3u << 28 | 1u << 31;  // until equal; memory
  constexpr std::uint32_t kInterval = 4, kForEver = 0xfffu << 16;
  return {kPollMemory, low(address), high(address), 0, 0xffffffffu, kInterval | kForEver};
}

/// Writes a word after all before it is done. `newer`: of SDMA 5 and later.
constexpr std::array<std::uint32_t, 4> write_word(std::uint64_t address, std::uint32_t value,
                                                  bool newer) {
  constexpr std::uint32_t kFence = 5, kUncached = 3u << 16;
  return {kFence | (newer ? kUncached : 0), low(address), high(address), value};
}

/// Interrupts for an event.
constexpr std::array<std::uint32_t, 2> interrupt(std::uint32_t event_id) {
  constexpr std::uint32_t kTrap = 6;
  return {kTrap, event_id};
}

/// Of SDMA 5 and later: writes the caches back and invalidates them, all addresses.
constexpr std::array<std::uint32_t, 5> caches() {
  constexpr std::uint32_t kGcr = 17 | 1u << 8;
  // Bits of the control field. L2, metadata and scalar cache: both; L1 and the vector cache have
  // nothing to write back.
  constexpr std::uint32_t kL2 = 3u << 14, kL1 = 1u << 9, kVector = 1u << 8, kScalar = 3u << 6,
                          kMetadata = 3u << 4;
  return {kGcr, 0, (kL2 | kL1 | kVector | kScalar | kMetadata) << 16, 0, 0};
}

}  // namespace rocvet::gpu::sdma
