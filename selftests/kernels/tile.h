// One small matrix product per family of instructions: D += A * B^T on the chunks of layout.h.
//
// Tile<isa, type>::multiply takes a lane's chunks of A and B and its sums. Instructions that take
// fewer than 16 bytes of a lane are issued several times, on consecutive parts of the chunk.
#pragma once

#include "convert.h"
#include "layout.h"

namespace rocvet::kernel {

#if ROCVET_AMD
template <class T, int n>
using Vector = T __attribute__((ext_vector_type(n)));
#else
template <class T, int n>
struct Vector {
  T item[n];
  ROCVET_BOTH T& operator[](int i) { return item[i]; }
  ROCVET_BOTH T operator[](int i) const { return item[i]; }
};
#endif
template <class T, int n>
struct Array {
  T item[n];
  ROCVET_DEVICE T& operator[](int i) { return item[i]; }
  ROCVET_DEVICE T operator[](int i) const { return item[i]; }
};

template <Isa isa, Type type>
struct Tile;

/// The sum of products of two chunks, added to `sum`.
template <Type type>
ROCVET_DEVICE void add_products(Sum<type>& sum, Chunk a, Chunk b) {
  if constexpr (type == Type::fp64) {
    ROCVET_UNROLL
    for (int i = 0; i < 4; i += 2) {
      sum += bits<double>(a[i] | static_cast<u64>(a[i + 1]) << 32) *
             bits<double>(b[i] | static_cast<u64>(b[i + 1]) << 32);
    }
  } else {
    ROCVET_UNROLL
    for (int i = 0; i < 4; ++i) {
      const u32 x = a[i], y = b[i];
      if constexpr (type == Type::fp32) {
        sum += bits<float>(x) * bits<float>(y);
      } else if constexpr (type == Type::int8) {
#if ROCVET_AMD && (ROCVET_DOT || defined(__gfx908__) || defined(__GFX9_4_GENERIC__))
        sum = __builtin_amdgcn_sdot4(static_cast<int>(x), static_cast<int>(y), sum, false);
#else
        ROCVET_UNROLL
        for (int part = 0; part < 4; ++part) {
          sum += static_cast<int>(static_cast<signed char>(x >> 8 * part)) *
                 static_cast<int>(static_cast<signed char>(y >> 8 * part));
        }
#endif
      } else if constexpr (type == Type::fp8) {
        ROCVET_UNROLL
        for (int part = 0; part < 4; ++part) {
          sum += from_fp8_ocp(x >> 8 * part & 255) * from_fp8_ocp(y >> 8 * part & 255);
        }
      } else {
#if ROCVET_AMD && ROCVET_DOT
        if constexpr (type == Type::fp16) {
          using Pair = _Float16 __attribute__((ext_vector_type(2)));
          sum = __builtin_amdgcn_fdot2(bits<Pair>(x), bits<Pair>(y), sum, false);
        } else
#endif
        {
          sum += from_half<type>(x & 0xffff) * from_half<type>(y & 0xffff);
          sum += from_half<type>(x >> 16) * from_half<type>(y >> 16);
        }
      }
    }
  }
}

template <Type type>
struct Tile<Isa::scalar, type> : Layout<Isa::scalar, type> {
  using L = Layout<Isa::scalar, type>;
  using Sums = Array<Sum<type>, L::kSums>;
  static ROCVET_DEVICE void multiply(Sums& d, const Chunk* a, const Chunk* b) {
    ROCVET_UNROLL
    for (int i = 0; i < L::kSums; ++i) {
      add_products<type>(d[i], a[i / L::kChunksB], b[i % L::kChunksB]);
    }
  }
};

#if ROCVET_AMD
// The types that the compiler's builtins want.
using I32x2 = int __attribute__((ext_vector_type(2)));
using I32x4 = int __attribute__((ext_vector_type(4)));
using I32x8 = int __attribute__((ext_vector_type(8)));
using I16x2 = short __attribute__((ext_vector_type(2)));
using I16x4 = short __attribute__((ext_vector_type(4)));
using I16x8 = short __attribute__((ext_vector_type(8)));
using I16x16 = short __attribute__((ext_vector_type(16)));
using F16x4 = _Float16 __attribute__((ext_vector_type(4)));
using F16x8 = _Float16 __attribute__((ext_vector_type(8)));
using F16x16 = _Float16 __attribute__((ext_vector_type(16)));
using Bf16x8 = __bf16 __attribute__((ext_vector_type(8)));
using Bf16x16 = __bf16 __attribute__((ext_vector_type(16)));
using F32x2 = float __attribute__((ext_vector_type(2)));
struct TwoChunks {
  Chunk low, high;
};
/// The half (8 bytes) of a chunk.
template <class To>
ROCVET_DEVICE To half_of(Chunk chunk, int half) {
  return bits<To>(I32x2{static_cast<int>(chunk[2 * half]), static_cast<int>(chunk[2 * half + 1])});
}
#endif

/// Tiles of AMD's matrix instructions issue kIssues of them, one after the other, on parts of the
/// chunks. Who has many tiles issues the same part of all of them first: none then waits for the
/// sums of the one before.
template <class T, class Sums>
ROCVET_DEVICE void issue_all(Sums& d, const Chunk* a, const Chunk* b) {
  ROCVET_UNROLL
  for (int i = 0; i < T::kIssues; ++i) T::issue(d, a, b, i);
}

#if ROCVET_AMD && \
    (defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__))
