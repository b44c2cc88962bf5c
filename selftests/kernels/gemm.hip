// The GEMM kernels, one per type, and gemm_geometry, which says how to launch them.
#include "gemm.h"
#include "geometry.h"

namespace rocvet::kernel {

template <Type type>
using GemmFor = Gemm<isa_for(kIsa, type), type>;

template <Type type>
ROCVET_DEVICE void describe_gemm(Geometry* all) {
  Geometry& one = all[static_cast<int>(type)];
  one = {};
  if constexpr (has_type(kIsa, type)) {
    using G = GemmFor<type>;
    one = {G::kThreads, G::kBlockM, G::kBlockN, 0, 0, static_cast<u32>(fp8_format(kIsa))};
  }
}

}  // namespace rocvet::kernel

using namespace rocvet::kernel;

#define ROCVET_GEMM(name, type)                                                           \
  ROCVET_KERNEL(GemmFor<type>::kThreads, 1)                                               \
  name(const void* a, const void* b, Sum<type>* c, u32 m, u32 n, u32 k, u32 lda, u32 ldb, \
       u32 ldc) {                                                                         \
    if constexpr (has_type(kIsa, type)) {                                                 \
      ROCVET_SHARED(u8, shared, 2 * GemmFor<type>::kBufferBytes);                         \
      GemmFor<type>::run(a, b, c, m, n, k, lda, ldb, ldc, shared);                        \
    }                                                                                     \
  }

ROCVET_GEMM(gemm_fp16, Type::fp16)
ROCVET_GEMM(gemm_bf16, Type::bf16)
ROCVET_GEMM(gemm_fp8, Type::fp8)
ROCVET_GEMM(gemm_int8, Type::int8)
ROCVET_GEMM(gemm_fp32, Type::fp32)
ROCVET_GEMM(gemm_fp64, Type::fp64)

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
