// Where attention on matrix instructions has its keys and values in shared memory, and in which
// order.
#pragma once

#include "layout.h"

namespace rocvet::kernel {

/// Where 16 bytes of a 128-byte row lie. Rows that are 8 apart turn as well: V is written so.
constexpr int turned(int row, int byte) {
  return row * 128 + 16 * (byte / 16 ^ ((row ^ row / 8) % 8));
}
/// turned(row + more_row, byte + more_byte) from start = turned(row, byte): see swizzled_from.
constexpr int turned_from(int start, int more_row, int more_byte) {
  return (start ^ 16 * (more_byte / 16 ^ ((more_row ^ more_row / 8) % 8))) + more_row * 128;
}

/// The key whose weight is element `position` of a row of P^T's chunks, and of V^T: what a lane
/// has of S^T is its chunk of P^T as it is.
constexpr u32 key_at(Isa isa, u32 position) {
  const u32 first = position / 16 * 16, chunk = position / 8 % 2, element = position % 8;
  if (isa == Isa::wmma_gfx11) return first + element * 2 + chunk;  // even keys, then odd keys
  if (isa == Isa::wmma_gfx12 || isa == Isa::wmma_gfx1250) return position;
  return first + element / 4 * 8 + chunk * 4 + element % 4;  // four keys, and four that are 8 on
}

/// What a thread brings of V: so many columns from `column` on of the four keys whose positions
/// begin with 4 * group. Neighbours have the groups that make 16 bytes of V^T, so that what a wave
/// writes at once lies in all banks.
struct ValuePart {
  u32 column, group;
};
constexpr ValuePart value_part(u32 thread, u32 d, u32 columns) {
  const u32 parts = d / columns;
  return {thread / 2 % parts * columns, thread / 2 / parts * 2 + thread % 2};
}

}  // namespace rocvet::kernel
