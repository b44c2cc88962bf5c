// C = A * B^T of block-scaled numbers (mx.h).
//
// A is M x K, B is N x K, C is M x N without gaps between its rows. K is a multiple of kMxStep: who
// has less fills up with zeros. M and N are free.
#pragma once

#include "gemm_direct.h"
#include "mx_tile.h"

namespace rocvet::kernel {

struct MxProblem {
  const u8 *a, *b, *scales_a, *scales_b;
  float* c;
  u32 m, n, k;
};

/// Rows of a step in shared memory where they do not come there straight: 16 bytes more than they
/// need, so that the lanes which are served together find their 8 bytes in different banks.
constexpr int mx_staged_row(Mx format) {
  return mx_bytes(format, kMxStep) + 16;
}

/// Where there is no such instruction: each thread decodes and adds for a few elements of C.
template <Mx format>
struct GemmMxScalar {
  static constexpr int kThreads = 64, kBlockM = 16, kBlockN = 16, kSharedBytes = 0;

  static ROCVET_DEVICE float element(const MxProblem& of, u32 row, u32 col) {
    const u64 row_bytes = static_cast<u64>(of.k) * bits_of(format) / 8, scales = of.k / kMxBlock;
    const u8 *a = of.a + row * row_bytes, *b = of.b + col * row_bytes;
    const u8 *scale_a = of.scales_a + row * scales, *scale_b = of.scales_b + col * scales;
    float sum = 0;
    for (u32 block = 0; block < of.k / kMxBlock; ++block) {
      float part = 0;
      for (u32 at = block * kMxBlock; at < (block + 1) * kMxBlock; ++at) {
        part +=
            from_mx<format>(mx_element<format>(a, at)) * from_mx<format>(mx_element<format>(b, at));
      }
      sum += part * from_mx_scale(scale_a[block]) * from_mx_scale(scale_b[block]);
    }
    return sum;
  }
  static ROCVET_DEVICE void run(const MxProblem& of, u8*) {
    const u32 blocks_n = (of.n + kBlockN - 1) / kBlockN;
    const u32 first_row = block_index() / blocks_n * kBlockM;
    const u32 first_col = block_index() % blocks_n * kBlockN;
    for (u32 i = thread_index(); i < kBlockM * kBlockN; i += kThreads) {
      const u32 row = first_row + i / kBlockN, col = first_col + i % kBlockN;
      if (row < of.m && col < of.n)
        of.c[static_cast<u64>(row) * of.n + col] = element(of, row, col);
    }
  }
};

#if ROCVET_AMD && (defined(__gfx950__) || defined(__gfx1250__))
/// A block brings one step of its rows of A and B and their scales through registers into one of
/// two buffers of shared memory while its waves multiply from the other. On gfx950 for fp6, between
/// whose rows stand bytes that a load straight to shared memory cannot leave out.
template <Mx format, Split split>
struct GemmMxStaged {
  using T = MxTile<format>;
  static constexpr int kWavesM = split.waves_m, kWavesN = split.waves_n;
  static constexpr int kTilesM = split.tiles_m, kTilesN = split.tiles_n;
  static constexpr int kThreads = T::kLanes * kWavesM * kWavesN;
  static constexpr int kBlockM = T::kM * kWavesM * kTilesM, kBlockN = T::kN * kWavesN * kTilesN;
  static constexpr int kRowBytes = mx_bytes(format, kMxStep), kColumns = kRowBytes / 16;
  static constexpr int kRows = kBlockM + kBlockN, kRow = mx_staged_row(format);
  static constexpr int kLoads = kRows * kColumns / kThreads;
  static constexpr int kScaleBytes = kMxStep / kMxBlock;  // of a row and step: one word
  static constexpr int kScaleLoads = kRows / kThreads;    // words of them that a thread brings
  static constexpr int kScales = kRows * kRow;
  static constexpr int kBufferBytes = kScales + kRows * kScaleBytes;
  static constexpr int kSharedBytes = 2 * kBufferBytes;
  static_assert(kBlockM == kBlockN && kRows % kThreads == 0 && kScaleBytes == 4);

  /// What a thread brings from global memory; rows of B follow those of A.
  struct Fetch {
    const u8 *a, *b;
    const u8* scales[kScaleLoads];
    u32 offset[kLoads];
    int to[kLoads];
    Chunk chunk[kLoads];
    u32 scale[kScaleLoads];

    static constexpr bool of_a(int load) { return load < kLoads / 2; }

