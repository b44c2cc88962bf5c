// How the consumers of gemm_sm90.h multiply what its producer brings: a warpgroup by wgmma, or, in
// double precision, which wgmma has not, a warp by mma.sync.
#pragma once

#include "geometry.h"
#include "sm90.h"
#include "tile.h"

#if ROCVET_SM90
namespace rocvet::kernel {

/// Stages of shared memory that the producers of a cluster fill: rows of A, then of B, 128 bytes of
/// each in the copy engine's order.
template <int stages, int stage_bytes, int cluster>
struct Pipe {
  u8* first;
  PhaseBarrier *full, *empty;
  u32 stage = 0, parity = 0;

  ROCVET_DEVICE u8* at(u32 which) const { return first + which * stage_bytes; }
  ROCVET_DEVICE void next() {
    if (++stage == stages) {
      stage = 0;
      parity ^= 1;
    }
  }
  ROCVET_DEVICE void wait_full() const { full[stage].wait(parity); }
  ROCVET_DEVICE void wait_empty() const { empty[stage].wait(parity ^ 1); }
  /// A consumer's warp needs stage `which` no more: all blocks of the cluster fill it.
  ROCVET_DEVICE void leave(u32 which) const {
    if (lane_index() < cluster) empty[which].arrive_at(lane_index());
  }
};

/// 64 x 256 of C on a warpgroup. Sum i of a thread: see sm90.h.
template <Type type>
struct SumsSm90 {
  static constexpr int kColumns = 256, kStages = 4;  // of the block
  static constexpr int kParts = 1;                   // of a tile for the last wave: see Walk
  Sum<type> of[128];

  static ROCVET_DEVICE u32 row(u32 warp) { return warp * kSumRows; }
  static ROCVET_DEVICE u32 column(u32) { return 0; }

  template <int rows, int parts, class Pipe>
  ROCVET_DEVICE void multiply(Pipe& pipe, u32 warp, u32 steps, u32) {
    u32 before = 0;
    for (u32 step = 0; step < steps; ++step) {
      pipe.wait_full();
      const u8* from = pipe.at(pipe.stage);
      const u64 a = operand_rows128(from + warp / 4 * 64 * 128);
      const u64 b = operand_rows128(from + rows * 128);
      warpgroup_arrive();
#pragma unroll
      for (int part = 0; part < 4; ++part) {
        warpgroup_multiply<type>(of, a + 2 * part, b + 2 * part, step + part != 0);
      }
      warpgroup_commit();
      if (step != 0) {  // the products of the step before are done: its stage is free
        warpgroup_wait<1>();
        pipe.leave(before);
      }
      before = pipe.stage;
      pipe.next();
    }
    warpgroup_wait<0>();
    pipe.leave(before);
  }

  static ROCVET_DEVICE u32 piece_row(int) {
    return 0;
  }
  static ROCVET_DEVICE u32 piece_column(int piece) {
    return piece * 32;
  }
  /// Lays down 16 rows of 128 bytes in the copy engine's order: one of the warp's 8 pieces.
  ROCVET_DEVICE void put(int piece, u8* to) const {
    struct alignas(8) Pair {
      Sum<type> left, right;
    };
    const u32 line = lane_index() / 4, at = lane_index() % 4;
    const bool odd = line % 2 != 0;
#pragma unroll
    for (int upper = 0; upper < 2; ++upper) {
      u8* to_line = to + (line + 8 * upper) * 128 + at % 2 * 8;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        // Odd lines write the piece's halves in the other order: no two lanes meet in a bank.
        const int even = 4 * (4 * piece + i) + 2 * upper, other = even ^ 8;
        const Pair pair{odd ? of[other] : of[even], odd ? of[other + 1] : of[even + 1]};
        const u32 chunk = 2 * (odd ? i ^ 2 : i) + at / 2;
        *reinterpret_cast<Pair*>(to_line + (chunk ^ line) * 16) = pair;
      }
    }
  }
};

