// C = A * B^T on gfx950, whose loads bring 16 bytes of a lane from global memory straight to shared
// memory: no register holds them on the way, and no instruction stores them.
//
// Operands and blocks are those of gemm.h. A step is 128 bytes of K. Two buffers take turns: while
// the waves multiply what lies in one, the step after the next is on its way to where they have
// read all that they need.
#pragma once

#include "gemm.h"

namespace rocvet::kernel {

#if ROCVET_AMD && defined(__gfx950__)
/// A place in shared memory as the hardware counts.
ROCVET_DEVICE u32 shared_address(const u8* shared) {
  return static_cast<u32>(reinterpret_cast<u64>((Shared<const u8>*)shared));
}
template <class T>
ROCVET_DEVICE T read_shared(u32 address) {
  return *reinterpret_cast<Shared<const T>*>(static_cast<u64>(address));
}
template <class T>
ROCVET_DEVICE void write_shared(u32 address, T value) {
  *reinterpret_cast<Shared<T>*>(static_cast<u64>(address)) = value;
}

/// What a buffer instruction wants of memory: address, no stride, no end that would matter, and
/// the format of bytes.
using BufferResource = I32x4;
ROCVET_DEVICE BufferResource all_memory_from(const u8* base) {
  const u64 address = reinterpret_cast<u64>(base);
  return {static_cast<int>(same_in_wave(static_cast<u32>(address))),
          static_cast<int>(same_in_wave(static_cast<u32>(address >> 32) & 0xffff)), -1, 0x20000};
}

// A direct load, in assembly. With the compiler's own one (raw_ptr_buffer_load_lds) LLVM 20 makes
// every later read of shared memory wait for all such loads, among them those of the step after the
// next; later versions do so where they have nothing to tell the accesses apart by
// (llvm/llvm-project#131842). Who uses these two waits instead, once, before a barrier.
//
// M0 holds the place, to which the hardware adds 16 bytes for each lane (CDNA 4 ISA, 9.1.9). An
// offset in the load would save the change of M0, but the manual's text does not say whether it
// counts for shared memory too. Another instruction must stand between a change of M0 and the load
// (a hazard of gfx9 that the compiler cannot see here): tests/code_objects looks for it.
ROCVET_DEVICE void aim_direct_load(u32 place, int more) {
  asm volatile("s_add_u32 m0, %0, %1" ::"s"(place), "i"(more) : "scc");
}
/// Brings 16 bytes of each lane, `offset` and `past` (the same for all lanes) from the base.
ROCVET_DEVICE void direct_load(BufferResource from, u32 offset, u32 past) {
  asm volatile("buffer_load_dwordx4 %0, %1, %2 offen lds" ::"v"(offset), "s"(from), "s"(past)
               : "memory");
}
/// And 4 bytes of each.
ROCVET_DEVICE void direct_load_word(BufferResource from, u32 offset, u32 past) {
  asm volatile("buffer_load_dword %0, %1, %2 offen lds" ::"v"(offset), "s"(from), "s"(past)
               : "memory");
}

/// A product as the kernel sees it: rows of A and B are `k_bytes` of K long.
template <class Element>
struct DirectProblem {
  const void *a, *b;
  u64 row_bytes_a, row_bytes_b;
  Element* c;
  u32 m, n, k_bytes, ldc;
  const u8 *scales_a = nullptr, *scales_b = nullptr;  // of block-scaled numbers, else none
};

/// `T` is a tile of tile.h, or of block-scaled numbers: it then says with kScaled that it takes a
/// scale of each operand too.
template <class T, class Element, Split kSplit>
struct GemmDirect {
  static constexpr int kThreads = 64 * kSplit.waves_m * kSplit.waves_n;
  static constexpr int kBlockM = T::kM * kSplit.waves_m * kSplit.tiles_m;
  static constexpr int kBlockN = T::kN * kSplit.waves_n * kSplit.tiles_n;
  static constexpr int kStep = kSplit.step, kRows = kBlockM + kBlockN, kStages = 2;
  static constexpr int kRowsAtOnce = kDirectBytes / kStep;  // that one load of a wave brings
  static constexpr int kWaves = kThreads / 64;
  static constexpr int kLoadsA = kBlockM / kRowsAtOnce / kWaves;
  static constexpr int kLoadsB = kBlockN / kRowsAtOnce / kWaves;
  static constexpr int kChunks = kStep / 64;  // of a row or column: what a lane has of it in a step
  static constexpr int kParts = kStep / T::kBytes;
  static constexpr int kGroup = 2, kGroups = kSplit.tiles_m / kGroup;  // of rows
  static constexpr int kPair = 2;                                      // of columns
  static constexpr int kProducts = kGroup * kPair * kParts * T::kIssues;
  // Shared memory: A of both buffers, B of both, then scales: a word of each row of A and of B for
  // each part of a step. So an instruction's offset reaches both buffers from one address.
  static constexpr bool kScaled = requires { T::kScaled; };
  static constexpr int kScaleParts = kScaled ? kParts : 0, kScaleBytes = kScaleParts * kRows * 4;
  static constexpr int kColumnsAt = kStages * kBlockM * kStep, kScalesAt = kStages * kRows * kStep;
  static constexpr int kSharedBytes = kScalesAt + kStages * kScaleBytes;
  static constexpr int kLoads = kLoadsA + kLoadsB + kScaleParts;
  static_assert(kStep == kDirectStep && kChunks == kParts * T::kChunksA);
  static_assert(kSplit.tiles_n == 2 * kPair && kGroups % 2 == 0);  // step() is written for these
  static_assert(kLoads <= 2 * kProducts + 1);                      // a product between two loads
  static_assert(!kScaled || kRows == kThreads);                    // each thread brings one row's

