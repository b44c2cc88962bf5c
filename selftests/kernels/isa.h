// Which family of matrix instructions the target that is being compiled has.
#pragma once

#include "types.h"

namespace rocvet::kernel {

enum class Isa {
  scalar,        ///< multiply-add of one lane, with dot products where there are any
  mfma_gfx908,   ///< 64 lanes; bf16 in halves of the later shape
  mfma_gfx90a,   ///< adds bf16 _1k and fp64
  mfma_gfx942,   ///< adds fp8 (FNUZ), int8 of twice the depth
  mfma_gfx950,   ///< twice the depth again, fp8 is OCP and goes through f8f6f4
  wmma_gfx11,    ///< 32 lanes; lanes 16 to 31 hold copies of the operands of lanes 0 to 15
  wmma_gfx12,    ///< 32 lanes, no copies; fp8 is OCP
  wmma_gfx1250,  ///< 32 lanes, twice the depth or more; adds fp32
  mma_sm80,      ///< NVIDIA mma.sync; fp8 (OCP) from sm_89, fp64 of depth 8 from sm_90
};

#if ROCVET_AMD && defined(__gfx950__)
inline constexpr Isa kIsa = Isa::mfma_gfx950;
#elif ROCVET_AMD && defined(__gfx942__)
inline constexpr Isa kIsa = Isa::mfma_gfx942;
#elif ROCVET_AMD && defined(__gfx90a__)
inline constexpr Isa kIsa = Isa::mfma_gfx90a;
#elif ROCVET_AMD && defined(__gfx908__)
inline constexpr Isa kIsa = Isa::mfma_gfx908;
#elif ROCVET_AMD && defined(__GFX11__)
inline constexpr Isa kIsa = Isa::wmma_gfx11;
#elif ROCVET_AMD && (defined(__gfx1200__) || defined(__gfx1201__))
inline constexpr Isa kIsa = Isa::wmma_gfx12;
#elif ROCVET_AMD && defined(__gfx1250__)
inline constexpr Isa kIsa = Isa::wmma_gfx1250;
#elif ROCVET_CUDA
inline constexpr Isa kIsa = Isa::mma_sm80;
#else
inline constexpr Isa kIsa = Isa::scalar;
#endif

#if ROCVET_AMD && (defined(__gfx906__) || defined(__gfx1011__) || defined(__gfx1012__) ||  \
                   defined(__GFX10_3__) || defined(__gfx1030__) || defined(__gfx1031__) || \
                   defined(__gfx1032__) || defined(__gfx1033__) || defined(__gfx1034__) || \
                   defined(__gfx1035__) || defined(__gfx1036__))
#define ROCVET_DOT 1  // v_dot2_f32_f16 and v_dot4_i32_i8
#endif

constexpr Fp8 fp8_format(Isa isa) {
  switch (isa) {
    case Isa::mfma_gfx942:
      return Fp8::fnuz;
    case Isa::mfma_gfx950:
    case Isa::wmma_gfx12:
    case Isa::wmma_gfx1250:
    case Isa::mma_sm80:
      return Fp8::ocp;
#if ROCVET_HOST
    case Isa::scalar:
      return Fp8::ocp;
#endif
    default:
      return Fp8::none;
  }
}

/// Whether `type` has instructions on `isa`; fp8 is not emulated on a GPU.
constexpr bool has_type(Isa isa, Type type) {
#if ROCVET_CUDA
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 890
  if (type == Type::fp8) return false;
#endif
#endif
  return type != Type::fp8 || fp8_format(isa) != Fp8::none;
}

/// The instructions that `isa` uses for `type`: those without one of their own go lane by lane.
constexpr Isa isa_for(Isa isa, Type type) {
  switch (isa) {
    case Isa::mfma_gfx908:
      return type == Type::fp64 ? Isa::scalar : isa;
    case Isa::wmma_gfx11:
    case Isa::wmma_gfx12:
      return type == Type::fp32 || type == Type::fp64 ? Isa::scalar : isa;
    case Isa::wmma_gfx1250:
      return type == Type::fp64 ? Isa::scalar : isa;
    case Isa::mma_sm80:
      return type == Type::fp32 ? Isa::scalar : isa;
    default:
      return isa;
  }
}

}  // namespace rocvet::kernel