template <Type type>
requires(isa_for(kIsa, type) == kIsa) struct Tile<kIsa, type> : Layout<kIsa, type> {
  using L = Layout<kIsa, type>;
  using Sums = Vector<Sum<type>, 4>;
  static constexpr int bytes_of_issue() {
    if (type == Type::fp32) return 4;
    if (type == Type::fp64) return 8;
#if defined(__gfx950__)
    return 16 * L::kChunksA;
#elif defined(__gfx942__)
    return 8;
#elif defined(__gfx90a__)
    return type == Type::int8 ? 4 : 8;
#else
    return type == Type::fp16 ? 8 : 4;
#endif
  }
  static constexpr int kIssues = 16 * L::kChunksA / bytes_of_issue();

  static ROCVET_DEVICE void issue(Sums& d, const Chunk* a, const Chunk* b, int i) {
    if constexpr (type == Type::fp32) {
      d = __builtin_amdgcn_mfma_f32_16x16x4f32(bits<float>(static_cast<u32>(a[0][i])),
                                               bits<float>(static_cast<u32>(b[0][i])), d, 0, 0, 0);
    }
#if !defined(__gfx908__)
    if constexpr (type == Type::fp64) {
      d = __builtin_amdgcn_mfma_f64_16x16x4f64(half_of<double>(a[0], i), half_of<double>(b[0], i),
                                               d, 0, 0, 0);
    }
#endif
#if defined(__gfx950__)
    if constexpr (type == Type::fp16) {
      d = __builtin_amdgcn_mfma_f32_16x16x32_f16(bits<F16x8>(a[0]), bits<F16x8>(b[0]), d, 0, 0, 0);
    } else if constexpr (type == Type::bf16) {
      d = __builtin_amdgcn_mfma_f32_16x16x32_bf16(bits<Bf16x8>(a[0]), bits<Bf16x8>(b[0]), d, 0, 0,
                                                  0);
    } else if constexpr (type == Type::int8) {
      d = __builtin_amdgcn_mfma_i32_16x16x64_i8(bits<I32x4>(a[0]), bits<I32x4>(b[0]), d, 0, 0, 0);
    } else if constexpr (type == Type::fp8) {
      // Format codes 0: both E4M3. The form with block scales, all of them 1 (E8M0 127): a scale of
      // 0 selects the form without, which the simulator that we verify with takes for zeros. They
      // stand in a vector register: of a scalar one the hardware reads other bits, which compilers
      // before LLVM 22 do not know (llvm/llvm-project#158117).
      int one;
      asm("v_mov_b32 %0, 0x7f7f7f7f" : "=v"(one));
      d = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(bits<I32x8>(TwoChunks{a[0], a[1]}),
                                                           bits<I32x8>(TwoChunks{b[0], b[1]}), d, 0,
                                                           0, 0, one, 0, one);
    }
#else
    if constexpr (type == Type::fp16) {
      d = __builtin_amdgcn_mfma_f32_16x16x16f16(half_of<F16x4>(a[0], i), half_of<F16x4>(b[0], i), d,
                                                0, 0, 0);
    }
#if defined(__gfx908__)
    if constexpr (type == Type::bf16) {
      d = __builtin_amdgcn_mfma_f32_16x16x8bf16(bits<I16x2>(static_cast<u32>(a[0][i])),
                                                bits<I16x2>(static_cast<u32>(b[0][i])), d, 0, 0, 0);
    }
#else
    if constexpr (type == Type::bf16) {
      d = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(half_of<I16x4>(a[0], i),
                                                    half_of<I16x4>(b[0], i), d, 0, 0, 0);
    }
#endif
#if defined(__gfx942__)
    if constexpr (type == Type::fp8) {
      d = __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(half_of<long>(a[0], i), half_of<long>(b[0], i),
                                                     d, 0, 0, 0);
    } else if constexpr (type == Type::int8) {
      d = __builtin_amdgcn_mfma_i32_16x16x32_i8(half_of<long>(a[0], i), half_of<long>(b[0], i), d,
                                                0, 0, 0);
    }
#else
    if constexpr (type == Type::int8) {
      d = __builtin_amdgcn_mfma_i32_16x16x16i8(static_cast<int>(a[0][i]), static_cast<int>(b[0][i]),
                                               d, 0, 0, 0);
    }
#endif
#endif
  }
  static ROCVET_DEVICE void multiply(Sums& d, const Chunk* a, const Chunk* b) {
    issue_all<Tile>(d, a, b);
  }
};
#endif

