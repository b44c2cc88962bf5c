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
      return {2, 2, 4, 4, 64};
    case Isa::mfma_gfx90a:
    case Isa::mfma_gfx942:
      if (type == Type::fp64) return {2, 4, 4, 4, 64};
      return {2, 4, 8, 4, 64};
    case Isa::mfma_gfx950:
      return {2, 4, type == Type::fp64 ? 4 : 8, 4, 128};
    case Isa::wmma_gfx11:
      return {4, 2, 4, 4, 64};
    case Isa::wmma_gfx12:
      return {4, 2, 4, 4, 64};
    case Isa::wmma_gfx1250:
      return {2, 4, 8, 4, 64};
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
#if ROCVET_AMD && (defined(__gfx942__) || defined(__gfx950__) || defined(__gfx1250__))
  // Blocks are dealt to the chiplets in turn; give each a run of neighbours instead.
  const u32 blocks = blocks_m * blocks_n, chiplets = 8;
  if (blocks % chiplets == 0) block = block % chiplets * (blocks / chiplets) + block / chiplets;
#endif
  const u32 group = 8, per_group = group * blocks_n, first = block / per_group * group;
  const u32 height = smaller(group, blocks_m - first), within = block % per_group;
  return {(first + within % height) * block_m, within / height * block_n};
}

/// All sums are there now: the last of them are not made where they are stored, one by one.
template <class Sums, int tiles_m, int tiles_n>
ROCVET_DEVICE void finish(Sums (&sums)[tiles_m][tiles_n]) {
  ROCVET_UNROLL
  for (int i = 0; i < tiles_m; ++i) {
    ROCVET_UNROLL
    for (int j = 0; j < tiles_n; ++j) keep_here(sums[i][j]);
  }
}

/// Stores the sums of one tile, which begins at `row` and `col` of C.
template <class T, class Element>
ROCVET_DEVICE void store_tile(const typename T::Sums& sums, Element* c, u32 row, u32 col, u32 m,
                              u32 n, u32 ldc, int lane) {
  ROCVET_UNROLL
  for (int sum = 0; sum < T::kSums; ++sum) {
    const Spot spot = T::d(lane, sum);
    const u32 at_row = row + spot.row, at_col = col + spot.at;
    if (at_row < m && at_col < n) c[static_cast<u64>(at_row) * ldc + at_col] = sums[sum];
  }
}

/// Memory from a place on that is the same for all threads. Its loads add the offset of a lane and
/// one of all lanes; global loads add only the former, so that for them the place itself must move
/// along K, 64 bits each for A and B. gfx908 and gfx942 use it, where those instructions count
/// most.
#if ROCVET_AMD && (defined(__gfx908__) || defined(__gfx942__)) && defined(__has_builtin)
#if __has_builtin(__builtin_amdgcn_make_buffer_rsrc) && \
    __has_builtin(__builtin_amdgcn_raw_buffer_load_b128)
