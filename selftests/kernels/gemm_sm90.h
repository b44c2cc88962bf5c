// C = A * B^T on Hopper: one block per multiprocessor walks over the tiles of C. A producer warp
// keeps four stages of shared memory filled through the tensor copy engine; two warpgroups multiply
// 64 x 256 each (fp64: five stages, 64 x 128). Two blocks form a cluster: they share the rows of B,
// of which each fetches a half for both. Sums leave through two small pieces of shared memory per
// warp: a multiprocessor writes some 27 bytes a cycle however it is asked, so that what still waits
// there is written while the next tile is multiplied (0.94 to 0.97 of cuBLAS in fp16 at 4096 on an
// H200).
#pragma once

#include "gemm_sm90_sums.h"

#if ROCVET_SM90
namespace rocvet::kernel {

template <Type type>
struct GemmSm90 {
  using Sums = SumsSm90<type>;
  static constexpr int kConsumers = 2, kThreads = 128 * (kConsumers + 1), kCluster = 2;
  static constexpr int kBlockM = 64 * kConsumers, kBlockN = Sums::kColumns;
  static constexpr int kStages = Sums::kStages, kStep = 128;  // kStep: bytes of K
  static constexpr int kStageBytes = (kBlockM + kBlockN) * kStep;
  // A piece: 16 rows of a warp's sums, 128 bytes of each; a warp has 8.
  static constexpr int kPieceBytes = kSumRows * 128;
  static constexpr int kPieces = 2;  // of a warp, under way
  static constexpr int kPiecesBytes = 4 * kConsumers * kPieces * kPieceBytes;
  static constexpr int kSharedBytes = kStages * kStageBytes + kPiecesBytes + 1024 + 16 * kStages;

  /// Over tiles of C, a cluster at a time: kCluster tiles along M. Those of a last wave that has
  /// work for a kParts-th of the clusters are split, along N, into parts for all (fp64 at 8192 on
  /// an H200: 31.25 waves instead of 32).
  struct Walk {
    u32 tiles_m, tiles_n, whole, count;  // the first `whole` of `count` are not split
    ROCVET_DEVICE Walk(u32 m, u32 n, u32 clusters)
        : tiles_m((m + kCluster * kBlockM - 1) / (kCluster * kBlockM)),
          tiles_n((n + kBlockN - 1) / kBlockN),
          whole(tiles_m * tiles_n),
          count(whole) {
      const u32 rest = whole % clusters;
      if (Sums::kParts > 1 && rest * Sums::kParts <= clusters) {
        whole -= rest;
        count = whole + rest * Sums::kParts;
      }
    }
    ROCVET_DEVICE u32 part(u32 tile) const { return (tile - whole) % Sums::kParts; }
    ROCVET_DEVICE void corner(u32 tile, u32 rank, u32& row, u32& col) const {
      if (tile >= whole) tile = whole + (tile - whole) / Sums::kParts;
      const u32 group = 8, per_group = group * tiles_n, first = tile / per_group * group;
      const u32 height = smaller(group, tiles_m - first), within = tile % per_group;
      row = ((first + within % height) * kCluster + rank) * kBlockM;
      col = within / height * kBlockN;
    }
  };

  /// Writes the sums of a warp, whose corner of C is (row, col), or of the first of `parts` of it;
  /// `pieces`: its share of shared memory.
  template <int parts>
  static ROCVET_DEVICE void write(const Sums& sums, const TensorMap* map_c, u32 row, u32 col,
                                  u8* pieces) {
    const u32 lane = lane_index();
#pragma unroll
    for (int i = 0; i < 8 / parts; ++i) {
      const int piece = i * parts;
      if (lane == 0) wait_for_stores<kPieces - 1>();
      warp_barrier();
      u8* to = pieces + i % kPieces * kPieceBytes;
      sums.put(piece, to);
      publish_shared();
      warp_barrier();
      if (lane == 0) {
        store_box(map_c, to, static_cast<int>(col + Sums::piece_column(piece)),
                  static_cast<int>(row + Sums::piece_row(piece)));
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
    const u32 first = block_index() / kCluster, stride = grid_blocks() / kCluster;
    const Walk walk(m, n, stride);
    Pipe<kStages, kStageBytes, kCluster> pipe{shared, full, empty};
    if (warpgroup == 0) {
      give_registers<40>();
      if (thread_index() == 0) {
        for (u32 tile = first; tile < walk.count; tile += stride) {
          u32 row, col;
          walk.corner(tile, rank, row, col);
          for (u32 step = 0; step < steps; ++step) {
            pipe.wait_empty();
            u8* to = pipe.at(pipe.stage);
            PhaseBarrier* done = &full[pipe.stage];
            done->arrive_and_expect(kStageBytes);
            const int x = static_cast<int>(step * kElements);
            copy_box(to, map_a, done, x, static_cast<int>(row));
            const int half = kBlockN / kCluster;
            copy_box_to_cluster(to + (kBlockM + rank * half) * kStep, map_b, done, x,
                                static_cast<int>(col + rank * half), (1 << kCluster) - 1);
            pipe.next();
          }
        }
        // The other block's consumers still arrive here: leave when they have released every stage.
        for (int i = 0; i < kStages; ++i) {
          pipe.wait_empty();
          pipe.next();
        }
      }
    } else {
      take_registers<232>();
      const u32 warp = wave_index() - 4;
      for (u32 tile = first; tile < walk.count; tile += stride) {
        u32 row, col;
        walk.corner(tile, rank, row, col);
        row += Sums::row(warp);
        col += Sums::column(warp);
        u8* own_pieces = pieces + warp * kPieces * kPieceBytes;
        Sums sums;
        if (Sums::kParts == 1 || tile < walk.whole) {
          sums.template multiply<kBlockM, 1>(pipe, warp, steps, 0);
          write<1>(sums, map_c, row, col, own_pieces);
        } else {
          const u32 part = walk.part(tile);
          sums.template multiply<kBlockM, Sums::kParts>(pipe, warp, steps, part);
          write<Sums::kParts>(sums, map_c, row, col + Sums::piece_column(part), own_pieces);
        }
      }
      if (lane_index() == 0) wait_for_stores<0>();
    }
    cluster_barrier();
  }
};

}  // namespace rocvet::kernel
#endif