/// The tiles of attention: of 32x32 where there are such, which are half as many instructions, and
/// two lanes instead of four share a column.
template <Isa isa, Type type>
struct TallTile : Tile<isa, type> {};

#if ROCVET_AMD && \
    (defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__))
template <Type type>
struct TallTile<kIsa, type> : MfmaTallLayout {
  using Sums = Vector<float, 16>;

  static ROCVET_DEVICE void multiply(Sums& d, const Chunk* a, const Chunk* b) {
#if defined(__gfx950__)
    if constexpr (type == Type::fp16) {
      d = __builtin_amdgcn_mfma_f32_32x32x16_f16(bits<F16x8>(a[0]), bits<F16x8>(b[0]), d, 0, 0, 0);
    } else {
      d = __builtin_amdgcn_mfma_f32_32x32x16_bf16(bits<Bf16x8>(a[0]), bits<Bf16x8>(b[0]), d, 0, 0,
                                                  0);
    }
#else
    ROCVET_UNROLL
    for (int i = 0; i < 2; ++i) {
      if constexpr (type == Type::fp16) {
        d = __builtin_amdgcn_mfma_f32_32x32x8f16(half_of<F16x4>(a[0], i), half_of<F16x4>(b[0], i),
                                                 d, 0, 0, 0);
      } else {
#if defined(__gfx908__)
        ROCVET_UNROLL
        for (int word = 2 * i; word < 2 * i + 2; ++word) {
          d = __builtin_amdgcn_mfma_f32_32x32x4bf16(bits<I16x2>(static_cast<u32>(a[0][word])),
                                                    bits<I16x2>(static_cast<u32>(b[0][word])), d, 0,
                                                    0, 0);
        }
#else
        d = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(half_of<I16x4>(a[0], i),
                                                     half_of<I16x4>(b[0], i), d, 0, 0, 0);
#endif
      }
    }
#endif
  }
};
#endif

#if ROCVET_AMD && defined(__GFX11__)
template <Type type>
requires(isa_for(kIsa, type) == kIsa) struct Tile<kIsa, type> : Layout<kIsa, type> {
  using Sums = Vector<Sum<type>, 8>;
  static constexpr int kIssues = type == Type::int8 ? 2 : 1;
  static ROCVET_DEVICE void issue(Sums& d, const Chunk* a, const Chunk* b, int i) {
    if constexpr (type == Type::fp16) {
      d = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(bits<F16x16>(TwoChunks{a[0], a[1]}),
                                                     bits<F16x16>(TwoChunks{b[0], b[1]}), d);
    } else if constexpr (type == Type::bf16) {
      d = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(bits<I16x16>(TwoChunks{a[0], a[1]}),
                                                      bits<I16x16>(TwoChunks{b[0], b[1]}), d);
    } else if constexpr (type == Type::int8) {
      d = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, bits<I32x4>(a[i]), true,
                                                     bits<I32x4>(b[i]), d, false);
    }
  }
  static ROCVET_DEVICE void multiply(Sums& d, const Chunk* a, const Chunk* b) {
    issue_all<Tile>(d, a, b);
  }
};
#endif

#if ROCVET_AMD && (defined(__gfx1200__) || defined(__gfx1201__))
template <Type type>
requires(isa_for(kIsa, type) == kIsa) struct Tile<kIsa, type> : Layout<kIsa, type> {
  using Sums = Vector<Sum<type>, 8>;
  static constexpr int kIssues = bytes_of(type) == 1 ? 2 : 1;
  static ROCVET_DEVICE void issue(Sums& d, const Chunk* a, const Chunk* b, int i) {
    if constexpr (type == Type::fp16) {
      d = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(bits<F16x8>(a[0]), bits<F16x8>(b[0]), d);
    } else if constexpr (type == Type::bf16) {
      d = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(bits<I16x8>(a[0]), bits<I16x8>(b[0]),
                                                            d);
    } else if constexpr (type == Type::fp8) {
      d = __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12(half_of<I32x2>(a[0], i),
                                                               half_of<I32x2>(b[0], i), d);
    } else if constexpr (type == Type::int8) {
      d = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(true, half_of<I32x2>(a[0], i), true,
                                                           half_of<I32x2>(b[0], i), d, false);
    }
  }
  static ROCVET_DEVICE void multiply(Sums& d, const Chunk* a, const Chunk* b) {
    issue_all<Tile>(d, a, b);
  }
};
#endif

