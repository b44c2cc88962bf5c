// Products of matrices of which the first is sparse, two of four (sparse.h), on every compute unit:
// each wave of each block computes all products from registers.
#include "clock.h"
#include "memory.h"
#include "sparse_tile.h"

namespace rocvet::kernel {

template <Type type>
struct SparseProblem {
  const u8* a;      ///< a product's: kSparseRows rows of K / 2 elements
  const u8* index;  ///< rows of K / 4 bytes
  const u8* b;      ///< rows of K elements
  Sum<type>* d;
};

template <Type type>
ROCVET_DEVICE u32 sparse_element(const u8* from, int at) {
  if constexpr (bytes_of(type) == 1) return from[at];
  return reinterpret_cast<const u16*>(from)[at];
}

/// Sums of one product, in the places of Tile::d.
template <Type type, class Tile>
ROCVET_DEVICE void sparse_product(const SparseProblem<type>& of, int lane,
                                  typename Tile::Sums& sums) {
  constexpr int kDepth = sparse_depth(type);
  for (int i = 0; i < Tile::kSums; ++i) sums[i] = 0;
#if ROCVET_HOST
  for (int sum = 0; sum < Tile::kSums; ++sum) {
    const Spot spot = Tile::d(lane, sum);
    for (int at = 0; at < kDepth / 2; ++at) {
      const u32 places = of.index[spot.row * kDepth / 4 + at / 2];
      const int k = at / 2 * 4 + static_cast<int>(places >> at % 2 * 2 & 3);
      const u32 a = sparse_element<type>(of.a, spot.row * kDepth / 2 + at);
      const u32 b = sparse_element<type>(of.b, spot.at * kDepth + k);
      if constexpr (type == Type::int8) {
        sums[sum] += static_cast<int>(static_cast<signed char>(a)) *
                     static_cast<int>(static_cast<signed char>(b));
      } else if constexpr (type == Type::fp8) {
        sums[sum] += from_fp8_ocp(a) * from_fp8_ocp(b);
      } else {
        sums[sum] += from_half<type>(a) * from_half<type>(b);
      }
    }
  }
#else
  constexpr int kWord = 4 / bytes_of(type);
  for (int first = 0; first < kDepth; first += Tile::kK) {
    u32 a[2 * Tile::kPairs / kWord] = {}, b[Tile::kElementsB / kWord] = {}, index = 0;
    ROCVET_UNROLL
    for (int i = 0; i < 2 * Tile::kPairs; ++i) {
      const Pair pair = Tile::a(lane, i / 2);
      const int at = pair.row * kDepth / 2 + first / 2 + 2 * pair.group + i % 2;
      a[i / kWord] |= sparse_element<type>(of.a, at) << 32 / kWord * (i % kWord);
    }
    ROCVET_UNROLL
    for (int i = 0; i < Tile::kElementsB; ++i) {
      const Spot spot = Tile::b(lane, i);
      b[i / kWord] |= sparse_element<type>(of.b, spot.row * kDepth + first + spot.at)
                      << 32 / kWord * (i % kWord);
    }
    ROCVET_UNROLL
    for (int i = 0; i < Tile::kIndices; ++i) {
      const Pair pair = Tile::index(lane, i);
      index |= static_cast<u32>(of.index[pair.row * kDepth / 4 + first / 4 + pair.group]) << 4 * i;
    }
    Tile::multiply(sums, a, b, index);
  }
#endif
}

template <Type type, int kind>
ROCVET_DEVICE void sparse(SparseProblem<type> of, SparseWave* waves, u32 products) {
  using Tile = SparseTile<type, kind>;
  if constexpr (Tile::kHas) {
    constexpr int kDepth = sparse_depth(type), kBytes = bytes_of(type);
    constexpr u32 kLanes = Tile::kLanes, kWaves = kSparseThreads / kLanes;
    ROCVET_SHARED(u32, digests, kSparseThreads);
    const u32 wave = block_index() * kWaves + wave_index();
    const int lane = static_cast<int>(lane_index());
    of.d += static_cast<u64>(wave) * products * kSparseRows * Tile::kN;
    u32 digest = 0;
    for (u32 product = 0; product < products; ++product) {
      typename Tile::Sums sums;
      sparse_product<type, Tile>(of, lane, sums);
      ROCVET_UNROLL
      for (int i = 0; i < Tile::kSums; ++i) {
        const Spot spot = Tile::d(lane, i);
        const Sum<type> sum = sums[i];
        of.d[spot.row * Tile::kN + spot.at] = sum;
        digest = mixed(digest ^ bits<u32>(sum));
      }
      of.a += kSparseRows * kDepth / 2 * kBytes;
      of.index += kSparseRows * kDepth / 4;
      of.b += Tile::kN * kDepth * kBytes;
      of.d += kSparseRows * Tile::kN;
    }
    digests[thread_index()] = digest;
    barrier();
    if (lane != 0) return;
    for (u32 i = 1; i < kLanes; ++i) digest = mixed(digest ^ digests[thread_index() + i]);
    waves[wave] = {digest, unit_number()};
  }
}

template <Type type, int kind>
ROCVET_DEVICE SparseShape describe_sparse() {
  using Tile = SparseTile<type, kind>;
  if constexpr (Tile::kHas) {
    return {Tile::kLanes, Tile::kN, fp8_format(kIsa) == Fp8::fnuz};
  } else {
    return {};
  }
}

}  // namespace rocvet::kernel

using namespace rocvet::kernel;

/// D of all products of a wave, then those of the next. Blocks of kSparseThreads threads.
#define ROCVET_SPARSE(name, type, kind)                                                            \
  ROCVET_KERNEL(256, 1)                                                                            \
  name(const u8* a, const u8* index, const u8* b, Sum<type>* d, SparseWave* waves, u32 products) { \
    sparse<type, kind>({a, index, b, d}, waves, products);                                         \
  }
ROCVET_SPARSE(sparse_fp16, Type::fp16, 0)
ROCVET_SPARSE(sparse_bf16, Type::bf16, 0)
ROCVET_SPARSE(sparse_fp8, Type::fp8, 0)
ROCVET_SPARSE(sparse_int8, Type::int8, 0)
ROCVET_SPARSE(sparse_fp16_deep, Type::fp16, 1)
ROCVET_SPARSE(sparse_bf16_deep, Type::bf16, 1)
ROCVET_SPARSE(sparse_fp8_deep, Type::fp8, 1)
ROCVET_SPARSE(sparse_int8_deep, Type::int8, 1)

/// Writes one SparseShape per type and kind: fp16, bf16, fp8 and int8, then their second kinds.
ROCVET_KERNEL(64, 1) sparse_shape(SparseShape* all) {
  if (thread_index() != 0) return;
  all[0] = describe_sparse<Type::fp16, 0>();
  all[1] = describe_sparse<Type::bf16, 0>();
  all[2] = describe_sparse<Type::fp8, 0>();
  all[3] = describe_sparse<Type::int8, 0>();
  all[4] = describe_sparse<Type::fp16, 1>();
  all[5] = describe_sparse<Type::bf16, 1>();
  all[6] = describe_sparse<Type::fp8, 1>();
  all[7] = describe_sparse<Type::int8, 1>();
}