#define ROCVET_BUFFER_LOADS 1
struct BufferMemory {
  __amdgpu_buffer_rsrc_t from;
  ROCVET_DEVICE explicit BufferMemory(const u8* base)  // without end; 0x20000: bytes
      : from(__builtin_amdgcn_make_buffer_rsrc(const_cast<u8*>(base), 0, -1, 0x20000)) {}
  ROCVET_DEVICE Chunk load(u32 offset, u32 of_all) const {
    return __builtin_amdgcn_raw_buffer_load_b128(from, offset, of_all, 0);
  }
};
#endif
#endif
#ifndef ROCVET_BUFFER_LOADS
#define ROCVET_BUFFER_LOADS 0
struct BufferMemory {
  ROCVET_DEVICE explicit BufferMemory(const u8*) {}
  ROCVET_DEVICE Chunk load(u32, u32) const { return {}; }
};
#endif

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
  static constexpr int kStages = kAsync ? 3 : 2, kSharedBytes = kStages * kBufferBytes;
  /// Operands are read from shared memory while those before them are multiplied.
  static constexpr bool kPipelined = ROCVET_AMD && isa != Isa::scalar;
  static constexpr int kParts = kStep / T::kBytes;
  /// Rows are read one ahead: gfx11 needs twice the registers for operands.
  static constexpr bool kByRow = isa == Isa::wmma_gfx11;
  // What the tensor cores need next is read while they multiply, over the end of a step as well: on
  // an H200 that lifted fp64 from 0.80 to 0.92 of cuBLAS, before Hopper got a kernel of its own.
  static constexpr bool kReadsAhead = kAsync && type == Type::fp64;
  static_assert(kBlockM % kRowsAtOnce == 0 && kBlockN % kRowsAtOnce == 0);

  /// What a thread brings from global memory: the same column of some rows.
  template <int loads>
  struct Fetch {
    const u8* base;     // of the block's first row; the same for all threads
    u32 offset[loads];  // of this thread's rows from there
    Chunk chunk[loads];
    BufferMemory memory;  // from the base on
    u32 past = 0;         // bytes of K, with ROCVET_BUFFER_LOADS; else the base moves

    ROCVET_DEVICE Fetch(const void* matrix, u32 first_row, u32 rows, u64 row_bytes)
        : base(static_cast<const u8*>(matrix) + first_row * row_bytes), memory(base) {
      const u32 thread = thread_index(), last = rows - 1 - first_row;
      ROCVET_UNROLL
      for (int i = 0; i < loads; ++i) {
        const u32 row = smaller(thread / kColumns + i * kRowsAtOnce, last);
        offset[i] = row * static_cast<u32>(row_bytes) + thread % kColumns * 16;
      }
    }
    /// For the first step, which is the short one: only `bytes` of K are there.
    ROCVET_DEVICE void load_first(u32 bytes) {
      const bool inside = thread_index() % kColumns * 16 < bytes;
      ROCVET_UNROLL
      for (int i = 0; i < loads; ++i) {
        chunk[i] = inside ? *reinterpret_cast<const Chunk*>(base + offset[i]) : Chunk{};
      }
      base += bytes;
      past += bytes;
    }
    ROCVET_DEVICE void load() {
      load_ahead(0);
      advance(kStep);
    }
    /// From `bytes` past the base.
    ROCVET_DEVICE void load_ahead(int bytes) {
      ROCVET_UNROLL
      for (int i = 0; i < loads; ++i) {
        keep_here(offset[i]);  // the sum of base and offset is part of a load
        if constexpr (ROCVET_BUFFER_LOADS) {
          chunk[i] = memory.load(offset[i] + bytes, past);
        } else {
          chunk[i] = *reinterpret_cast<const Chunk*>(base + offset[i] + bytes);
        }
      }
    }
    ROCVET_DEVICE void advance(int bytes) {
      base += bytes;
      past += bytes;
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

  /// Chunks of a wave's rows of A, for one part of a step.
  struct Rows {
    Chunk of[kSplit.tiles_m][T::kChunksA];
    ROCVET_DEVICE void read(const u8* from, int start, int part, int first, int last) {
      ROCVET_UNROLL
      for (int i = first; i < last; ++i) {
        ROCVET_UNROLL
        for (int chunk = 0; chunk < T::kChunksA; ++chunk) {
          const Spot spot = T::a(0, chunk);
          of[i][chunk] =
              shared_chunk(from, start, i * T::kM + spot.row, part * T::kBytes + spot.at);
        }
      }
    }
  };
  /// And of B.
  struct Columns {
    Chunk of[kSplit.tiles_n][T::kChunksB];
    ROCVET_DEVICE void read(const u8* from, int start, int part) {
      ROCVET_UNROLL
      for (int j = 0; j < kSplit.tiles_n; ++j) {
        ROCVET_UNROLL
        for (int chunk = 0; chunk < T::kChunksB; ++chunk) {
          const Spot spot = T::b(0, chunk);
          of[j][chunk] = shared_chunk(from + kBlockM * kStep, start, j * T::kN + spot.row,
                                      part * T::kBytes + spot.at);
        }
      }
    }
  };
  using AllSums = typename T::Sums[kSplit.tiles_m][kSplit.tiles_n];

  /// The products of rows [first, last) of the wave's tiles.
  static ROCVET_DEVICE void multiply_rows(AllSums& sums, const Rows& a, const Columns& b, int first,
                                          int last) {
    ROCVET_UNROLL
    for (int issue = 0; issue < T::kIssues; ++issue) {
      ROCVET_UNROLL
      for (int i = first; i < last; ++i) {
        ROCVET_UNROLL
        for (int j = 0; j < kSplit.tiles_n; ++j) T::issue(sums[i][j], a.of[i], b.of[j], issue);
      }
    }
  }

  /// Adds the products of one step, which lies in the buffer `from`.
  static ROCVET_DEVICE void multiply(AllSums& sums, const u8* from, int start_a, int start_b) {
    ROCVET_UNROLL_BY(isa == Isa::scalar ? 1 : 8)  // scalar: one part's chunks fill the registers
    for (int part = 0; part < kParts; ++part) {
      Rows rows;
      Columns columns;
      columns.read(from, start_b, part);
      rows.read(from, start_a, part, 0, kByRow ? 1 : kSplit.tiles_m);
      ROCVET_UNROLL
      for (int i = 0; i < kSplit.tiles_m; ++i) {
        if (kByRow && i + 1 < kSplit.tiles_m) rows.read(from, start_a, part, i + 1, i + 2);
        ROCVET_UNROLL
        for (int j = 0; j < kSplit.tiles_n; ++j) {
          // NOLINTNEXTLINE(clang-analyzer-security.ArrayBound): it does not follow kSplit's numbers
          T::multiply(sums[i][j], rows.of[i], columns.of[j]);
        }
        if constexpr (kByRow) schedule_fence();
      }
    }
  }

  /// One of `count` instructions of `kind` after each `each` of the matrix.
  template <Instruction kind, int count, int each>
  static ROCVET_DEVICE void spread() {
    ROCVET_UNROLL
    for (int i = 0; i < count; ++i) {
      schedule_group<kind, 1>();
      schedule_group<Instruction::matrix, each>();
    }
  }

  /// Multiplies a step, which lies `here`. Each part of it is multiplied in two halves, of rows:
  /// during the first the rows of the second are read, during the second the rows of the first and
  /// the columns of the next part. On the way the step after goes from registers `there`, and the
  /// one after that from memory to registers. The columns of the first part are in `now`; those of
  /// the next step's first will be there too, or in `next` if the number of parts is odd.
  /// `more`: whether there is a next step to store, and where to load the one after it from: bytes
  /// past the base, or kNothing.
  static constexpr int kNothing = -1;
  template <bool more, int ahead, class FetchA, class FetchB>
  static ROCVET_DEVICE void step_of_pipeline(AllSums& sums, Rows& rows, Columns& now, Columns& next,
                                             FetchA& fetch_a, FetchB& fetch_b, const u8* here,
                                             u8* there, int start_a, int start_b) {
    if constexpr (kByRow) {
      if constexpr (more) {
        fetch_a.store(there);
        fetch_b.store(there + kBlockM * kStep);
      }
      if constexpr (ahead != kNothing) {
        fetch_a.load_ahead(ahead);
        fetch_b.load_ahead(ahead);
      }
      multiply(sums, here, start_a, start_b);
      if constexpr (more) barrier();
      return;
    }
    constexpr int kHalf = kSplit.tiles_m / 2, kFetched = kLoadsA + kLoadsB;
    constexpr int kIssues = kHalf * kSplit.tiles_n * T::kIssues;  // of a half
    constexpr int kReadsHalf = kHalf * T::kChunksA;
    constexpr int kReadsRest = kReadsHalf + kSplit.tiles_n * T::kChunksB;
    ROCVET_UNROLL
    for (int part = 0; part < kParts; ++part) {
      Columns& mine = part % 2 == 0 ? now : next;
      Columns& other = part % 2 == 0 ? next : now;
      const bool fetch = part == 0 && more, end = part + 1 == kParts;
      wait_for_shared();
      if (fetch) wait_for_loads();
      rows.read(here, start_a, part, kHalf, kSplit.tiles_m);
      if (fetch) {
        fetch_a.store(there);
        fetch_b.store(there + kBlockM * kStep);
        if constexpr (ahead != kNothing) {
          fetch_a.load_ahead(ahead);
          fetch_b.load_ahead(ahead);
        }
      }
      multiply_rows(sums, rows, mine, 0, kHalf);
      if (fetch) {
        constexpr int kEach = kIssues / (kReadsHalf + 2 * kFetched);
        spread<Instruction::shared_read, kReadsHalf, kEach>();
        spread<Instruction::shared_write, kFetched, kEach>();
        spread<Instruction::load, kFetched, kEach>();
      } else {
        spread<Instruction::shared_read, kReadsHalf, kIssues / kReadsHalf>();
      }
      schedule_fence();
      if (end && !more) {
        wait_for_shared();
        multiply_rows(sums, rows, mine, kHalf, kSplit.tiles_m);
        return;
      }
      if (end) {
        barrier();
      } else {
        wait_for_shared();
      }
      rows.read(end ? there : here, start_a, end ? 0 : part + 1, 0, kHalf);
      other.read(end ? there : here, start_b, end ? 0 : part + 1);
      multiply_rows(sums, rows, mine, kHalf, kSplit.tiles_m);
      spread<Instruction::shared_read, kReadsRest, kIssues / kReadsRest>();
      schedule_fence();
    }
  }

  static ROCVET_DEVICE void read_part(Chunk (&to)[kSplit.tiles_m][T::kChunksA], const u8* from,
                                      int start_a, int part) {
    ROCVET_UNROLL
    for (int i = 0; i < kSplit.tiles_m; ++i) {
      ROCVET_UNROLL
      for (int chunk = 0; chunk < T::kChunksA; ++chunk) {
        const Spot spot = T::a(0, chunk);
        to[i][chunk] =
            shared_chunk(from, start_a, i * T::kM + spot.row, part * T::kBytes + spot.at);
      }
    }
  }
  static ROCVET_DEVICE void read_tile_b(Chunk (&to)[T::kChunksB], const u8* from, int start_b,
                                        int tile, int part) {
    ROCVET_UNROLL
    for (int chunk = 0; chunk < T::kChunksB; ++chunk) {
      const Spot spot = T::b(0, chunk);
      to[chunk] = shared_chunk(from + kBlockM * kStep, start_b, tile * T::kN + spot.row,
                               part * T::kBytes + spot.at);
    }
  }

  /// All steps, reading ahead: a tile of B is replaced by that of the next part as soon as it was
  /// used, A alternates. `start_copy(step)` starts to bring a step into its buffer.
  template <class Copy>
  static ROCVET_DEVICE void multiply_ahead(typename T::Sums (&sums)[kSplit.tiles_m][kSplit.tiles_n],
                                           const u8* shared, int start_a, int start_b, u32 steps,
                                           const Copy& start_copy) {
    constexpr int kParts = kStep / T::kBytes;
    static_assert(kParts % 2 == 0);
    for (u32 step = 0; step < kStages; ++step) {
      if (step < steps) start_copy(step);
      commit_copies();
    }
    Chunk part_a[2][kSplit.tiles_m][T::kChunksA], part_b[kSplit.tiles_n][T::kChunksB];
    wait_for_copies<kStages - 1>();
    barrier();
    read_part(part_a[0], shared, start_a, 0);
    ROCVET_UNROLL
    for (int j = 0; j < kSplit.tiles_n; ++j) read_tile_b(part_b[j], shared, start_b, j, 0);
    for (u32 step = 0; step < steps; ++step) {
      ROCVET_UNROLL
      for (int part = 0; part < kParts; ++part) {
        const bool last = part + 1 == kParts;
        if (last) {
          wait_for_copies<kStages - 2>();
          barrier();  // the next step has come, and all hold what they need of this one
          if (step + kStages < steps) start_copy(step + kStages);
          commit_copies();
        }
        // After the last step this reads what nobody uses.
        const u8* from = shared + (step + (last ? 1 : 0)) % kStages * kBufferBytes;
        const int next = (part + 1) % kParts;
        read_part(part_a[(part + 1) % 2], from, start_a, next);
        ROCVET_UNROLL
        for (int j = 0; j < kSplit.tiles_n; ++j) {
          ROCVET_UNROLL
          for (int i = 0; i < kSplit.tiles_m; ++i) {
            T::multiply(sums[i][j], part_a[part % 2][i], part_b[j]);
          }
          read_tile_b(part_b[j], from, start_b, j, next);
        }
      }
    }
  }

  static ROCVET_DEVICE void run(const void* a, const void* b, Sum<type>* c, u32 m, u32 n, u32 k,
                                u32 lda, u32 ldb, u32 ldc, u8* shared) {
    constexpr int kSize = bytes_of(type);
    Corner corner = block_corner(block_index(), (m + kBlockM - 1) / kBlockM,
                                 (n + kBlockN - 1) / kBlockN, kBlockM, kBlockN);
    if constexpr (ROCVET_BUFFER_LOADS) {  // its divisions left it in vector registers
      corner = {same_in_wave(corner.row), same_in_wave(corner.col)};
    }
    const u32 k_bytes = (k * kSize + 15) / 16 * 16, steps = (k_bytes + kStep - 1) / kStep;
    Fetch<kLoadsA> fetch_a(a, corner.row, m, static_cast<u64>(lda) * kSize);
    Fetch<kLoadsB> fetch_b(b, corner.col, n, static_cast<u64>(ldb) * kSize);

    const int lane = static_cast<int>(lane_index()), wave = static_cast<int>(wave_index());
    const int wave_m = wave / kSplit.waves_n * kSplit.tiles_m * T::kM;
    const int wave_n = wave % kSplit.waves_n * kSplit.tiles_n * T::kN;
    const int start_a = swizzled(isa, kStep, wave_m + T::a(lane, 0).row, T::a(lane, 0).at);
    const int start_b = swizzled(isa, kStep, wave_n + T::b(lane, 0).row, T::b(lane, 0).at);
    AllSums sums = {};

    const u32 first = k_bytes - (steps - 1) * kStep;
    if constexpr (kAsync) {
      auto start_copy = [&](u32 step) {
        u8* to = shared + step % kStages * kBufferBytes;
        fetch_a.copy(to, step == 0 ? first : kStep);
        fetch_b.copy(to + kBlockM * kStep, step == 0 ? first : kStep);
      };
      if constexpr (kReadsAhead) {
        multiply_ahead(sums, shared, start_a, start_b, steps, start_copy);
      } else {
        for (u32 step = 0; step < kStages - 1; ++step) {
          if (step < steps) start_copy(step);
          commit_copies();
        }
        for (u32 step = 0; step < steps; ++step) {
          wait_for_copies<kStages - 2>();
          barrier();  // this step has come for all; all have left the buffer that is filled next
          if (step + kStages - 1 < steps) start_copy(step + kStages - 1);
          commit_copies();
          multiply(sums, shared + step % kStages * kBufferBytes, start_a, start_b);
        }
      }
    } else if constexpr (kPipelined) {
      // Two steps at a time, so that buffers and registers have fixed places: an odd number of
      // steps is made even by an empty one in front.
      u8* const buffer[2] = {shared, shared + kBufferBytes};
      const u32 even_steps = (steps + 1) / 2 * 2;
      fetch_a.load_first(even_steps == steps ? first : 0);
      fetch_b.load_first(even_steps == steps ? first : 0);
      fetch_a.store(buffer[0]);
      fetch_b.store(buffer[0] + kBlockM * kStep);
      fetch_a.load_first(even_steps == steps ? u32{kStep} : first);
      fetch_b.load_first(even_steps == steps ? u32{kStep} : first);
      barrier();
      Rows rows;
      Columns even, odd;  // of even and odd steps, or parts
      if constexpr (!kByRow) {
        rows.read(buffer[0], start_a, 0, 0, kSplit.tiles_m / 2);
        even.read(buffer[0], start_b, 0);
      }
      Columns& then = kParts % 2 == 1 ? odd : even;
      Columns& spare = kParts % 2 == 1 ? even : odd;
      const auto more = [&](u32 step) {  // one counter is enough
        return ROCVET_BUFFER_LOADS ? fetch_a.past < k_bytes : step < even_steps;
      };
      for (u32 step = 2; more(step); step += 2) {
        step_of_pipeline<true, 0>(sums, rows, even, odd, fetch_a, fetch_b, buffer[0], buffer[1],
                                  start_a, start_b);
        step_of_pipeline<true, kStep>(sums, rows, then, spare, fetch_a, fetch_b, buffer[1],
                                      buffer[0], start_a, start_b);
        fetch_a.advance(2 * kStep);
        fetch_b.advance(2 * kStep);
      }
      step_of_pipeline<true, kNothing>(sums, rows, even, odd, fetch_a, fetch_b, buffer[0],
                                       buffer[1], start_a, start_b);
      step_of_pipeline<false, kNothing>(sums, rows, then, spare, fetch_a, fetch_b, buffer[1],
                                        buffer[0], start_a, start_b);
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

    if constexpr (kByRow) finish(sums);
    // Tile by tile: without the fences all addresses are made at once, in registers that are not
    // there.
    ROCVET_UNROLL
    for (int i = 0; i < kSplit.tiles_m; ++i) {
      ROCVET_UNROLL
      for (int j = 0; j < kSplit.tiles_n; ++j) {
        u32 row = corner.row + wave_m + i * T::kM, col = corner.col + wave_n + j * T::kN;
        if constexpr (kPipelined) {
          schedule_fence();
          keep_here(row);
          keep_here(col);
        }
        store_tile<T>(sums[i][j], c, row, col, m, n, ldc, lane);
      }
    }
  }
};

}  // namespace rocvet::kernel
