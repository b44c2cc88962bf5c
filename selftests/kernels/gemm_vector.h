// C = A * B^T in single precision without matrix instructions. Same operands as in gemm.h. A lane
// sums 8 x 8 of C: for each k it reads 8 numbers of A and 8 of B, so both lie transposed (K first)
// in shared memory, where the lanes of a wave read neighbouring vectors of four.
#pragma once

#include "gemm.h"

namespace rocvet::kernel {

ROCVET_DEVICE void read_four(float* to, const float* from) {
  const Chunk chunk = *reinterpret_cast<const Chunk*>(from);
  ROCVET_UNROLL
  for (int i = 0; i < 4; ++i) to[i] = bits<float>(static_cast<u32>(chunk[i]));
}
/// Stores four neighbours, or those of them that are there, of a row of C.
ROCVET_DEVICE void store_four(float* c, const float* from, u32 row, u32 col, u32 n, u32 ldc) {
  float* to = c + static_cast<u64>(row) * ldc + col;
  if (col + 4 <= n && ldc % 4 == 0) {
    Chunk chunk;
    ROCVET_UNROLL
    for (int j = 0; j < 4; ++j) chunk[j] = bits<u32>(from[j]);
    *reinterpret_cast<Chunk*>(to) = chunk;
  } else {
    ROCVET_UNROLL
    for (u32 j = 0; j < 4; ++j) {
      if (col + j < n) to[j] = from[j];
    }
  }
}

/// A lane sums 8 rows and 4 * `groups` columns; `step` numbers of K are brought at a time.
template <int groups, int step>
struct GemmVector {
  static constexpr int kThreads = 256, kLanesN = kWaveSize / 8, kWavesN = kWaveSize == 64 ? 2 : 4;
  static constexpr int kBlockM = 128, kBlockN = 4 * groups * kLanesN * kWavesN, kStep = step;
  // Of rows in shared memory: transposed stores spread over the banks.
  static constexpr int kPitchA = kBlockM + 4, kPitchB = kBlockN + 4;
  static constexpr int kBufferFloats = kStep * (kPitchA + kPitchB);  // A, then B
  // On an H200 a step is 5 % faster when the next one is asked for after its first products.
  static constexpr int kAskAt = ROCVET_CUDA ? 1 : -1;

  /// Every second chunk of the rows thread / 2 + 128 * i.
  template <int rows_of_thread, int pitch>
  struct Fetch {
    static constexpr int kChunks = kStep / 8;
    const u8* base;
    u32 offset[rows_of_thread];
    Chunk chunk[rows_of_thread][kChunks];

    ROCVET_DEVICE Fetch(const void* matrix, u32 first_row, u32 rows, u64 row_bytes)
        : base(static_cast<const u8*>(matrix) + first_row * row_bytes) {
      ROCVET_UNROLL
      for (int i = 0; i < rows_of_thread; ++i) {
        const u32 row = smaller(thread_index() / 2 + 128 * i, rows - 1 - first_row);
        offset[i] = row * static_cast<u32>(row_bytes) + thread_index() % 2 * 16;
      }
    }
    ROCVET_DEVICE void load_first(u32 bytes) {
      ROCVET_UNROLL
      for (int i = 0; i < rows_of_thread; ++i) {
        ROCVET_UNROLL
        for (int j = 0; j < kChunks; ++j) {
          const bool inside = thread_index() % 2 * 16 + 32 * j < bytes;
          chunk[i][j] =
              inside ? *reinterpret_cast<const Chunk*>(base + offset[i] + 32 * j) : Chunk{};
        }
      }
      base += bytes;
    }
    ROCVET_DEVICE void load() {
      ROCVET_UNROLL
      for (int i = 0; i < rows_of_thread; ++i) {
        ROCVET_UNROLL
        for (int j = 0; j < kChunks; ++j) {
          chunk[i][j] = *reinterpret_cast<const Chunk*>(base + offset[i] + 32 * j);
        }
      }
      base += kStep * 4;
    }
    ROCVET_DEVICE void store(float* shared) const {
      float* to = shared + thread_index() % 2 * 4 * pitch + thread_index() / 2;
      ROCVET_UNROLL
      for (int i = 0; i < rows_of_thread; ++i) {
        ROCVET_UNROLL
        for (int j = 0; j < kChunks; ++j) {
          ROCVET_UNROLL
          for (int at = 0; at < 4; ++at) {
            to[(8 * j + at) * pitch + 128 * i] = bits<float>(static_cast<u32>(chunk[i][j][at]));
          }
        }
      }
    }
  };

