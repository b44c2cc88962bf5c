// One sparse product per family of instructions: D += A * B^T on the registers of sparse_layout.h.
//
// SparseTile<type, kind>::kHas says whether there is one. multiply takes a lane's words of A and B,
// whose elements follow each other from the lowest bits on, its index and its sums.
#pragma once

#include "sparse.h"
#include "sparse_layout.h"
#include "tile.h"

namespace rocvet::kernel {

template <Type type, int kind>
struct SparseTile {
  static constexpr bool kHas = false;
};

#if ROCVET_AMD
/// `words` words as what a builtin wants.
template <class To, int words>
ROCVET_DEVICE To as_vector(const u32* from) {
  Vector<u32, words> vector;
  ROCVET_UNROLL
  for (int i = 0; i < words; ++i) vector[i] = from[i];
  return bits<To>(vector);
}
#endif

#if ROCVET_AMD && (defined(__gfx942__) || defined(__gfx950__))
template <Type type>
requires(bytes_of(type) <= 2) struct SparseTile<type, 0> : SmfmacLayout<4 / bytes_of(type), 1> {
  static constexpr bool kHas = true;
  using Sums = Vector<Sum<type>, 4>;
  static ROCVET_DEVICE void multiply(Sums& d, const u32* a, const u32* b, u32 index) {
    const int place = static_cast<int>(index);
    if constexpr (type == Type::fp16) {
      d = __builtin_amdgcn_smfmac_f32_16x16x32_f16(as_vector<F16x4, 2>(a), as_vector<F16x8, 4>(b),
                                                   d, place, 0, 0);
    } else if constexpr (type == Type::bf16) {
      d = __builtin_amdgcn_smfmac_f32_16x16x32_bf16(as_vector<I16x4, 2>(a), as_vector<I16x8, 4>(b),
                                                    d, place, 0, 0);
    } else if constexpr (type == Type::fp8) {
      d = __builtin_amdgcn_smfmac_f32_16x16x64_fp8_fp8(as_vector<I32x2, 2>(a),
                                                       as_vector<I32x4, 4>(b), d, place, 0, 0);
    } else {
      d = __builtin_amdgcn_smfmac_i32_16x16x64_i8(as_vector<I32x2, 2>(a), as_vector<I32x4, 4>(b), d,
                                                  place, 0, 0);
    }
  }
};
#endif

#if ROCVET_AMD && defined(__gfx950__)
/// Those of twice the depth.
template <Type type>
requires(bytes_of(type) <= 2) struct SparseTile<type, 1> : SmfmacLayout<8 / bytes_of(type), 2> {
  static constexpr bool kHas = true;
  using Sums = Vector<Sum<type>, 4>;
  static ROCVET_DEVICE void multiply(Sums& d, const u32* a, const u32* b, u32 index) {
    const int place = static_cast<int>(index);
    if constexpr (type == Type::fp16) {
      d = __builtin_amdgcn_smfmac_f32_16x16x64_f16(as_vector<F16x8, 4>(a), as_vector<F16x16, 8>(b),
                                                   d, place, 0, 0);
    } else if constexpr (type == Type::bf16) {
      d = __builtin_amdgcn_smfmac_f32_16x16x64_bf16(as_vector<Bf16x8, 4>(a),
                                                    as_vector<Bf16x16, 8>(b), d, place, 0, 0);
    } else if constexpr (type == Type::fp8) {
      d = __builtin_amdgcn_smfmac_f32_16x16x128_fp8_fp8(as_vector<I32x4, 4>(a),
                                                        as_vector<I32x8, 8>(b), d, place, 0, 0);
    } else {
      d = __builtin_amdgcn_smfmac_i32_16x16x128_i8(as_vector<I32x4, 4>(a), as_vector<I32x8, 8>(b),
                                                   d, place, 0, 0);
    }
  }
};
#endif

#if ROCVET_AMD && (defined(__gfx1200__) || defined(__gfx1201__))
template <Type type>
requires(bytes_of(type) <= 2) struct SparseTile<type, 0> : SwmmacLayout<bytes_of(type)> {
  static constexpr bool kHas = true;
  using Sums = Vector<Sum<type>, 8>;
  static ROCVET_DEVICE void multiply(Sums& d, const u32* a, const u32* b, u32 index) {
    const short place = static_cast<short>(index);
    if constexpr (type == Type::fp16) {
      d = __builtin_amdgcn_swmmac_f32_16x16x32_f16_w32(as_vector<F16x8, 4>(a),
                                                       as_vector<F16x16, 8>(b), d, place);
    } else if constexpr (type == Type::bf16) {
      d = __builtin_amdgcn_swmmac_f32_16x16x32_bf16_w32(as_vector<I16x8, 4>(a),
                                                        as_vector<I16x16, 8>(b), d, place);
    } else if constexpr (type == Type::fp8) {
      d = __builtin_amdgcn_swmmac_f32_16x16x32_fp8_fp8_w32(as_vector<I32x2, 2>(a),
                                                           as_vector<I32x4, 4>(b), d, place);
    } else {
      d = __builtin_amdgcn_swmmac_i32_16x16x32_iu8_w32(true, as_vector<I32x2, 2>(a), true,
                                                       as_vector<I32x4, 4>(b), d, place, false);
    }
  }
};
#endif

#if ROCVET_CUDA && defined(__CUDA_ARCH__)
// That the places of a group are in order, as they always are here: the plain form is slow on
// later GPUs. CUDA 12.5 brought it.
#if __CUDACC_VER_MAJOR__ > 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 5)
#define ROCVET_SP "sp::ordered_metadata"
#else
#define ROCVET_SP "sp"
#endif
template <Type type>
requires(bytes_of(type) <= 2 && has_type(Isa::mma_sm80, type)) struct SparseTile<type, 0>
    : MmaSpLayout<bytes_of(type)> {
  static constexpr bool kHas = true;
  using Sums = Vector<Sum<type>, 4>;
  static ROCVET_DEVICE void multiply(Sums& d, const u32* a, const u32* b, u32 index) {
#define ROCVET_MMA_SP(name, letter)                                                           \
  asm volatile("mma." ROCVET_SP ".sync.aligned." name                                         \
               " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0x0;"     \
               : "+" letter(d[0]), "+" letter(d[1]), "+" letter(d[2]), "+" letter(d[3])       \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), \
                 "r"(b[3]), "r"(index))
    if constexpr (type == Type::fp16) {
      ROCVET_MMA_SP("m16n8k32.row.col.f32.f16.f16.f32", "f");
    } else if constexpr (type == Type::bf16) {
      ROCVET_MMA_SP("m16n8k32.row.col.f32.bf16.bf16.f32", "f");
    } else if constexpr (type == Type::fp8) {
#if __CUDA_ARCH__ >= 890
      ROCVET_MMA_SP("m16n8k64.row.col.f32.e4m3.e4m3.f32", "f");
#endif
    } else {
      ROCVET_MMA_SP("m16n8k64.row.col.s32.s8.s8.s32", "r");
    }
#undef ROCVET_MMA_SP
  }
};
#undef ROCVET_SP
#endif

#if ROCVET_HOST
template <Type type>
requires(bytes_of(type) <= 2) struct SparseTile<type, 0> : SparseScalarLayout {
  static constexpr bool kHas = true;
  using Sums = Vector<Sum<type>, kSums>;
};
#endif

}  // namespace rocvet::kernel