#if ROCVET_AMD && defined(__gfx1250__)
template <Type type>
requires(isa_for(kIsa, type) == kIsa) struct Tile<kIsa, type> : Layout<kIsa, type> {
  using L = Layout<kIsa, type>;
  using Sums = Vector<Sum<type>, 8>;
  static constexpr int kIssues = type == Type::fp32 ? 2 : 1;
  static ROCVET_DEVICE void issue(Sums& d, const Chunk* a, const Chunk* b, int i) {
    if constexpr (type == Type::fp16) {
      d = __builtin_amdgcn_wmma_f32_16x16x32_f16(false, two<F16x16>(a), false, two<F16x16>(b), 0, d,
                                                 false, false);
    } else if constexpr (type == Type::bf16) {
      d = __builtin_amdgcn_wmma_f32_16x16x32_bf16(false, two<Bf16x16>(a), false, two<Bf16x16>(b), 0,
                                                  d, false, false);
    } else if constexpr (type == Type::int8) {
      d = __builtin_amdgcn_wmma_i32_16x16x64_iu8(true, two<I32x8>(a), true, two<I32x8>(b), d, false,
                                                 false);
    } else if constexpr (type == Type::fp8) {
      d = __builtin_amdgcn_wmma_f32_16x16x64_fp8_fp8(two<I32x8>(a), two<I32x8>(b), 0, d, false,
                                                     false);
    } else {
      d = __builtin_amdgcn_wmma_f32_16x16x4_f32(false, half_of<F32x2>(a[0], i), false,
                                                half_of<F32x2>(b[0], i), 0, d, false, false);
    }
  }
  static ROCVET_DEVICE void multiply(Sums& d, const Chunk* a, const Chunk* b) {
    issue_all<Tile>(d, a, b);
  }

 private:
  template <class To>
  static ROCVET_DEVICE To two(const Chunk* of) {
    return bits<To>(TwoChunks{of[0], of[1]});
  }
};
#endif

#if ROCVET_CUDA
template <Type type>
requires(isa_for(Isa::mma_sm80, type) == Isa::mma_sm80) struct Tile<Isa::mma_sm80, type>
    : Layout<Isa::mma_sm80, type> {
  using Sums = Vector<Sum<type>, 4>;
  static ROCVET_DEVICE void multiply(Sums& d, const Chunk* a, const Chunk* b) {
    if constexpr (type == Type::fp64) {
      multiply_fp64(d, a, b);
    } else {
      ROCVET_UNROLL
      for (int i = 0; i < 4; i += 2) {  // the words of K's lower and upper half of one instruction
        const u32 a0 = a[0][i], a1 = a[1][i], a2 = a[0][i + 1], a3 = a[1][i + 1];
        const u32 b0 = b[0][i], b1 = b[0][i + 1];
#define ROCVET_MMA(name, letter)                                                                 \
  asm volatile("mma.sync.aligned." name " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
               : "+" letter(d[0]), "+" letter(d[1]), "+" letter(d[2]), "+" letter(d[3])          \
               : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1))
        if constexpr (type == Type::fp16) {
          ROCVET_MMA("m16n8k16.row.col.f32.f16.f16.f32", "f");
        } else if constexpr (type == Type::bf16) {
          ROCVET_MMA("m16n8k16.row.col.f32.bf16.bf16.f32", "f");
        } else if constexpr (type == Type::int8) {
          ROCVET_MMA("m16n8k32.row.col.s32.s8.s8.s32", "r");
        } else if constexpr (type == Type::fp8) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
          ROCVET_MMA("m16n8k32.row.col.f32.e4m3.e4m3.f32", "f");
#endif
        }
#undef ROCVET_MMA
      }
    }
  }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  /// fp64, of operands in the instruction's order: four of K, all rows of A; then four more.
  static ROCVET_DEVICE void multiply(Sums& d, const double (&a)[4], const double (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
  }
#endif

 private:
  static ROCVET_DEVICE double part(Chunk chunk, int i) {
    return bits<double>(chunk[2 * i] | static_cast<u64>(chunk[2 * i + 1]) << 32);
  }
  static ROCVET_DEVICE void multiply_fp64(Sums& d, const Chunk* a, const Chunk* b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    multiply(d, {part(a[0], 0), part(a[1], 0), part(a[0], 1), part(a[1], 1)},
             {part(b[0], 0), part(b[0], 1)});
#else
    ROCVET_UNROLL
    for (int i = 0; i < 4; ++i) {
      const int row = i / 2, k = i % 2;
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                   : "+d"(d[2 * row]), "+d"(d[2 * row + 1])
                   : "d"(part(a[row], k)), "d"(part(b[0], k)));
    }
#endif
  }
};
#endif

}  // namespace rocvet::kernel