  /// What a wave brings of A or of B: some rows that follow each other.
  template <int loads>
  struct Fetch {
    const u8* base;  // of the block's first row; the same for all threads
    BufferResource resource;
    u32 offset[loads];  // of what this lane brings, from there
    u32 place;          // of the wave's rows in the first buffer

    ROCVET_DEVICE Fetch(const void* matrix, u32 first_row, u32 rows, u64 row_bytes, u8* shared,
                        int start)
        : base(static_cast<const u8*>(matrix) + first_row * row_bytes),
          resource(all_memory_from(base)),
          place(shared_address(shared) + start + wave_index() * loads * kDirectBytes) {
      const Spot spot = direct_spot(static_cast<int>(lane_index()));
      const u32 last = rows - 1 - first_row;
      ROCVET_UNROLL
      for (int i = 0; i < loads; ++i) {
        const u32 row = (wave_index() * loads + i) * kRowsAtOnce + spot.row;
        offset[i] = smaller(row, last) * static_cast<u32>(row_bytes) + spot.at;
      }
    }
    static constexpr int place_from(int buffer, int load) {
      return (buffer * kWaves * loads + load) * kDirectBytes;
    }
    /// Brings the step that begins `past` bytes from the base, of which only `bytes` of K are
    /// there. A direct load cannot write the zeros that stand for the rest: this goes through
    /// registers.
    ROCVET_DEVICE void bring_short(int buffer, u32 past, u32 bytes) const {
      const int lane = static_cast<int>(lane_index());
      const bool inside = static_cast<u32>(direct_spot(lane).at) < bytes;
      ROCVET_UNROLL
      for (int i = 0; i < loads; ++i) {
        const Chunk chunk =
            inside ? *reinterpret_cast<const Chunk*>(base + offset[i] + past) : Chunk{};
        write_shared(place + place_from(buffer, i) + lane * 16, chunk);
      }
    }
  };
  /// The scales of this lane's row, a word for each part of a step.
  struct FetchScales {
    const u8* base;  // of A for half of the waves, of B for the others
    BufferResource resource;
    u32 offset[kParts];
    u32 place;  // of the wave's words in the first buffer

