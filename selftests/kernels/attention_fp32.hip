// The attention kernels in single precision, one per head dimension, and attention_fp32_geometry.
// What they compute is in attention.h.
#include "attention_tile_fp32.h"
#include "attention_vector.h"
#include "geometry.h"

namespace rocvet::kernel {

template <Isa isa, int d>
struct AttentionFp32For {
  using type_t = AttentionTileFp32<isa, d>;
};
template <int d>
struct AttentionFp32For<Isa::scalar, d> {
  using type_t = AttentionVector<d>;
};
template <int d>
using AttentionFp32 = typename AttentionFp32For<isa_for(kIsa, Type::fp32), d>::type_t;

template <int d>
ROCVET_DEVICE Geometry geometry_of_fp32() {
  using A = AttentionFp32<d>;
  return {A::kThreads, A::kQueries, A::kKeys, ROCVET_CUDA ? A::kSharedBytes : 0, 0, 0};
}

}  // namespace rocvet::kernel

using namespace rocvet::kernel;

/// One block for each `block_m` queries of each head of each batch; scale is times log2(e).
#if ROCVET_CUDA
#define ROCVET_ATTENTION_SHARED(d) ROCVET_DYNAMIC_SHARED(shared)
#else
#define ROCVET_ATTENTION_SHARED(d) ROCVET_SHARED(u8, shared, AttentionFp32<d>::kSharedBytes)
#endif
#define ROCVET_ATTENTION_FP32(name, d)                                                          \
  ROCVET_KERNEL(256, 1)                                                                         \
  name(const float* q, const float* k, const float* v, float* o, u32 heads, u32 kv_heads,       \
       u32 queries, u32 keys, u32 causal, float scale) {                                        \
    ROCVET_ATTENTION_SHARED(d);                                                                 \
    AttentionFp32<d>::run(q, k, v, o, {heads, kv_heads, queries, keys, causal, scale}, shared); \
  }

ROCVET_ATTENTION_FP32(attention_fp32_d64, 64)
ROCVET_ATTENTION_FP32(attention_fp32_d128, 128)

/// Writes the Geometry of d64, d128.
ROCVET_KERNEL(64, 1) attention_fp32_geometry(Geometry* all) {
  if (thread_index() != 0) return;
  all[0] = geometry_of_fp32<64>();
  all[1] = geometry_of_fp32<128>();
}
