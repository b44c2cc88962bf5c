// C = A * B^T for every type and target, on the tiles of tile.h.
//
// A is M x K, B is N x K, C is M x N, each with its own leading dimension. Rows of A and B start at
// multiples of 16 bytes and are padded with zeros to a multiple of 16 bytes. M, N and K are free.
// A block computes kBlockM x kBlockN of C: it brings kStep bytes of K of its rows of A and B into
// one of a few buffers of shared memory while its waves multiply from another.
#pragma once

#include "tile.h"

namespace rocvet::kernel {

/// How a block splits its part of C: waves along M and N, tiles of a wave along M and N.
struct Split {
  int waves_m, waves_n, tiles_m, tiles_n;
  int step;  ///< bytes of K between two barriers: 64 or 128
};

constexpr Split split_for(Isa isa, Type type) {
  switch (isa) {
    case Isa::mfma_gfx908:
    case Isa::mfma_gfx90a:
    case Isa::mfma_gfx942:
      return {2, 2, 4, 4, 64};
    case Isa::mfma_gfx950:
      return {2, 2, 4, 4, 128};
    case Isa::wmma_gfx11:
    case Isa::wmma_gfx12:
      return {4, 2, 2, 4, 64};
    case Isa::mma_sm80:
      return type == Type::fp64 ? Split{4, 2, 2, 8, 128} : Split{2, 4, 4, 8, 64};
    case Isa::scalar:
      return kWaveSize == 64 ? Split{2, 2, 1, 1, 64} : Split{2, 4, 1, 1, 64};
  }
  return {};
}

/// The tile of C that a block computes: neighbours in launch order share rows of A and B in cache.
struct Corner {
  u32 row, col;
};
ROCVET_DEVICE Corner block_corner(u32 block, u32 blocks_m, u32 blocks_n, u32 block_m, u32 block_n) {
#if ROCVET_AMD && (defined(__gfx942__) || defined(__gfx950__))
  // Blocks are dealt to the chiplets in turn; give each a run of neighbours instead.
  const u32 blocks = blocks_m * blocks_n, chiplets = 8;
  if (blocks % chiplets == 0) block = block % chiplets * (blocks / chiplets) + block / chiplets;
#endif
  const u32 group = 8, per_group = group * blocks_n, first = block / per_group * group;
  const u32 height = smaller(group, blocks_m - first), within = block % per_group;
  return {(first + within % height) * block_m, within / height * block_n};
}

template <Isa isa, Type type>
struct Gemm {
  using T = Tile<isa, type>;
  static constexpr Split kSplit = split_for(isa, type);
  static constexpr int kThreads = T::kLanes * kSplit.waves_m * kSplit.waves_n;
  static constexpr int kBlockM = T::kM * kSplit.waves_m * kSplit.tiles_m;
  static constexpr int kBlockN = T::kN * kSplit.waves_n * kSplit.tiles_n;
  static constexpr int kStep = kSplit.step;
  static constexpr int kColumns = kStep / 16;  // chunks of a row
  static constexpr int kRowsAtOnce = kThreads / kColumns;
  static constexpr int kLoadsA = kBlockM / kRowsAtOnce, kLoadsB = kBlockN / kRowsAtOnce;
  static constexpr int kBufferBytes = (kBlockM + kBlockN) * kStep;
  static constexpr bool kAsync = ROCVET_CUDA;  // copies to shared memory that need no register
  static constexpr int kStages = kAsync ? 3 : 2;
  static_assert(kBlockM % kRowsAtOnce == 0 && kBlockN % kRowsAtOnce == 0);

  /// What a thread brings from global memory: the same column of some rows.
  template <int loads>
  struct Fetch {
    const u8* base;     // of the block's first row; the same for all threads
    u32 offset[loads];  // of this thread's rows from there
    Chunk chunk[loads];

    ROCVET_DEVICE Fetch(const void* matrix, u32 first_row, u32 rows, u64 row_bytes) {
      base = static_cast<const u8*>(matrix) + first_row * row_bytes;
      const u32 thread = thread_index(), last = rows - 1 - first_row;
      ROCVET_UNROLL
      for (int i = 0; i < loads; ++i) {
        const u32 row = smaller(thread / kColumns + i * kRowsAtOnce, last);
        offset[i] = row * static_cast<u32>(row_bytes) + thread % kColumns * 16;
      }
    }
    /// The first step is the short one: only `bytes` of K are there.
    ROCVET_DEVICE void load_first(u32 bytes) {
      const bool inside = thread_index() % kColumns * 16 < bytes;
      ROCVET_UNROLL
      for (int i = 0; i < loads; ++i) {
        chunk[i] = inside ? *reinterpret_cast<const Chunk*>(base + offset[i]) : Chunk{};
      }
      base += bytes;
    }
    ROCVET_DEVICE void load() {
      ROCVET_UNROLL
      for (int i = 0; i < loads; ++i) chunk[i] = *reinterpret_cast<const Chunk*>(base + offset[i]);
      base += kStep;
    }
    /// Starts to copy the next step, of which `bytes` of K are there.
    ROCVET_DEVICE void copy(u8* shared, u32 bytes) {
      const int thread = static_cast<int>(thread_index());
      const bool inside = thread % kColumns * 16 < bytes;
      ROCVET_UNROLL
      for (int i = 0; i < loads; ++i) {
        const int row = thread / kColumns + i * kRowsAtOnce;
        copy_chunk(shared + swizzled(isa, kStep, row, thread % kColumns * 16), base + offset[i],
                   inside);
      }
      base += bytes;
    }
    ROCVET_DEVICE void store(u8* shared) const {
      const int thread = static_cast<int>(thread_index());
      ROCVET_UNROLL
      for (int i = 0; i < loads; ++i) {
        const int row = thread / kColumns + i * kRowsAtOnce;
        *reinterpret_cast<Chunk*>(shared + swizzled(isa, kStep, row, thread % kColumns * 16)) =
            chunk[i];
      }
    }
  };

