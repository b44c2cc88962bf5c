// The products of block-scaled numbers, one kernel per element format, and gemm_mx_geometry, which
// says how to launch them.
#include "gemm_mx.h"
#include "geometry.h"

using namespace rocvet::kernel;

#define ROCVET_GEMM_MX(name, format)                                                             \
  ROCVET_KERNEL(GemmMx<format>::kThreads, 1)                                                     \
  name(const u8* a, const u8* b, const u8* scales_a, const u8* scales_b, float* c, u32 m, u32 n, \
       u32 k) {                                                                                  \
    if constexpr (has_mx(kIsa)) {                                                                \
      ROCVET_SHARED(u8, shared, larger(GemmMx<format>::kSharedBytes, 1));                        \
      GemmMx<format>::run({a, b, scales_a, scales_b, c, m, n, k}, shared);                       \
    }                                                                                            \
  }

ROCVET_GEMM_MX(gemm_mx_e4m3, Mx::e4m3)
ROCVET_GEMM_MX(gemm_mx_e5m2, Mx::e5m2)
ROCVET_GEMM_MX(gemm_mx_e2m3, Mx::e2m3)
ROCVET_GEMM_MX(gemm_mx_e3m2, Mx::e3m2)
ROCVET_GEMM_MX(gemm_mx_e2m1, Mx::e2m1)

/// Writes the one Geometry of all formats.
ROCVET_KERNEL(64, 1) gemm_mx_geometry(Geometry* all) {
  if (thread_index() != 0) return;
  using G = GemmMx<Mx::e4m3>;
  *all = {};
  if constexpr (has_mx(kIsa)) *all = {G::kThreads, G::kBlockM, G::kBlockN, 0, 0, 0};
}
