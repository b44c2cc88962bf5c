// Which elements of a sparse product (sparse.h) a lane holds, for each family of instructions.
//
// A lane holds pairs of A, the two elements of a group, and elements of B and D one by one. The
// index register has four bits for each of some groups, from the lowest on.
//
// Sources: AMD's matrix instruction calculator (2ef9189) for CDNA3 and RDNA4. For the instructions
// that gfx950 adds: ROCm/composable_kernel, amdgcn_mma of ck_tile/core/arch/mma/sparse (A in one
// piece, B in two), and AMD's simulator rocjitsu (shared/mma_exec.h), which numbers K in another
// order of groups of four, to the same product. The PTX manual for mma.sp, and for its index the
// order in which CUTLASS lays it into memory (reorder_meta of util/host_reorder.h).
#pragma once

#include "layout.h"

namespace rocvet::kernel {

struct Pair {
  int row, group;  ///< of A; the group's number along K
};

/// SMFMAC of 16x16, 64 lanes: a lane has `groups` groups. B's elements come in `pieces`, of which
/// the lanes share out each part of K.
template <int groups, int pieces>
struct SmfmacLayout {
  static constexpr int kLanes = 64, kN = 16, kK = 16 * groups;
  static constexpr int kPairs = groups, kElementsB = 4 * groups, kIndices = groups, kSums = 4;
  static constexpr Pair a(int lane, int pair) { return {lane % 16, groups * (lane / 16) + pair}; }
  static constexpr Spot b(int lane, int element) {
    constexpr int kPiece = kElementsB / pieces;
    return {lane % 16, kK / pieces * (element / kPiece) + kPiece * (lane / 16) + element % kPiece};
  }
  static constexpr Pair index(int lane, int place) { return a(lane, place); }
  static constexpr Spot d(int lane, int sum) { return {4 * (lane / 16) + sum, lane % 16}; }
};

/// SWMMAC of gfx12, 32 lanes: 16 bytes of B at a time belong to each half of the wave.
template <int bytes>
struct SwmmacLayout {
  static constexpr int kLanes = 32, kN = 16, kK = 32;
  static constexpr int kPairs = 4, kElementsB = 16, kIndices = 4, kSums = 8;
  static constexpr int kChunk = 16 / bytes;  ///< elements of 16 bytes
  static constexpr Pair a(int lane, int pair) {
    constexpr int kGroups = kChunk / 4;
    return {lane % 16, 2 * kGroups * (pair / kGroups) + kGroups * (lane / 16) + pair % kGroups};
  }
  static constexpr Spot b(int lane, int element) {
    return {lane % 16, 2 * kChunk * (element / kChunk) + kChunk * (lane / 16) + element % kChunk};
  }
  static constexpr Pair index(int lane, int place) { return a(lane, place); }
  static constexpr Spot d(int lane, int sum) { return {sum + 8 * (lane / 16), lane % 16}; }
};

/// NVIDIA's mma.sp m16n8: four lanes share a row. Of 16-bit types the first two of them hold the
/// index, each of half of K and of two rows; of 8-bit types all four, each of one row.
template <int bytes>
struct MmaSpLayout {
  static constexpr int kLanes = 32, kN = 8, kK = 64 / bytes;
  static constexpr int kWord = 4 / bytes;  ///< elements of a register
  static constexpr int kPairs = 8 / bytes, kElementsB = 16 / bytes, kIndices = 8, kSums = 4;
  static constexpr Pair a(int lane, int pair) {
    constexpr int kPairsOfWord = kWord / 2;
    const int word = pair / kPairsOfWord;
    return {lane / 4 + 8 * (word % 2),
            4 * kPairsOfWord * (word / 2) + kPairsOfWord * (lane % 4) + pair % kPairsOfWord};
  }
  static constexpr Spot b(int lane, int element) {
    return {lane / 4, 4 * kWord * (element / kWord) + kWord * (lane % 4) + element % kWord};
  }
  static constexpr Pair index(int lane, int place) {
    if (bytes == 2) return {lane / 4 + 8 * (place / 4), 4 * (lane % 2) + place % 4};
    return {lane / 4 + 8 * (lane % 2), 8 * (lane / 2 % 2) + place};
  }
  static constexpr Spot d(int lane, int sum) {
    return {lane / 4 + 8 * (sum / 2), 2 * (lane % 4) + sum % 2};
  }
};

/// Without such instructions: each lane computes a half of a row.
struct SparseScalarLayout {
  static constexpr int kLanes = 32, kN = 16, kSums = 8;
  static constexpr Spot d(int lane, int sum) { return {lane / 2, 8 * (lane % 2) + sum}; }
};

}  // namespace rocvet::kernel