/// 32 x 64 of C on a warp, of 4 x 2 warps. Operands are read from shared memory one ahead, 8 bytes
/// at a time, which come in the registers that a product wants them in: 16 bytes had to be moved
/// there (0.98 to 0.99 of cuBLAS at 4096 on an H200). A product's rows 0 to 7 are those of memory
/// in another order: the 16 lanes that are served together find their chunks, which the copy engine
/// turned by the row, in different banks.
template <>
struct SumsSm90<Type::fp64> {
  using T = Tile<Isa::mma_sm80, Type::fp64>;
  static constexpr int kColumns = 128, kStages = 5, kParts = 4;
  static constexpr int kTilesM = 2, kTilesN = 8, kWarpsN = 2;
  T::Sums of[kTilesM][kTilesN];

  static ROCVET_DEVICE u32 row(u32 warp) { return warp / kWarpsN * kTilesM * T::kM; }
  static ROCVET_DEVICE u32 column(u32 warp) { return warp % kWarpsN * kTilesN * T::kN; }
  static ROCVET_DEVICE u32 lane_row() { return lane_index() / 4 % 4 * 2 + lane_index() / 16; }

  /// The first columns of `of` are those of part `part` of `parts`.
  template <int rows, int parts, class Pipe>
  ROCVET_DEVICE void multiply(Pipe& pipe, u32 warp, u32 steps, u32 part) {
    constexpr int kTiles = kTilesN / parts;
    const u32 chunk = lane_index() % 4 / 2 ^ lane_row();
    const u32 start = lane_row() * 128 + chunk * 16 + lane_index() % 2 * 8;
    const u32 start_a = row(warp) * 128;
    const u32 start_b = (rows + column(warp) + part * kTiles * T::kN) * 128;
    // A stage has twice the K that a product takes.
    double a[kTilesM][2][4], b[2][2][2];
    auto read_a = [&](int tile) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const u8* from = pipe.at(pipe.stage) + start_a + (2 * tile + i % 2) * 1024;
        a[tile][i / 4][i % 4] = *reinterpret_cast<const double*>(from + (start ^ i / 2 * 32));
      }
    };
    auto read_b = [&](int tile, u32 stage) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const u8* from = pipe.at(stage) + start_b + tile * 1024;
        b[tile % 2][i / 2][i % 2] = *reinterpret_cast<const double*>(from + (start ^ i * 32));
      }
    };
#pragma unroll
    for (int i = 0; i < kTilesM * kTiles; ++i) of[i / kTiles][i % kTiles] = {};
    pipe.wait_full();
#pragma unroll
    for (int i = 0; i < kTilesM; ++i) read_a(i);
    read_b(0, pipe.stage);
    for (u32 step = 0; step < steps; ++step) {
      const u32 stage = pipe.stage;
      const bool more = step + 1 < steps;
      pipe.next();
#pragma unroll
      for (int j = 0; j < kTiles; ++j) {
        const bool last = j + 1 == kTiles;
        if (j + 2 == kTiles && more) pipe.wait_full();
        if (!last) {
          read_b(j + 1, stage);
        } else if (more) {
          read_b(0, pipe.stage);
        }
#pragma unroll
        for (int i = 0; i < kTilesM; ++i) {
          T::multiply(of[i][j], a[i][0], b[j % 2][0]);
          T::multiply(of[i][j], a[i][1], b[j % 2][1]);
          if (last && more) read_a(i);
        }
      }
      pipe.leave(stage);
    }
  }

  static ROCVET_DEVICE u32 piece_row(int piece) {
    return piece / 4 * T::kM;
  }
  static ROCVET_DEVICE u32 piece_column(int piece) {
    return piece % 4 * 2 * T::kN;
  }
  ROCVET_DEVICE void put(int piece, u8* to) const {
    const u32 line = lane_row(), at = lane_index() % 4;
#pragma unroll
    for (int i = 0; i < 8; ++i) {  // two tiles; of each two columns, in the order of lane_row
      const int tile = i / 4, sum = i % 4;
      const u32 chunk = tile * 4 + at % 2 * 2 + sum % 2;
      u8* to_line = to + (line + sum / 2 * 8) * 128 + at / 2 * 8;
      *reinterpret_cast<double*>(to_line + (chunk ^ line) * 16) =
          of[piece / 4][piece % 4 * 2 + tile][sum];
    }
  }
};

}  // namespace rocvet::kernel
#endif
