// Forward attention in single precision, online softmax: O = softmax(scale * Q K^T) V.
// Q and O are [heads][q_len][D], K and V are [heads / group][kv_len][D]. Causal: query i sees keys
// up to i + kv_len - q_len. A block takes 32 queries of one head, keys in steps of 32; eight
// threads share a query.
#include "platform.h"

using namespace rocvet::kernel;

namespace attention_fp32 {

constexpr u32 kThreads = 256, kQueries = 32, kKeys = 32, kShare = 8;
constexpr float kLog2e = 1.44269504088896340736f;

template <u32 D>
struct Tiles {
  float q[kQueries][D + 1];
  float kv[kKeys][D + 1];  ///< the keys, then the values
  float p[kQueries][kKeys + 1];
};

ROCVET_DEVICE u32 blocks_for(u32 items, u32 each) {
  return (items + each - 1) / each;
}
ROCVET_DEVICE float row_max(float value) {
  value = larger(value, shuffle_xor<1>(value));
  value = larger(value, shuffle_xor<2>(value));
  return larger(value, shuffle_xor<4>(value));
}
ROCVET_DEVICE float row_sum(float value) {
  value += shuffle_xor<1>(value);
  value += shuffle_xor<2>(value);
  return value + shuffle_xor<4>(value);
}

template <u32 D, u32 Rows>
ROCVET_DEVICE void load_rows(float (&to)[Rows][D + 1], const float* from, u32 first, u32 rows) {
  for (u32 at = thread_index(); at < Rows * D; at += kThreads) {
    const u32 row = at / D, column = at % D;
    to[row][column] = first + row < rows ? from[static_cast<u64>(first + row) * D + column] : 0.0f;
  }
}

template <u32 D>
ROCVET_DEVICE void attend(Tiles<D>& tiles, const float* q, const float* k, const float* v, float* o,
                          u32 heads, u32 group, u32 q_len, u32 kv_len, u32 causal, float scale,
                          u32 blocks) {
  const u32 tiles_q = blocks_for(q_len, kQueries);
  const u32 row = thread_index() / kShare, share = thread_index() % kShare;
  for (u32 tile = block_index(); tile < heads * tiles_q; tile += blocks) {
    const u32 head = tile / tiles_q, first_query = tile % tiles_q * kQueries;
    const float* head_k = k + static_cast<u64>(head / group) * kv_len * D;
    const float* head_v = v + static_cast<u64>(head / group) * kv_len * D;
    load_rows<D>(tiles.q, q + static_cast<u64>(head) * q_len * D, first_query, q_len);

    // Keys a query may see: all, or those up to its own place counted from the end.
    const u32 query = first_query + row;
    const u32 seen = causal != 0 ? smaller(query + 1 + kv_len - q_len, kv_len) : kv_len;
    const u32 last_query = smaller(first_query + kQueries, q_len);
    const u32 seen_by_tile = causal != 0 ? last_query + kv_len - q_len : kv_len;

    float top = -3.0e38f, total = 0.0f, out[D / kShare] = {};
    for (u32 first_key = 0; first_key < seen_by_tile; first_key += kKeys) {
      load_rows<D>(tiles.kv, head_k, first_key, kv_len);
      barrier();
      float score[kKeys / kShare] = {};
      for (u32 d = 0; d < D; ++d) {
        const float held = tiles.q[row][d];
        for (u32 i = 0; i < kKeys / kShare; ++i) {
          score[i] += held * tiles.kv[share + i * kShare][d];
        }
      }
      float new_top = top;
      for (u32 i = 0; i < kKeys / kShare; ++i) {
        const bool visible = first_key + share + i * kShare < seen;
        score[i] = visible ? score[i] * (scale * kLog2e) : -3.0e38f;
        new_top = larger(new_top, score[i]);
      }
      new_top = row_max(new_top);
      float added = 0.0f;
      for (u32 i = 0; i < kKeys / kShare; ++i) {
        const bool visible = first_key + share + i * kShare < seen;
        const float weight = visible ? exp2_fast(score[i] - new_top) : 0.0f;
        tiles.p[row][share + i * kShare] = weight;
        added += weight;
      }
      const float fade = exp2_fast(top - new_top);
      total = total * fade + row_sum(added);
      top = new_top;
      barrier();
      load_rows<D>(tiles.kv, head_v, first_key, kv_len);
      barrier();
      for (u32 i = 0; i < D / kShare; ++i) out[i] *= fade;
      for (u32 key = 0; key < kKeys; ++key) {
        const float weight = tiles.p[row][key];
        for (u32 i = 0; i < D / kShare; ++i) {
          out[i] += weight * tiles.kv[key][share + i * kShare];
        }
      }
      barrier();
    }
    if (query < q_len) {
      float* to = o + (static_cast<u64>(head) * q_len + query) * D;
      for (u32 i = 0; i < D / kShare; ++i) to[share + i * kShare] = out[i] / total;
    }
    barrier();
  }
}

}  // namespace attention_fp32

ROCVET_KERNEL(256, 1)
attention_fp32_d64(const float* q, const float* k, const float* v, float* o, u32 heads, u32 group,
                   u32 q_len, u32 kv_len, u32 causal, float scale, u32 blocks) {
  ROCVET_SHARED(attention_fp32::Tiles<64>, tiles, 1);
  attention_fp32::attend<64>(tiles[0], q, k, v, o, heads, group, q_len, kv_len, causal, scale,
                             blocks);
}

ROCVET_KERNEL(256, 1)
attention_fp32_d128(const float* q, const float* k, const float* v, float* o, u32 heads, u32 group,
                    u32 q_len, u32 kv_len, u32 causal, float scale, u32 blocks) {
  ROCVET_SHARED(attention_fp32::Tiles<128>, tiles, 1);
  attention_fp32::attend<128>(tiles[0], q, k, v, o, heads, group, q_len, kv_len, causal, scale,
                              blocks);
}
