// gemm_vector.h on Hopper. A scheduler issues an instruction a cycle, and a multiply-add takes it
// for one: what counts is how few others there are, and that operands come from different banks of
// registers, of which there are two (0.94 to 1.01 of cuBLAS at 4096 on an H200).
//
// A lane sums 16 x 8 of C, so that six reads of shared memory serve 128 multiply-adds. Numbers are
// copied one by one to their transposed places, past the registers. Neighbouring rows of B change
// places on the way: four columns of C lie in registers in their order, for the stores, and each is
// then multiplied from a register of the other bank.
#pragma once

#include "gemm_vector.h"
#include "sm90.h"

#if ROCVET_SM90
namespace rocvet::kernel {

struct GemmVectorSm90 {
  static constexpr int kThreads = 128, kWarpsN = 2, kLanesN = 8;
  static constexpr int kRows = 16, kColumns = 8;  // of C, a lane's: groups of four
  static constexpr int kUpperM = 4 * 32 / kLanesN, kUpperN = 4 * kLanesN;  // from group to group
  static constexpr int kWarpM = kRows * 32 / kLanesN, kWarpN = kColumns * kLanesN;
  static constexpr int kBlock = 128, kBlockM = kBlock, kBlockN = kBlock;
  static constexpr int kStep = 16;           // numbers of K in a buffer
  static constexpr int kPitch = kBlock + 4;  // in shared memory: copies spread over the banks
  static constexpr int kOperandFloats = kStep * kPitch, kBufferFloats = 2 * kOperandFloats;
  // One buffer is multiplied, two are filled, and of the one before the last numbers are read.
  static constexpr int kStages = 4, kSharedBytes = kStages * kBufferFloats * 4;
  static constexpr bool kAsync = true;
  static constexpr int kBarrierAt = 12;  // products of a step before the next is there for all

  /// Numbers thread % 8 and thread % 8 + 8 of every 16th row from thread / 8 on. `turn`: 1 to let
  /// neighbouring rows change places.
  template <int turn>
  struct Fetch {
    static constexpr int kCopies = kBlock / 16 * 2;
    const u8* row[kCopies / 2];

    ROCVET_DEVICE Fetch(const void* matrix, u32 first_row, u32 rows, u64 row_bytes) {
#pragma unroll
      for (int i = 0; i < kCopies / 2; ++i) {
        const u32 at = smaller(first_row + thread_index() / 8 + 16 * i, rows - 1);
        row[i] = static_cast<const u8*>(matrix) + at * row_bytes + thread_index() % 8 * 4;
      }
    }
    ROCVET_DEVICE void copy_one(float* shared, int i, bool inside) const {
      float* to = shared + thread_index() % 8 * kPitch + (thread_index() / 8 ^ turn);
      copy_word(to + i % 2 * 8 * kPitch + i / 2 * 16, row[i / 2] + i % 2 * 32, inside);
    }
    /// Those of a step's copies that start with product `at` of another step, if there are `any`.
    /// They are spread, since reads of shared memory wait behind them.
    ROCVET_DEVICE void copy(float* shared, int at, bool any) const {
#pragma unroll
      for (int i = 0; i < kCopies; ++i) {
        if (any && i * kBarrierAt / kCopies == at) copy_one(shared, i, true);
      }
    }
    /// All at once, of a step of which only `bytes` of K are there: the first is the short one.
    ROCVET_DEVICE void copy_all(float* shared, u32 bytes) {
#pragma unroll
      for (int i = 0; i < kCopies; ++i) {
        copy_one(shared, i, thread_index() % 8 * 4 + i % 2 * 32 < bytes);
      }
      advance(bytes);
    }
    ROCVET_DEVICE void advance(u32 bytes) {
#pragma unroll
      for (int i = 0; i < kCopies / 2; ++i) row[i] += bytes;
    }
  };

  static ROCVET_DEVICE void run(const void* a, const void* b, float* c, u32 m, u32 n, u32 k,
                                u32 lda, u32 ldb, u32 ldc, u8* dynamic) {
    float* shared = reinterpret_cast<float*>(dynamic);
    const Corner corner = block_corner(block_index(), (m + kBlockM - 1) / kBlockM,
                                       (n + kBlockN - 1) / kBlockN, kBlockM, kBlockN);
    constexpr u32 kStepBytes = kStep * 4;
    const u32 k_bytes = (k * 4 + 15) / 16 * 16, steps = (k_bytes + kStepBytes - 1) / kStepBytes;
    Fetch<0> fetch_a(a, corner.row, m, lda * u64{4});
    Fetch<1> fetch_b(b, corner.col, n, ldb * u64{4});
    const u32 lane = lane_index(), warp = wave_index();
    const u32 row = warp / kWarpsN * kWarpM + lane / kLanesN * 4;
    const u32 col = warp % kWarpsN * kWarpN + lane % kLanesN * 4;

    for (u32 step = 0; step < kStages - 2; ++step) {
      float* to = shared + step * kBufferFloats;
      const u32 bytes = step == 0 ? k_bytes - (steps - 1) * kStepBytes : kStepBytes;
      if (step < steps) {
        fetch_a.copy_all(to, bytes);
        fetch_b.copy_all(to + kOperandFloats, bytes);
      }
      commit_copies();
    }
    float sums[kRows][kColumns] = {};
    float left[2][kRows], right[2][kColumns];
    auto read = [&](const float* from, int at) {
      from += at * kPitch;
#pragma unroll
      for (int i = 0; i < kRows; i += 4) {
        read_four(left[at % 2] + i, from + row + i / 4 * kUpperM);
      }
#pragma unroll
      for (int i = 0; i < kColumns; i += 4) {
        read_four(right[at % 2] + i, from + kOperandFloats + col + i / 4 * kUpperN);
      }
    };
    wait_for_copies<kStages - 3>();
    barrier();
    read(shared, 0);
    u32 stage = 0, filled = kStages - 2;
    for (u32 step = 0; step < steps; ++step) {
      const float* from = shared + stage * kBufferFloats;
      float* fill = shared + filled * kBufferFloats;
      const bool more = step + kStages - 2 < steps;
      stage = stage + 1 == kStages ? 0 : stage + 1;
      filled = filled + 1 == kStages ? 0 : filled + 1;
#pragma unroll
      for (int at = 0; at < kStep; ++at) {
        fetch_a.copy(fill, at, more);
        fetch_b.copy(fill + kOperandFloats, at, more);
        if (at == kBarrierAt) {
          fetch_a.advance(kStepBytes);
          fetch_b.advance(kStepBytes);
          commit_copies();
          wait_for_copies<kStages - 3>();
          barrier();
        }
        // The numbers of the next k are on their way while those of this one are multiplied. After
        // the last step these are some that nobody uses.
        read(at + 1 < kStep ? from : shared + stage * kBufferFloats, (at + 1) % kStep);
        schedule_fence();
#pragma unroll
        for (int i = 0; i < kRows; ++i) {
#pragma unroll
          for (int j = 0; j < kColumns; ++j) {  // back and there: neighbours share an operand
            const int column = i % 2 == 0 ? kColumns - 1 - j : j;
            sums[i][column] += left[at % 2][i] * right[at % 2][column ^ 1];
          }
        }
      }
    }

#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const u32 at_row = corner.row + row + i / 4 * kUpperM + i % 4;
      if (at_row >= m) continue;
#pragma unroll
      for (int j = 0; j < kColumns; j += 4) {
        store_four(c, sums[i] + j, at_row, corner.col + col + j / 4 * kUpperN, n, ldc);
      }
    }
  }
};

}  // namespace rocvet::kernel
#endif
