// The attention kernels, one per element type and head dimension, and attention_geometry.
#include "attention_scalar.h"
#include "attention_sm90.h"
#if ROCVET_AMD
#include "attention_tile.h"
#endif
#include "geometry.h"

namespace rocvet::kernel {

template <Isa isa, Type type, int d>
struct AttentionFor
#if ROCVET_AMD
{
  using type_t = AttentionTile<isa, type, d>;
}
#endif
;
template <Type type, int d>
struct AttentionFor<Isa::scalar, type, d> {
  using type_t = AttentionScalar<type, d>;
};
template <Type type, int d>
struct AttentionFor<Isa::mma_sm80, type, d> {
  using type_t = AttentionScalar<type, d>;
};
template <Type type, int d>
using Attention = typename AttentionFor<kIsa, type, d>::type_t;

template <Type type, int d>
ROCVET_DEVICE void describe_attention(Geometry& one) {
  using A = Attention<type, d>;
  one = {A::kThreads, A::kQueries, d, 0, 0, 0};
#if ROCVET_SM90
  using H = AttentionSm90<type, d>;
  one = {H::kThreads, H::kQueries, H::kKeys, H::kSharedBytes, 1, 0};
#endif
}

template <Type type, int d>
ROCVET_DEVICE void run_attention(const Chunk* q, const Chunk* k, const Chunk* v, Chunk* o,
                                 const AttentionShape& shape, Chunk* shared) {
  using A = Attention<type, d>;
  if constexpr (requires { A::kSharedChunks; }) {
    A::run(q, k, v, o, shape, shared);
  } else {
    A::run(q, k, v, reinterpret_cast<u8*>(o), shape, reinterpret_cast<u8*>(shared));
  }
}

template <Type type, int d>
constexpr int attention_chunks() {
  using A = Attention<type, d>;
  if constexpr (requires { A::kSharedChunks; }) {
    return A::kSharedChunks;
  } else {
    return A::kSharedBytes / 16;
  }
}

}  // namespace rocvet::kernel

using namespace rocvet::kernel;

/// One block for each `block_m` queries of each head of each batch; scale is times log2(e).
#define ROCVET_ATTENTION(name, type, d)                                                          \
  ROCVET_KERNEL((Attention<type, d>::kThreads), 1)                                               \
  name(const Chunk* q, const Chunk* k, const Chunk* v, Chunk* o, u32 heads, u32 kv_heads,        \
       u32 queries, u32 keys, u32 causal, float scale) {                                         \
    constexpr int kChunks = attention_chunks<type, d>();                                         \
    ROCVET_SHARED(Chunk, shared, kChunks);                                                       \
    run_attention<type, d>(q, k, v, o, {heads, kv_heads, queries, keys, causal, scale}, shared); \
  }

ROCVET_ATTENTION(attention_fp16_d64, Type::fp16, 64)
ROCVET_ATTENTION(attention_fp16_d128, Type::fp16, 128)
ROCVET_ATTENTION(attention_bf16_d64, Type::bf16, 64)
ROCVET_ATTENTION(attention_bf16_d128, Type::bf16, 128)

#if ROCVET_SM90
/// The same on Hopper: Q, K and V are tensor maps of three dimensions, d, row and head (of all
/// batches), in boxes of 64 columns and block_m (Q) or block_n (K, V) rows. `blocks` are shared
/// out to the blocks of the grid.
#define ROCVET_ATTENTION_SM90(name, type, d)                                                    \
  extern "C" __global__ void __launch_bounds__(AttentionSm90<type, d>::kThreads, 1)             \
      name(const __grid_constant__ TensorMap q, const __grid_constant__ TensorMap k,            \
           const __grid_constant__ TensorMap v, u16* o, u32 heads, u32 kv_heads, u32 queries,   \
           u32 keys, u32 causal, float scale, u32 blocks) {                                     \
    ROCVET_DYNAMIC_SHARED(shared);                                                              \
    AttentionSm90<type, d>::run(&q, &k, &v, o, {heads, kv_heads, queries, keys, causal, scale}, \
                                blocks, shared);                                                \
  }

ROCVET_ATTENTION_SM90(attention_fp16_d64_sm90, Type::fp16, 64)
ROCVET_ATTENTION_SM90(attention_fp16_d128_sm90, Type::fp16, 128)
ROCVET_ATTENTION_SM90(attention_bf16_d64_sm90, Type::bf16, 64)
ROCVET_ATTENTION_SM90(attention_bf16_d128_sm90, Type::bf16, 128)
#endif

/// Writes the Geometry of fp16 d64, fp16 d128, bf16 d64, bf16 d128.
ROCVET_KERNEL(64, 1) attention_geometry(Geometry* all) {
  if (thread_index() != 0) return;
  describe_attention<Type::fp16, 64>(all[0]);
  describe_attention<Type::fp16, 128>(all[1]);
  describe_attention<Type::bf16, 64>(all[2]);
  describe_attention<Type::bf16, 128>(all[3]);
}
