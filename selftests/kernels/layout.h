// Which elements of a small matrix product a lane holds, for each family of matrix instructions.
//
// A product is D += A * B^T, both operands with K contiguous in memory. An operand is loaded in
// chunks of 16 bytes along K. Which element of K a chunk's bytes stand for inside the instruction
// does not matter as long as A and B agree, so every family can load whole chunks; a lane's chunks
// cover `kBytes` bytes of K between them. What a chunk's bytes are to the instruction is in tile.h.
// Formulas: AMD's matrix instruction calculator, and the PTX manual for mma.sync.
#pragma once

#include "isa.h"

namespace rocvet::kernel {

struct Spot {
  int row, at;  ///< of an operand: row and first byte along K; of D: row and column
};

/// MFMA of 16x16, 64 lanes. `chunks` > 1: one instruction takes more than 16 bytes of a lane.
template <int chunks, bool fp64>
struct MfmaLayout {
  static constexpr int kLanes = 64, kM = 16, kN = 16, kBytes = 64 * chunks;
  static constexpr int kChunksA = chunks, kChunksB = chunks, kSums = 4;
  static constexpr Spot a(int lane, int chunk) {
    return {lane % 16, 64 * chunk + 16 * (lane / 16)};
  }
  static constexpr Spot b(int lane, int chunk) { return a(lane, chunk); }
  static constexpr Spot d(int lane, int sum) {
    return {fp64 ? 4 * sum + lane / 16 : 4 * (lane / 16) + sum, lane % 16};
  }
};

/// MFMA of 32x32 with 16-bit operands.
struct MfmaTallLayout {
  static constexpr int kLanes = 64, kM = 32, kN = 32, kBytes = 32;
  static constexpr int kChunksA = 1, kChunksB = 1, kSums = 16;
  static constexpr Spot a(int lane, int) { return {lane % 32, 16 * (lane / 32)}; }
  static constexpr Spot b(int lane, int chunk) { return a(lane, chunk); }
  static constexpr Spot d(int lane, int sum) {
    return {8 * (sum / 4) + 4 * (lane / 32) + sum % 4, lane % 32};
  }
};

/// WMMA of gfx11: both halves of the wave hold all of K.
struct Wmma11Layout {
  static constexpr int kLanes = 32, kM = 16, kN = 16, kBytes = 32;
  static constexpr int kChunksA = 2, kChunksB = 2, kSums = 8;
  static constexpr Spot a(int lane, int chunk) { return {lane % 16, 16 * chunk}; }
  static constexpr Spot b(int lane, int chunk) { return a(lane, chunk); }
  static constexpr Spot d(int lane, int sum) { return {2 * sum + lane / 16, lane % 16}; }
};

/// WMMA of gfx1250: chunks of 16 bytes of K belong to each half of the wave in turn.
template <int chunks>
struct Wmma1250Layout {
  static constexpr int kLanes = 32, kM = 16, kN = 16, kBytes = 32 * chunks;
  static constexpr int kChunksA = chunks, kChunksB = chunks, kSums = 8;
  static constexpr Spot a(int lane, int chunk) {
    return {lane % 16, 32 * chunk + 16 * (lane / 16)};
  }
  static constexpr Spot b(int lane, int chunk) { return a(lane, chunk); }
  static constexpr Spot d(int lane, int sum) { return {sum + 8 * (lane / 16), lane % 16}; }
};

/// WMMA of gfx12: each half of the wave holds a half of K.
using Wmma12Layout = Wmma1250Layout<1>;

/// NVIDIA's mma.sync m16n8: four lanes share a row.
struct MmaLayout {
  static constexpr int kLanes = 32, kM = 16, kN = 8, kBytes = 64;
  static constexpr int kChunksA = 2, kChunksB = 1, kSums = 4;
  static constexpr Spot a(int lane, int chunk) { return {lane / 4 + 8 * chunk, 16 * (lane % 4)}; }
  static constexpr Spot b(int lane, int) { return {lane / 4, 16 * (lane % 4)}; }
  static constexpr Spot d(int lane, int sum) {
    return {lane / 4 + 8 * (sum / 2), 2 * (lane % 4) + sum % 2};
  }
};

/// No matrix instructions: each lane multiplies `rows` chunks of A with `cols` of B.
template <int lanes, int rows, int cols>
struct ScalarLayout {
  static constexpr int kLanes = lanes, kLanesN = lanes == 64 ? 8 : 4, kLanesM = lanes / kLanesN;
  static constexpr int kM = kLanesM * rows, kN = kLanesN * cols, kBytes = 16;
  static constexpr int kChunksA = rows, kChunksB = cols, kSums = rows * cols;
  static constexpr Spot a(int lane, int chunk) { return {lane / kLanesN + kLanesM * chunk, 0}; }
  static constexpr Spot b(int lane, int chunk) { return {lane % kLanesN + kLanesN * chunk, 0}; }
  static constexpr Spot d(int lane, int sum) {
    return {a(lane, sum / cols).row, b(lane, sum % cols).row};
  }
};

template <Isa isa, Type type>
struct LayoutOf {
  using type_t =
      MfmaLayout<isa == Isa::mfma_gfx950 && type == Type::fp8 ? 2 : 1, type == Type::fp64>;
};
template <Type type>
struct LayoutOf<Isa::wmma_gfx11, type> {
  using type_t = Wmma11Layout;
};
template <Type type>
struct LayoutOf<Isa::wmma_gfx12, type> {
  using type_t = Wmma12Layout;
};
template <Type type>
struct LayoutOf<Isa::wmma_gfx1250, type> {
  using type_t = Wmma1250Layout<type == Type::fp32 ? 1 : 2>;
};
template <Type type>
struct LayoutOf<Isa::mma_sm80, type> {
  using type_t = MmaLayout;
};
/// Without dot products int8 is taken apart, which needs registers of its own.
#if ROCVET_AMD && !ROCVET_DOT
inline constexpr int kScalarRowsInt8 = 4;
#else
inline constexpr int kScalarRowsInt8 = 8;
#endif
template <Type type>
struct LayoutOf<Isa::scalar, type> {
  static constexpr int kRows = type == Type::fp64 ? 4 : type == Type::int8 ? kScalarRowsInt8 : 8;
  using type_t = ScalarLayout<kWaveSize, kRows, type == Type::fp64 ? 4 : 8>;
};
template <Isa isa, Type type>
using Layout = typename LayoutOf<isa, type>::type_t;

/// Shared memory holds rows of `row_bytes` (64 or 128) in 16-byte columns. The column is
/// exclusive-ored with bits of the row, so that the lanes which are served together, reading the
/// same column of neighbouring rows, find it in different banks (kernels.md 1.4: who is served
/// together).
constexpr int turn_of_row(Isa isa, int row_bytes, int row) {
  if (row_bytes == 64) return row / 2 % 4;
  return isa == Isa::mma_sm80 ? row % 2 * 4 + row / 2 % 4 : row % 8;
}
constexpr int swizzled(Isa isa, int row_bytes, int row, int byte) {
  return row * row_bytes + 16 * (byte / 16 ^ turn_of_row(isa, row_bytes, row));
}
/// swizzled(row + more_row, byte + more_byte) from start = swizzled(row, byte), when no bit is set
/// in both row and more_row, nor in both byte and more_byte. With constants for the latter a lane
/// keeps one address for each column instead of one for each chunk.
constexpr int swizzled_from(Isa isa, int row_bytes, int start, int more_row, int more_byte) {
  return (start ^ 16 * (more_byte / 16 ^ turn_of_row(isa, row_bytes, more_row))) +
         more_row * row_bytes;
}

/// A load of gfx950 that brings data straight to shared memory writes 16 bytes of each lane in the
/// order of lanes: eight rows of 128 bytes. Which of them a lane must bring, that each comes to its
/// swizzled place: the row, and the byte in it.
inline constexpr int kDirectBytes = 64 * 16, kDirectStep = 128;
constexpr Spot direct_spot(int lane) {
  const int row = lane / 8;
  return {row, 16 * (lane % 8 ^ turn_of_row(Isa::mfma_gfx950, kDirectStep, row))};
}

}  // namespace rocvet::kernel