  static ROCVET_DEVICE void run(const void* a, const void* b, float* c, u32 m, u32 n, u32 k,
                                u32 lda, u32 ldb, u32 ldc, float* shared) {
    const Corner corner = block_corner(block_index(), (m + kBlockM - 1) / kBlockM,
                                       (n + kBlockN - 1) / kBlockN, kBlockM, kBlockN);
    const u32 k_bytes = (k * 4 + 15) / 16 * 16, step_bytes = kStep * 4;
    const u32 steps = (k_bytes + step_bytes - 1) / step_bytes;
    Fetch<1, kPitchA> fetch_a(a, corner.row, m, lda * u64{4});
    Fetch<kBlockN / 128, kPitchB> fetch_b(b, corner.col, n, ldb * u64{4});
    const u32 lane = lane_index(), wave = wave_index();
    const u32 row = wave / kWavesN * 64 + lane / kLanesN * 4;
    const u32 col = wave % kWavesN * (4 * groups * kLanesN) + lane % kLanesN * 4;
    constexpr int kUpperM = 32, kUpperN = 4 * kLanesN;  // from one group of four to the next

    float sums[8][4 * groups] = {};
    const u32 first = k_bytes - (steps - 1) * step_bytes;
    fetch_a.load_first(first);
    fetch_b.load_first(first);
    fetch_a.store(shared);
    fetch_b.store(shared + kStep * kPitchA);
    barrier();
    for (u32 at_step = 0; at_step < steps; ++at_step) {
      const float* from = shared + at_step % 2 * kBufferFloats;
      const bool more = at_step + 1 < steps;
      auto ask_for_next = [&](int at) {
        if (at != kAskAt || !more) return;
        fetch_a.load();
        fetch_b.load();
      };
      ask_for_next(-1);
      // The numbers of the next k are on their way while those of this one are multiplied.
      float left[2][8], right[2][4 * groups];
      auto read = [&](int at) {
        const float* row_of_a = from + at * kPitchA + row;
        const float* row_of_b = from + kStep * kPitchA + at * kPitchB + col;
        ROCVET_UNROLL
        for (int i = 0; i < 2; ++i) read_four(left[at % 2] + 4 * i, row_of_a + kUpperM * i);
        ROCVET_UNROLL
        for (int i = 0; i < groups; ++i) read_four(right[at % 2] + 4 * i, row_of_b + kUpperN * i);
      };
      read(0);
      ROCVET_UNROLL
      for (int at = 0; at < kStep; ++at) {
        if (at + 1 < kStep) read(at + 1);
        ask_for_next(at);
        schedule_fence();
        ROCVET_UNROLL
        for (int i = 0; i < 8; ++i) {
          ROCVET_UNROLL
          for (int j = 0; j < 4 * groups; ++j) {  // there and back: neighbours share an operand
            const int col = i % 2 == 0 ? j : 4 * groups - 1 - j;
            sums[i][col] += left[at % 2][i] * right[at % 2][col];
          }
        }
      }
      if (more) {
        float* to = shared + (at_step + 1) % 2 * kBufferFloats;
        fetch_a.store(to);
        fetch_b.store(to + kStep * kPitchA);
      }
      barrier();
    }

    ROCVET_UNROLL
    for (int i = 0; i < 8; ++i) {
      const u32 at_row = corner.row + row + i / 4 * kUpperM + i % 4;
      if (at_row >= m) continue;
      ROCVET_UNROLL
      for (int group = 0; group < groups; ++group) {
        store_four(c, sums[i] + 4 * group, at_row, corner.col + col + group * kUpperN, n, ldc);
      }
    }
  }
};

}  // namespace rocvet::kernel