    ROCVET_DEVICE Fetch(const MxProblem& of, Corner corner) {
      const u64 row_bytes = static_cast<u64>(of.k) * bits_of(format) / 8;
      a = of.a + corner.row * row_bytes;
      b = of.b + corner.col * row_bytes;
      const u32 last_a = of.m - 1 - corner.row, last_b = of.n - 1 - corner.col;
      const u32 thread = thread_index();
      ROCVET_UNROLL
      for (int i = 0; i < kLoads; ++i) {
        const u32 at = thread + static_cast<u32>(i) * kThreads;
        const u32 row = at / kColumns, column = at % kColumns;
        to[i] = static_cast<int>(row * kRow + column * 16);
        const u32 from = of_a(i) ? smaller(row, last_a) : smaller(row - kBlockM, last_b);
        offset[i] = from * static_cast<u32>(row_bytes) + column * 16;
      }
      ROCVET_UNROLL
      for (int i = 0; i < kScaleLoads; ++i) {
        const u32 at = thread + static_cast<u32>(i) * kThreads;
        const bool rows_of_a = at < kBlockM;
        const u32 row = rows_of_a ? corner.row + smaller(at, last_a)
                                  : corner.col + smaller(at - kBlockM, last_b);
        scales[i] =
            (rows_of_a ? of.scales_a : of.scales_b) + static_cast<u64>(row) * (of.k / kMxBlock);
      }
    }
    ROCVET_DEVICE void load() {
      ROCVET_UNROLL
      for (int i = 0; i < kLoads; ++i) {
        keep_here(offset[i]);  // the sum of base and offset is part of a load
        chunk[i] = *reinterpret_cast<const Chunk*>((of_a(i) ? a : b) + offset[i]);
      }
      ROCVET_UNROLL
      for (int i = 0; i < kScaleLoads; ++i) {
        scale[i] = *reinterpret_cast<const u32*>(scales[i]);
        scales[i] += kScaleBytes;
      }
      a += kRowBytes;
      b += kRowBytes;
    }
    ROCVET_DEVICE void store(u8* shared) const {
      ROCVET_UNROLL
      for (int i = 0; i < kLoads; ++i) *reinterpret_cast<Chunk*>(shared + to[i]) = chunk[i];
      ROCVET_UNROLL
      for (int i = 0; i < kScaleLoads; ++i) {
        reinterpret_cast<u32*>(shared + kScales)[thread_index() + i * kThreads] = scale[i];
      }
    }
  };

  /// Where a lane finds its elements and its scale of the wave's first tile.
  struct Start {
    int elements, scale;
    ROCVET_DEVICE explicit Start(int first_row) {
      const int lane = static_cast<int>(lane_index()), row = first_row + lane % 16;
      elements = row * kRow + T::byte(lane, 0);
      scale = kScales + row * kScaleBytes + T::scale_byte(lane);
    }
  };
  /// A lane's elements and scales of some tiles.
  template <int tiles>
  struct Operands {
    MxOperand<format> of[tiles];
    u32 scale[tiles];

    ROCVET_DEVICE void read(const u8* shared, Start start) {
      ROCVET_UNROLL
      for (int i = 0; i < tiles; ++i) {
        of[i] = elements(shared, start.elements, 16 * i);
        scale[i] = T::scale(shared + start.scale + 16 * i * kScaleBytes);
      }
    }
  };
  /// Of the tile that begins `row` rows after that of `start`.
  static ROCVET_DEVICE MxOperand<format> elements(const u8* shared, int start, int row) {
    MxOperand<format> operand;
    ROCVET_UNROLL
    for (int i = 0; i < MxOperand<format>::kWords / 2; ++i) {
      const u64 part =
          *reinterpret_cast<const u64*>(shared + start + row * kRow + T::byte(0, 8 * i));
      operand.word[2 * i] = static_cast<u32>(part);
      operand.word[2 * i + 1] = static_cast<u32>(part >> 32);
    }
    return operand;
  }

  using AllSums = typename T::Sums[kTilesM][kTilesN];
  static ROCVET_DEVICE void multiply(AllSums& sums, const u8* shared, Start start_a,
                                     Start start_b) {
    Operands<kTilesM> a;
    Operands<kTilesN> b;
    b.read(shared, start_b);
    a.read(shared, start_a);
    ROCVET_UNROLL
    for (int i = 0; i < kTilesM; ++i) {
      ROCVET_UNROLL
      for (int j = 0; j < kTilesN; ++j) {
        T::issue(sums[i][j], a.of[i], b.of[j], a.scale[i], b.scale[j]);
      }
    }
  }
  /// Multiplies what is in `here` while the next step is on its way to `there`.
  static ROCVET_DEVICE void step(AllSums& sums, Fetch& fetch, const u8* here, u8* there,
                                 Start start_a, Start start_b) {
    fetch.load();
    schedule_fence();  // else the loads come late, and are waited for at once
    multiply(sums, here, start_a, start_b);
    fetch.store(there);
    barrier();
  }

