// C = A * B^T on Hopper: one block per multiprocessor walks over the tiles of C. A producer warp
// keeps four stages of shared memory filled through the tensor copy engine; two warpgroups multiply
// 64 x 256 each. Two blocks form a cluster: they share the rows of B, of which each fetches a half
// for both.
#pragma once

#include "sm90.h"

#if ROCVET_SM90
namespace rocvet::kernel {

template <Type type>
struct GemmSm90 {
  static constexpr int kConsumers = 2, kThreads = 128 * (kConsumers + 1), kStages = 4, kCluster = 2;
  static constexpr int kBlockM = 64 * kConsumers, kBlockN = 256, kStep = 128;  // kStep: bytes of K
  static constexpr int kStageBytes = (kBlockM + kBlockN) * kStep;
  static constexpr int kSharedBytes = kStages * kStageBytes + 1024 + 16 * kStages;

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

  static ROCVET_DEVICE void run(const TensorMap* map_a, const TensorMap* map_b, Sum<type>* c, u32 m,
                                u32 n, u32 k, u32 ldc, u8* dynamic) {
    constexpr int kElements = kStep / bytes_of(type);
    u8* shared = dynamic + (1024 - shared_address(dynamic) % 1024) % 1024;
    PhaseBarrier* full = reinterpret_cast<PhaseBarrier*>(shared + kStages * kStageBytes);
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

        const u32 first_row = row + consumer * 64 + warp * 16 + lane / 4,
                  first_col = col + lane % 4 * 2;
        const bool whole = col + kBlockN <= n && ldc % 2 == 0;
#pragma unroll
        for (int upper = 0; upper < 2; ++upper) {
          const u32 at_row = first_row + 8 * upper;
          if (at_row >= m) continue;
          Sum<type>* to = c + static_cast<u64>(at_row) * ldc + first_col;
          struct alignas(8) Pair {
            Sum<type> left, right;
          };
#pragma unroll
          for (int i = 0; i < 32; ++i) {
            const Pair pair{sums[4 * i + 2 * upper], sums[4 * i + 2 * upper + 1]};
            if (whole) {
              *reinterpret_cast<Pair*>(to + 8 * i) = pair;
            } else {
              if (first_col + 8 * i < n) to[8 * i] = pair.left;
              if (first_col + 8 * i + 1 < n) to[8 * i + 1] = pair.right;
            }
          }
        }
      }
    }
    cluster_barrier();
  }
};

}  // namespace rocvet::kernel
#endif
