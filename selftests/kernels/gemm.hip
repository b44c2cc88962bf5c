// The GEMM kernels, one per type, and gemm_geometry, which says how to launch them.
#include "gemm.h"
#include "gemm_direct.h"
#include "gemm_sm90.h"
#include "gemm_vector.h"
#include "gemm_vector_sm90.h"
#include "geometry.h"

namespace rocvet::kernel {

#if ROCVET_AMD && defined(__gfx950__)
template <Type type>
using GemmFor = GemmDirectOf<type>;
#else
template <Type type>
using GemmFor = Gemm<isa_for(kIsa, type), type>;
#endif

#if ROCVET_SM90
using VectorGemm = GemmVectorSm90;
#else
using VectorGemm = GemmVector<2, 8>;
#endif

template <class G>
constexpr u32 dynamic_bytes() {
  if constexpr (requires { G::kAsync; }) return G::kAsync ? G::kSharedBytes : 0;
  return 0;
}
#if ROCVET_CUDA
#define ROCVET_GEMM_SHARED(G) ROCVET_DYNAMIC_SHARED(shared)
#else
#define ROCVET_GEMM_SHARED(G) ROCVET_SHARED(u8, shared, G::kSharedBytes)
#endif

template <Type type>
ROCVET_DEVICE void describe_gemm(Geometry* all) {
  Geometry& one = all[static_cast<int>(type)];
  one = {};
  if constexpr (has_type(kIsa, type)) {
    constexpr bool kVector = type == Type::fp32 && isa_for(kIsa, type) == Isa::scalar;
    using G = typename Select<kVector, VectorGemm, GemmFor<type>>::type_t;
    one = {G::kThreads,        G::kBlockM, G::kBlockN,
           dynamic_bytes<G>(), 0,          static_cast<u32>(fp8_format(kIsa))};
#if ROCVET_SM90
    if constexpr (type != Type::fp32) {
      using H = GemmSm90<type>;
      one = {H::kThreads, H::kBlockM, H::kBlockN, H::kSharedBytes, H::kCluster, one.fp8};
    }
#endif
  }
}

}  // namespace rocvet::kernel

using namespace rocvet::kernel;

#define ROCVET_GEMM(name, type)                                                           \
  ROCVET_KERNEL(GemmFor<type>::kThreads, 1)                                               \
  name(const void* a, const void* b, Sum<type>* c, u32 m, u32 n, u32 k, u32 lda, u32 ldb, \
       u32 ldc) {                                                                         \
    if constexpr (has_type(kIsa, type)) {                                                 \
      ROCVET_GEMM_SHARED(GemmFor<type>);                                                  \
      GemmFor<type>::run(a, b, c, m, n, k, lda, ldb, ldc, shared);                        \
    }                                                                                     \
  }

ROCVET_GEMM(gemm_fp16, Type::fp16)
ROCVET_GEMM(gemm_bf16, Type::bf16)
ROCVET_GEMM(gemm_fp8, Type::fp8)
ROCVET_GEMM(gemm_int8, Type::int8)
ROCVET_GEMM(gemm_fp64, Type::fp64)

inline constexpr bool kVectorFp32 = isa_for(kIsa, Type::fp32) == Isa::scalar;
inline constexpr int kThreadsFp32 =
    kVectorFp32 ? VectorGemm::kThreads : GemmFor<Type::fp32>::kThreads;
ROCVET_KERNEL(kThreadsFp32, 2)
gemm_fp32(const void* a, const void* b, float* c, u32 m, u32 n, u32 k, u32 lda, u32 ldb, u32 ldc) {
  if constexpr (kVectorFp32) {
#if ROCVET_SM90
    ROCVET_DYNAMIC_SHARED(shared);
#else
    ROCVET_SHARED(float, shared, 2 * VectorGemm::kBufferFloats);
#endif
    VectorGemm::run(a, b, c, m, n, k, lda, ldb, ldc, shared);
  } else {
    ROCVET_GEMM_SHARED(GemmFor<Type::fp32>);
    GemmFor<Type::fp32>::run(a, b, c, m, n, k, lda, ldb, ldc, shared);
  }
}

#if ROCVET_SM90
#define ROCVET_GEMM_SM90(name, type)                                                     \
  extern "C" __global__ void __cluster_dims__(GemmSm90<type>::kCluster, 1, 1)            \
      __launch_bounds__(GemmSm90<type>::kThreads, 1)                                     \
          name(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b, \
               const __grid_constant__ TensorMap c, u32 m, u32 n, u32 k) {               \
    ROCVET_DYNAMIC_SHARED(shared);                                                       \
    GemmSm90<type>::run(&a, &b, &c, m, n, k, shared);                                    \
  }

ROCVET_GEMM_SM90(gemm_fp16_sm90, Type::fp16)
ROCVET_GEMM_SM90(gemm_bf16_sm90, Type::bf16)
ROCVET_GEMM_SM90(gemm_fp8_sm90, Type::fp8)
ROCVET_GEMM_SM90(gemm_int8_sm90, Type::int8)
ROCVET_GEMM_SM90(gemm_fp64_sm90, Type::fp64)
#endif

/// Writes one Geometry per Type.
ROCVET_KERNEL(64, 1) gemm_geometry(Geometry* all) {
  if (thread_index() != 0) return;
  describe_gemm<Type::fp16>(all);
  describe_gemm<Type::bf16>(all);
  describe_gemm<Type::fp8>(all);
  describe_gemm<Type::int8>(all);
  describe_gemm<Type::fp32>(all);
  describe_gemm<Type::fp64>(all);
}