    ROCVET_DEVICE FetchScales(const DirectProblem<Element>& of, Corner corner, u8* shared)
        : base(of_a() ? of.scales_a : of.scales_b),
          resource(all_memory_from(base)),
          place(shared_address(shared) + kScalesAt + wave_index() * 64 * 4) {
      const u32 row = of_a() ? smaller(corner.row + thread_index(), of.m - 1)
                             : smaller(corner.col + thread_index() - kBlockM, of.n - 1);
      ROCVET_UNROLL
      for (int part = 0; part < kParts; ++part) {
        offset[part] = row * (of.k_bytes / T::kBytes * 4) + part * 4;
      }
    }
    static ROCVET_DEVICE bool of_a() { return wave_index() < kBlockM / 64; }
    /// Of elements `past` bytes from the base.
    static ROCVET_DEVICE u32 scales_past(u32 past) { return past / (T::kBytes / 4); }
    ROCVET_DEVICE void bring_short(int buffer, u32 past, u32 bytes) const {
      ROCVET_UNROLL
      for (int part = 0; part < kParts; ++part) {
        const bool inside = static_cast<u32>(part * T::kBytes) < bytes;
        const u8* from = base + offset[part] + scales_past(past);
        write_shared(place + scale_place(buffer, part) + lane_index() * 4,
                     inside ? *reinterpret_cast<const u32*>(from) : 0);
      }
    }
  };
  static constexpr int scale_place(int buffer, int part) {
    return (buffer * kParts + part) * kRows * 4;
  }
  struct Nothing {
    ROCVET_DEVICE Nothing(const DirectProblem<Element>&, Corner, u8*) {}
  };

  /// What a wave brings: loads of A, then those of B, then scales.
  struct Sources {
    Fetch<kLoadsA> a;
    Fetch<kLoadsB> b;
    typename Select<kScaled, FetchScales, Nothing>::type_t scales;

    ROCVET_DEVICE Sources(const DirectProblem<Element>& of, Corner corner, u8* shared)
        : a(of.a, corner.row, of.m, of.row_bytes_a, shared, 0),
          b(of.b, corner.col, of.n, of.row_bytes_b, shared, kColumnsAt),
          scales(of, corner, shared) {}

    ROCVET_DEVICE void bring_short(int buffer, u32 past, u32 bytes) const {
      a.bring_short(buffer, past, bytes);
      b.bring_short(buffer, past, bytes);
      if constexpr (kScaled) scales.bring_short(buffer, past, bytes);
    }
    /// Where load `i` goes to; then, after another instruction, the load.
    ROCVET_DEVICE void aim(int buffer, int i) const {
      if (i < kLoadsA) {
        aim_direct_load(a.place, Fetch<kLoadsA>::place_from(buffer, i));
      } else if (i < kLoadsA + kLoadsB) {
        aim_direct_load(b.place, Fetch<kLoadsB>::place_from(buffer, i - kLoadsA));
      } else if constexpr (kScaled) {
        aim_direct_load(scales.place, scale_place(buffer, i - kLoadsA - kLoadsB));
      }
    }
    ROCVET_DEVICE void load(int i, u32 past) const {
      if (i < kLoadsA) {
        direct_load(a.resource, a.offset[i], past);
      } else if (i < kLoadsA + kLoadsB) {
        direct_load(b.resource, b.offset[i - kLoadsA], past);
      } else if constexpr (kScaled) {
        direct_load_word(scales.resource, scales.offset[i - kLoadsA - kLoadsB],
                         FetchScales::scales_past(past));
      }
    }
  };

