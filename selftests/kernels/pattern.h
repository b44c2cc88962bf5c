// What fills memory: a word depends on its place and the seed alone, so that host and device can
// make any part of it again.
#pragma once

#include "memory.h"

namespace rocvet::kernel {

enum class Pattern : u32 {
  own_address,
  walking_one,
  walking_zero,
  moving,  ///< moving inversions: every second bit
  random,
  left,
  right,     ///< single-precision whole numbers below 65536
  triad,     ///< left + 3 * right, exact in single precision
  constant,  ///< the seed itself
};

ROCVET_BOTH u32 random_word(u64 at, u32 seed) {
  return mixed(static_cast<u32>(at) ^ mixed(static_cast<u32>(at >> 32) ^ seed));
}

ROCVET_BOTH u32 pattern(Pattern kind, u64 at, u32 seed) {
  const u32 low = static_cast<u32>(at), high = static_cast<u32>(at >> 32);
  const u32 word = random_word(at, seed);
  const float left = static_cast<float>(word & 0xffff), right = static_cast<float>(word >> 16);
  switch (kind) {
    case Pattern::own_address:
      return low ^ high * 0x9e3779b9u;
    case Pattern::walking_one:
      return 1u << ((low + seed) & 31);
    case Pattern::walking_zero:
      return ~(1u << ((low + seed) & 31));
    case Pattern::moving:
      return (low + seed) & 1 ? 0x55555555u : 0xaaaaaaaau;
    case Pattern::left:
      return bits<u32>(left);
    case Pattern::right:
      return bits<u32>(right);
    case Pattern::triad:
      return bits<u32>(left + 3.0f * right);
    case Pattern::constant:
      return seed;
    default:
      return word;
  }
}

}  // namespace rocvet::kernel
