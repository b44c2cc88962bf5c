// C = A * B^T on Hopper: one block per multiprocessor walks over the tiles of C. A producer warp
// keeps four stages of shared memory filled through the tensor copy engine; two warpgroups multiply
// 64 x 256 each. Two blocks form a cluster: they share the rows of B, of which each fetches a half
// for both. Sums leave through two small pieces of shared memory per warp: a multiprocessor writes
// some 27 bytes a cycle however it is asked, so that what still waits there is written while the
// next tile is multiplied (0.94 to 0.97 of cuBLAS in fp16 at 4096 on an H200).
#pragma once

#include "geometry.h"
#include "sm90.h"

#if ROCVET_SM90
namespace rocvet::kernel {

template <Type type>
struct GemmSm90 {
  static constexpr int kConsumers = 2, kThreads = 128 * (kConsumers + 1), kStages = 4, kCluster = 2;
  static constexpr int kBlockM = 64 * kConsumers, kBlockN = 256, kStep = 128;  // kStep: bytes of K
  static constexpr int kStageBytes = (kBlockM + kBlockN) * kStep;
  // A piece: a warp's rows, 128 bytes of each.
  static constexpr int kPieceColumns = 32, kPieceBytes = kSumRows * 128;
  static constexpr int kPieces = 2;  // of a warp, under way
  static constexpr int kPiecesBytes = 4 * kConsumers * kPieces * kPieceBytes;
  static constexpr int kSharedBytes = kStages * kStageBytes + kPiecesBytes + 1024 + 16 * kStages;

  struct Walk {  // over tiles of C, a cluster at a time: kCluster tiles along M
    u32 tiles_m, tiles_n, count;
    ROCVET_DEVICE Walk(u32 m, u32 n)
        : tiles_m((m + kCluster * kBlockM - 1) / (kCluster * kBlockM)),
          tiles_n((n + kBlockN - 1) / kBlockN),
          count(tiles_m * tiles_n) {}
    ROCVET_DEVICE void corner(u32 tile, u32 rank, u32& row, u32& col) const {
      const u32 group = 8, per_group = group * tiles_n, first = tile / per_group * group;
      const u32 height = smaller(group, tiles_m - first), within = tile % per_group;
      row = ((first + within % height) * kCluster + rank) * kBlockM;
      col = within / height * kBlockN;
    }
  };

  /// Writes the sums of a warp's 16 x 256 tile at (row, col), `pieces`: its share of shared memory.
  static ROCVET_DEVICE void write(const Sum<type> (&sums)[128], const TensorMap* map_c, u32 row,
                                  u32 col, u8* pieces) {
    struct alignas(8) Pair {
      Sum<type> left, right;
    };
    const u32 lane = lane_index(), line = lane / 4, at = lane % 4;
    const bool odd = line % 2 != 0;
#pragma unroll
    for (int piece = 0; piece < kBlockN / kPieceColumns; ++piece) {
      if (lane == 0) wait_for_stores<kPieces - 1>();
      warp_barrier();
      u8* to = pieces + piece % kPieces * kPieceBytes;
#pragma unroll
      for (int upper = 0; upper < 2; ++upper) {
        u8* to_line = to + (line + 8 * upper) * 128 + at % 2 * 8;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          // Odd lines write the piece's halves in the other order: no two lanes meet in a bank.
          const int even = 4 * (4 * piece + i) + 2 * upper, other = even ^ 8;
          const Pair pair{odd ? sums[other] : sums[even], odd ? sums[other + 1] : sums[even + 1]};
          const u32 chunk = 2 * (odd ? i ^ 2 : i) + at / 2;
          *reinterpret_cast<Pair*>(to_line + (chunk ^ line) * 16) = pair;
        }
      }
      publish_shared();
      warp_barrier();
      if (lane == 0) {
        store_box(map_c, to, static_cast<int>(col) + piece * kPieceColumns, static_cast<int>(row));
        commit_stores();
      }
    }
  }

