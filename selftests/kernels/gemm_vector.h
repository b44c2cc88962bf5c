// C = A * B^T in single precision without matrix instructions. Same operands as in gemm.h. A lane
// sums 8 x 8 of C: for each k it reads 8 numbers of A and 8 of B, so both lie transposed (K first)
// in shared memory, where the lanes of a wave read neighbouring vectors of four.
#pragma once

#include "gemm.h"

namespace rocvet::kernel {

struct GemmVector {
  static constexpr int kThreads = 256, kBlockM = 128, kBlockN = 128, kStep = 16;  // kStep: of K
  static constexpr int kPitch =
      128 + 4;  // of a row of shared memory: transposed stores spread on banks
  static constexpr int kLanesN = kWaveSize / 8, kWavesN = kWaveSize == 64 ? 2 : 4;
#if ROCVET_AMD
  static constexpr int kUnroll =
      2;  // more, and clang loads so far ahead that it runs out of registers
#else
  static constexpr int kUnroll = kStep;
#endif
  static constexpr int kBufferFloats = 2 * kStep * kPitch;  // A, then B

  /// Two chunks of a row: columns thread % 2 and 2 + thread % 2 of the four.
  struct Fetch {
    const u8* base;
    u32 offset;
    Chunk chunk[2];

    ROCVET_DEVICE Fetch(const void* matrix, u32 first_row, u32 rows, u64 row_bytes)
        : base(static_cast<const u8*>(matrix) + first_row * row_bytes) {
      const u32 row = smaller(thread_index() / 2, rows - 1 - first_row);
      offset = row * static_cast<u32>(row_bytes) + thread_index() % 2 * 16;
    }
    ROCVET_DEVICE void load_first(u32 bytes) {
      ROCVET_UNROLL
      for (u32 i = 0; i < 2; ++i) {
        const bool inside = thread_index() % 2 * 16 + 32 * i < bytes;
        chunk[i] = inside ? *reinterpret_cast<const Chunk*>(base + offset + 32 * i) : Chunk{};
      }
      base += bytes;
    }
    ROCVET_DEVICE void load() {
      ROCVET_UNROLL
      for (u32 i = 0; i < 2; ++i) {
        chunk[i] = *reinterpret_cast<const Chunk*>(base + offset + 32 * i);
      }
      base += kStep * 4;
    }
    ROCVET_DEVICE void store(float* shared) const {
      const u32 row = thread_index() / 2, column = thread_index() % 2;
      ROCVET_UNROLL
      for (u32 i = 0; i < 2; ++i) {
        ROCVET_UNROLL
        for (int j = 0; j < 4; ++j) {
          shared[(4 * (column + 2 * i) + j) * kPitch + row] =
              bits<float>(static_cast<u32>(chunk[i][j]));
        }
      }
    }
  };

  static ROCVET_DEVICE void read4(float* to, const float* from) {
    const Chunk chunk = *reinterpret_cast<const Chunk*>(from);
    ROCVET_UNROLL
    for (int i = 0; i < 4; ++i) to[i] = bits<float>(static_cast<u32>(chunk[i]));
  }

  static ROCVET_DEVICE void run(const void* a, const void* b, float* c, u32 m, u32 n, u32 k,
                                u32 lda, u32 ldb, u32 ldc, float* shared) {
    const Corner corner = block_corner(block_index(), (m + kBlockM - 1) / kBlockM,
                                       (n + kBlockN - 1) / kBlockN, kBlockM, kBlockN);
    const u32 k_bytes = (k * 4 + 15) / 16 * 16, step_bytes = kStep * 4;
    const u32 steps = (k_bytes + step_bytes - 1) / step_bytes;
    Fetch fetch_a(a, corner.row, m, lda * u64{4}), fetch_b(b, corner.col, n, ldb * u64{4});
    const u32 lane = lane_index(), wave = wave_index();
    const u32 row = wave / kWavesN * 64 + lane / kLanesN * 4;
    const u32 col = wave % kWavesN * (8 * kLanesN) + lane % kLanesN * 4;
    constexpr u32 kUpperM = 32, kUpperN = 4 * kLanesN;  // a lane's second group of four

    float sums[8][8] = {};
    const u32 first = k_bytes - (steps - 1) * step_bytes;
    fetch_a.load_first(first);
    fetch_b.load_first(first);
    fetch_a.store(shared);
    fetch_b.store(shared + kStep * kPitch);
    barrier();
    for (u32 step = 0; step < steps; ++step) {
      const float* from = shared + step % 2 * kBufferFloats;
      const bool more = step + 1 < steps;
      if (more) {
        fetch_a.load();
        fetch_b.load();
      }
      ROCVET_UNROLL_BY(kUnroll)
      for (int at = 0; at < kStep; ++at) {
        float left[8], right[8];
        const float* row_of_a = from + at * kPitch + row;
        const float* row_of_b = from + (kStep + at) * kPitch + col;
        read4(left, row_of_a);
        read4(left + 4, row_of_a + kUpperM);
        read4(right, row_of_b);
        read4(right + 4, row_of_b + kUpperN);
        ROCVET_UNROLL
        for (int i = 0; i < 8; ++i) {
          ROCVET_UNROLL
          for (int j = 0; j < 8; ++j) sums[i][j] += left[i] * right[j];
        }
      }
      if (more) {
        float* to = shared + (step + 1) % 2 * kBufferFloats;
        fetch_a.store(to);
        fetch_b.store(to + kStep * kPitch);
      }
      barrier();
    }

    ROCVET_UNROLL
    for (int i = 0; i < 8; ++i) {
      const u32 at_row = corner.row + row + i / 4 * kUpperM + i % 4;
      if (at_row >= m) continue;
      ROCVET_UNROLL
      for (int half = 0; half < 2; ++half) {
        const u32 at_col = corner.col + col + half * kUpperN;
        float* to = c + static_cast<u64>(at_row) * ldc + at_col;
        const float* from = sums[i] + 4 * half;
        if (at_col + 4 <= n) {
          Chunk chunk;
          ROCVET_UNROLL
          for (int j = 0; j < 4; ++j) chunk[j] = bits<u32>(from[j]);
          *reinterpret_cast<Chunk*>(to) = chunk;
        } else {
          ROCVET_UNROLL
          for (u32 j = 0; j < 4; ++j) {
            if (at_col + j < n) to[j] = from[j];
          }
        }
      }
    }
  }
};

}  // namespace rocvet::kernel