  /// Where a lane finds its chunks and its scale of the wave's first row or column, in the first
  /// buffer; the second lies `next_buffer` bytes after.
  template <int next_buffer>
  struct Start {
    u32 chunk[kChunks], scale;
    ROCVET_DEVICE Start(const u8* shared, int matrix_at, int row, int scale_row) {
      const int lane = static_cast<int>(lane_index());
      ROCVET_UNROLL
      for (int i = 0; i < kChunks; ++i) {
        const Spot spot = MfmaLayout<kChunks, false>::a(lane, i);
        chunk[i] =
            shared_address(shared) + matrix_at + swizzled(kIsa, kStep, row + spot.row, spot.at);
        keep_here(chunk[i]);  // else the compiler adds it up anew for each read
      }
      scale = shared_address(shared) + kScalesAt + (scale_row + lane % 16) * 4 + lane / 16;
    }
    ROCVET_DEVICE u32 chunk_at(int buffer, int i) const { return chunk[i] + buffer * next_buffer; }
  };
  struct Starts {
    Start<kBlockM * kStep> a;
    Start<kBlockN * kStep> b;
  };
  /// A lane's chunks and scales of some rows of A or columns of B, for a step.
  template <int tiles>
  struct Operands {
    Chunk of[tiles][kChunks];
    u32 scale[tiles][kParts];
    /// Those of the wave's tile number `from`.
    template <class Start>
    ROCVET_DEVICE void read(const Start& start, int buffer, int tile, int from) {
      ROCVET_UNROLL
      for (int chunk = 0; chunk < kChunks; ++chunk) {
        of[tile][chunk] = read_shared<Chunk>(start.chunk_at(buffer, chunk) + from * T::kM * kStep);
      }
      ROCVET_UNROLL
      for (int part = 0; part < kScaleParts; ++part) {
        scale[tile][part] =
            read_shared<u8>(start.scale + scale_place(buffer, part) + from * T::kM * 4);
      }
    }
  };
  using AllSums = typename T::Sums[kSplit.tiles_m][kSplit.tiles_n];

  /// What a wave holds of a step: rows of two groups in turn, and the columns. They are read anew
  /// as soon as their last product is under way.
  struct Held {
    Operands<kGroup> rows[2];
    Operands<kSplit.tiles_n> columns;

    ROCVET_DEVICE void read_group(const Starts& starts, int buffer, int group, int row) {
      rows[group % 2].read(starts.a, buffer, row, group * kGroup + row);
    }
    ROCVET_DEVICE void read_column(const Starts& starts, int buffer, int column) {
      columns.read(starts.b, buffer, column, column);
    }
  };

  /// The products of a group of rows with a pair of columns; after each of them, after(product).
  template <class After>
  static ROCVET_DEVICE void multiply(AllSums& sums, const Held& held, int group, int pair,
                                     const After& after) {
    ROCVET_UNROLL
    for (int product = 0; product < kProducts; ++product) {
      const int row = product % kGroup, column = pair * kPair + product / kGroup % kPair;
      const int issue = product / kGroup / kPair % T::kIssues;
      const int part = product / kGroup / kPair / T::kIssues;
      const auto& rows = held.rows[group % 2];
      const Chunk* chunks_a = rows.of[row] + part * T::kChunksA;
      const Chunk* chunks_b = held.columns.of[column] + part * T::kChunksA;
      auto& sum = sums[group * kGroup + row][column];
      if constexpr (kScaled) {
        T::issue(sum, chunks_a, chunks_b, rows.scale[row][part], held.columns.scale[column][part]);
      } else {
        T::issue(sum, chunks_a, chunks_b, issue);
      }
      schedule_fence();
      after(product);
      schedule_fence();
    }
  }
  /// What was read before is there now.
  static ROCVET_DEVICE void wait_for_reads() {
    schedule_fence();
    wait_for_shared();
    schedule_fence();
  }

  /// Multiplies a step, which lies in `buffer`; of it the first group of rows and the first pair of
  /// columns are held, or on their way. `more`: there is a next step, in the other buffer. `bring`:
  /// and one after that, from `past` bytes on, which shall come to this buffer.
  template <bool more, bool bring>
  static ROCVET_DEVICE void step(AllSums& sums, Held& held, const Starts& starts,
                                 const Sources& sources, int buffer, u32 past) {
    constexpr int kLast = kGroups - 1;
    ROCVET_UNROLL
    for (int group = 0; group < kLast; ++group) {
      wait_for_reads();
      multiply(sums, held, group, 0, [&](int product) {
        if (group == 0 && product < kPair) held.read_column(starts, buffer, kPair + product);
        if (group != 0 && product < kGroup) held.read_group(starts, buffer, group + 1, product);
      });
      if (group == 0) wait_for_reads();
      multiply(sums, held, group, 1, [&](int product) {
        if (group == 0 && product < kGroup) held.read_group(starts, buffer, 1, product);
      });
    }
    if constexpr (bring) sources.aim(buffer, 0);
    if constexpr (more) wait_for_loads();
    wait_for_reads();
    if constexpr (more) barrier();  // the next step is there for all, and all hold the rest of this
    const auto load = [&](int i) {
      if (!bring || i >= kLoads) return;
      sources.load(i, past);
      if (i + 1 < kLoads) sources.aim(buffer, i + 1);
    };
    load(0);
    multiply(sums, held, kLast, 0, [&](int product) {
      if (more && product < kGroup) held.read_group(starts, 1 - buffer, 0, product);
      load(1 + product);
    });
    multiply(sums, held, kLast, 1, [&](int product) {
      if (more && product < kPair) held.read_column(starts, 1 - buffer, product);
      load(1 + kProducts + product);
    });
  }