  static ROCVET_DEVICE void run(const TensorMap* map_a, const TensorMap* map_b,
                                const TensorMap* map_c, u32 m, u32 n, u32 k, u8* dynamic) {
    constexpr int kElements = kStep / bytes_of(type);
    u8* shared = dynamic + (1024 - shared_address(dynamic) % 1024) % 1024;
    u8* pieces = shared + kStages * kStageBytes;
    PhaseBarrier* full = reinterpret_cast<PhaseBarrier*>(pieces + kPiecesBytes);
    PhaseBarrier* empty = full + kStages;
    const u32 rank = block_in_cluster();
    if (thread_index() == 0) {
      for (int i = 0; i < kStages; ++i) {
        full[i].start(1);
        empty[i].start(kCluster * kConsumers * 4);  // a lane of each consumer warp of the cluster
      }
      publish_barriers();
    }
    cluster_barrier();

    const u32 warpgroup = wave_index() / 4, steps = (k + kElements - 1) / kElements;
    const Walk walk(m, n);
    const u32 first = block_index() / kCluster, stride = grid_blocks() / kCluster;
    u32 stage = 0, parity = 0;
    if (warpgroup == 0) {
      give_registers<40>();
      if (thread_index() == 0) {
        for (u32 tile = first; tile < walk.count; tile += stride) {
          u32 row, col;
          walk.corner(tile, rank, row, col);
          for (u32 step = 0; step < steps; ++step) {
            empty[stage].wait(parity ^ 1);
            u8* to = shared + stage * kStageBytes;
            full[stage].arrive_and_expect(kStageBytes);
            const int x = static_cast<int>(step * kElements);
            copy_box(to, map_a, &full[stage], x, static_cast<int>(row));
            const int half = kBlockN / kCluster;
            copy_box_to_cluster(to + (kBlockM + rank * half) * kStep, map_b, &full[stage], x,
                                static_cast<int>(col + rank * half), (1 << kCluster) - 1);
            if (++stage == kStages) {
              stage = 0;
              parity ^= 1;
            }
          }
        }
        // The other block's consumers still arrive here: leave when they have released every stage.
        for (int i = 0; i < kStages; ++i) {
          empty[stage].wait(parity ^ 1);
          if (++stage == kStages) {
            stage = 0;
            parity ^= 1;
          }
        }
      }
    } else {
      take_registers<232>();
      const u32 consumer = warpgroup - 1, lane = lane_index(), warp = wave_index() % 4;
      for (u32 tile = first; tile < walk.count; tile += stride) {
        u32 row, col, before = 0;
        walk.corner(tile, rank, row, col);
        Sum<type> sums[128];
        for (u32 step = 0; step < steps; ++step) {
          full[stage].wait(parity);
          const u8* from = shared + stage * kStageBytes;
          const u64 a = operand_rows128(from + consumer * 64 * kStep);
          const u64 b = operand_rows128(from + kBlockM * kStep);
          warpgroup_arrive();
#pragma unroll
          for (int part = 0; part < 4; ++part) {
            warpgroup_multiply<type>(sums, a + 2 * part, b + 2 * part, step + part != 0);
          }
          warpgroup_commit();
          if (step != 0) {  // the products of the step before are done: its stage is free
            warpgroup_wait<1>();
            if (lane < kCluster) empty[before].arrive_at(lane);
          }
          before = stage;
          if (++stage == kStages) {
            stage = 0;
            parity ^= 1;
          }
        }
        warpgroup_wait<0>();
        if (lane < kCluster) empty[before].arrive_at(lane);
        const u32 slice = consumer * 4 + warp;  // of the block's rows
        write(sums, map_c, row + slice * kSumRows, col, pieces + slice * kPieces * kPieceBytes);
      }
      if (lane == 0) wait_for_stores<0>();
    }
    cluster_barrier();
  }
};

}  // namespace rocvet::kernel
#endif