  static ROCVET_DEVICE Chunk shared_chunk(const u8* shared, int start, int row, int byte) {
    return *reinterpret_cast<const Chunk*>(shared + swizzled_from(isa, kStep, start, row, byte));
  }

  /// Adds the products of one step, which lies in the buffer `from`.
  static ROCVET_DEVICE void multiply(typename T::Sums (&sums)[kSplit.tiles_m][kSplit.tiles_n],
                                     const u8* from, int start_a, int start_b) {
    ROCVET_UNROLL_BY(isa == Isa::scalar ? 1 : 8)  // scalar: one part's chunks fill the registers
    for (int part = 0; part < kStep; part += T::kBytes) {
      Chunk part_a[kSplit.tiles_m][T::kChunksA], part_b[kSplit.tiles_n][T::kChunksB];
      ROCVET_UNROLL
      for (int i = 0; i < kSplit.tiles_m; ++i) {
        ROCVET_UNROLL
        for (int chunk = 0; chunk < T::kChunksA; ++chunk) {
          const Spot spot = T::a(0, chunk);
          part_a[i][chunk] = shared_chunk(from, start_a, i * T::kM + spot.row, part + spot.at);
        }
      }
      ROCVET_UNROLL
      for (int j = 0; j < kSplit.tiles_n; ++j) {
        ROCVET_UNROLL
        for (int chunk = 0; chunk < T::kChunksB; ++chunk) {
          const Spot spot = T::b(0, chunk);
          part_b[j][chunk] =
              shared_chunk(from + kBlockM * kStep, start_b, j * T::kN + spot.row, part + spot.at);
        }
      }
      ROCVET_UNROLL
      for (int i = 0; i < kSplit.tiles_m; ++i) {
        ROCVET_UNROLL
        for (int j = 0; j < kSplit.tiles_n; ++j) T::multiply(sums[i][j], part_a[i], part_b[j]);
      }
    }
  }

  static ROCVET_DEVICE void run(const void* a, const void* b, Sum<type>* c, u32 m, u32 n, u32 k,
                                u32 lda, u32 ldb, u32 ldc, u8* shared) {
    constexpr int kSize = bytes_of(type);
    const Corner corner = block_corner(block_index(), (m + kBlockM - 1) / kBlockM,
                                       (n + kBlockN - 1) / kBlockN, kBlockM, kBlockN);
    const u32 k_bytes = (k * kSize + 15) / 16 * 16, steps = (k_bytes + kStep - 1) / kStep;
    Fetch<kLoadsA> fetch_a(a, corner.row, m, static_cast<u64>(lda) * kSize);
    Fetch<kLoadsB> fetch_b(b, corner.col, n, static_cast<u64>(ldb) * kSize);

    const int lane = static_cast<int>(lane_index()), wave = static_cast<int>(wave_index());
    const int wave_m = wave / kSplit.waves_n * kSplit.tiles_m * T::kM;
    const int wave_n = wave % kSplit.waves_n * kSplit.tiles_n * T::kN;
    const int start_a = swizzled(isa, kStep, wave_m + T::a(lane, 0).row, T::a(lane, 0).at);
    const int start_b = swizzled(isa, kStep, wave_n + T::b(lane, 0).row, T::b(lane, 0).at);
    typename T::Sums sums[kSplit.tiles_m][kSplit.tiles_n] = {};

    const u32 first = k_bytes - (steps - 1) * kStep;
    if constexpr (kAsync) {
      auto start_copy = [&](u32 step) {
        u8* to = shared + step % kStages * kBufferBytes;
        fetch_a.copy(to, step == 0 ? first : kStep);
        fetch_b.copy(to + kBlockM * kStep, step == 0 ? first : kStep);
      };
      for (u32 step = 0; step < kStages - 1; ++step) {
        if (step < steps) start_copy(step);
        commit_copies();
      }
      for (u32 step = 0; step < steps; ++step) {
        wait_for_copies<kStages - 2>();
        barrier();  // this step has come for all, and all have left the buffer that is filled next
        if (step + kStages - 1 < steps) start_copy(step + kStages - 1);
        commit_copies();
        multiply(sums, shared + step % kStages * kBufferBytes, start_a, start_b);
      }
    } else {
      fetch_a.load_first(first);
      fetch_b.load_first(first);
      fetch_a.store(shared);
      fetch_b.store(shared + kBlockM * kStep);
      barrier();
      for (u32 step = 0; step < steps; ++step) {
        const bool more = step + 1 < steps;
        if (more) {
          fetch_a.load();
          fetch_b.load();
        }
        multiply(sums, shared + step % 2 * kBufferBytes, start_a, start_b);
        if (more) {
          u8* to = shared + (step + 1) % 2 * kBufferBytes;
          fetch_a.store(to);
          fetch_b.store(to + kBlockM * kStep);
        }
        barrier();
      }
    }

    ROCVET_UNROLL
    for (int i = 0; i < kSplit.tiles_m; ++i) {
      ROCVET_UNROLL
      for (int j = 0; j < kSplit.tiles_n; ++j) {
        ROCVET_UNROLL
        for (int sum = 0; sum < T::kSums; ++sum) {
          const Spot spot = T::d(lane, sum);
          const u32 row = corner.row + wave_m + i * T::kM + spot.row;
          const u32 col = corner.col + wave_n + j * T::kN + spot.at;
          if (row < m && col < n) c[static_cast<u64>(row) * ldc + col] = sums[i][j][sum];
        }
      }
    }
  }
};

}  // namespace rocvet::kernel