  static ROCVET_DEVICE void run(const MxProblem& of, u8* shared) {
    const Corner corner = block_corner(block_index(), (of.m + kBlockM - 1) / kBlockM,
                                       (of.n + kBlockN - 1) / kBlockN, kBlockM, kBlockN);
    const int wave = static_cast<int>(wave_index());
    const int wave_m = wave / kWavesN * kTilesM * T::kM, wave_n = wave % kWavesN * kTilesN * T::kN;
    const Start start_a(wave_m), start_b(kBlockM + wave_n);
    u8* const buffer[2] = {shared, shared + kBufferBytes};
    AllSums sums = {};
    Fetch fetch(of, corner);
    fetch.load();
    fetch.store(buffer[0]);
    barrier();
    // Two steps at a time, so that buffers have fixed places.
    u32 left = of.k / kMxStep;
    for (; left > 2; left -= 2) {
      step(sums, fetch, buffer[0], buffer[1], start_a, start_b);
      step(sums, fetch, buffer[1], buffer[0], start_a, start_b);
    }
    if (left == 2) step(sums, fetch, buffer[0], buffer[1], start_a, start_b);
    multiply(sums, buffer[left - 1], start_a, start_b);

    const int lane = static_cast<int>(lane_index());
    ROCVET_UNROLL
    for (int i = 0; i < kTilesM; ++i) {
      ROCVET_UNROLL
      for (int j = 0; j < kTilesN; ++j) {
        ROCVET_UNROLL
        for (int sum = 0; sum < T::kSums; ++sum) {
          const Spot spot = T::d(lane, sum);
          const u32 row = corner.row + wave_m + i * T::kM + spot.row;
          const u32 col = corner.col + wave_n + j * T::kN + spot.at;
          if (row < of.m && col < of.n) of.c[static_cast<u64>(row) * of.n + col] = sums[i][j][sum];
        }
      }
    }
  }
};

#if defined(__gfx1250__)
/// Few tiles for a wave, so that 256 registers are enough. With more (four by four) one tile of
/// E4M3 came out wrong on AMD's simulator, by its banks of registers or the compiler's: not found
/// out.
template <Mx format>
using GemmMx = GemmMxStaged<format, Split{4, 2, 2, 4, kMxStep}>;
#else
/// MxTile on the chunks of gemm_direct.h.
template <Mx format>
struct MxDirectTile : MxTile<format> {
  static constexpr bool kScaled = true;
  static constexpr int kBytes = mx_bytes(format, kMxStep), kChunksA = kBytes / 64, kIssues = 1;

  static ROCVET_DEVICE void issue(typename MxTile<format>::Sums& d, const Chunk* a, const Chunk* b,
                                  u32 scale_a, u32 scale_b) {
    MxTile<format>::issue(d, operand(a), operand(b), scale_a, scale_b);
  }

 private:
  static ROCVET_DEVICE MxOperand<format> operand(const Chunk* of) {
    if constexpr (kChunksA == 2) {
      return bits<MxOperand<format> >(TwoChunks{of[0], of[1]});
    } else {
      return bits<MxOperand<format> >(of[0]);
    }
  }
};
template <Mx format>
struct GemmMxDirect : GemmDirect<MxDirectTile<format>, float, Split{2, 4, 8, 4, kDirectStep}> {
  static ROCVET_DEVICE void run(const MxProblem& of, u8* shared) {
    const u32 row_bytes = of.k / kMxStep * MxDirectTile<format>::kBytes;
    GemmMxDirect::multiply_all({of.a, of.b, row_bytes, row_bytes, of.c, of.m, of.n, row_bytes, of.n,
                                of.scales_a, of.scales_b},
                               shared);
  }
};

template <Mx format>
using GemmMx =
    typename Select<bits_of(format) == 6, GemmMxStaged<format, Split{2, 4, 8, 4, kMxStep}>,
                    GemmMxDirect<format> >::type_t;
#endif
#else
template <Mx format>
using GemmMx = GemmMxScalar<format>;
#endif

}  // namespace rocvet::kernel