  static ROCVET_DEVICE void multiply_all(const DirectProblem<Element>& of, u8* shared) {
    const Corner corner = block_corner(block_index(), (of.m + kBlockM - 1) / kBlockM,
                                       (of.n + kBlockN - 1) / kBlockN, kBlockM, kBlockN);
    const Sources sources(of, corner, shared);

    // Two steps at a time, so that buffers have fixed places: an odd number of steps is made even
    // by an empty one in front. The short step is the first that is not empty.
    const u32 steps = (of.k_bytes + kStep - 1) / kStep, first = of.k_bytes - (steps - 1) * kStep;
    const bool odd = steps % 2 != 0;
    u32 past = odd ? 0 : first;
    const u32 second = odd ? first : kStep;
    sources.bring_short(0, 0, past);
    sources.bring_short(1, past, second);
    past += second;
    barrier();

    const int wave = static_cast<int>(wave_index());
    const int wave_m = wave / kSplit.waves_n * kSplit.tiles_m * T::kM;
    const int wave_n = wave % kSplit.waves_n * kSplit.tiles_n * T::kN;
    const Starts starts{{shared, 0, wave_m, wave_m},
                        {shared, kColumnsAt, wave_n, kBlockM + wave_n}};
    AllSums sums = {};
    Held held;
    ROCVET_UNROLL
    for (int i = 0; i < 2; ++i) {
      held.read_group(starts, 0, 0, i);
      held.read_column(starts, 0, i);
    }
    for (; past < of.k_bytes; past += 2 * kStep) {
      step<true, true>(sums, held, starts, sources, 0, past);
      step<true, true>(sums, held, starts, sources, 1, past + kStep);
    }
    step<true, false>(sums, held, starts, sources, 0, 0);
    step<false, false>(sums, held, starts, sources, 1, 0);
    finish(sums);
    const int lane = static_cast<int>(lane_index());
    ROCVET_UNROLL
    for (int i = 0; i < kSplit.tiles_m; ++i) {
      ROCVET_UNROLL
      for (int j = 0; j < kSplit.tiles_n; ++j) {
        u32 row = corner.row + wave_m + i * T::kM, col = corner.col + wave_n + j * T::kN;
        schedule_fence();  // as in gemm.h: addresses of one tile at a time
        keep_here(row);
        keep_here(col);
        store_tile<T>(sums[i][j], of.c, row, col, of.m, of.n, of.ldc, lane);
      }
    }
  }
};

/// With the arguments of the kernels.
template <Type type>
struct GemmDirectOf : GemmDirect<Tile<kIsa, type>, Sum<type>, split_for(kIsa, type)> {
  static constexpr bool kAsync = false;
  static ROCVET_DEVICE void run(const void* a, const void* b, Sum<type>* c, u32 m, u32 n, u32 k,
                                u32 lda, u32 ldb, u32 ldc, u8* shared) {
    constexpr int kSize = bytes_of(type);
    GemmDirectOf::multiply_all({a, b, static_cast<u64>(lda) * kSize, static_cast<u64>(ldb) * kSize,
                                c, m, n, (k * kSize + 15) / 16 * 16, ldc},
                               shared);
  }
};
#endif

}  // namespace rocvet::kernel
