// Attention without matrix instructions: four lanes share a query, each holds a quarter of d.
#pragma once

#include "attention.h"

namespace rocvet::kernel {

template <Type type, int d>
struct AttentionScalar {
  static constexpr int kThreads = 256, kQueries = kThreads / 4, kKeys = 32;
  static constexpr int kGroup =
      type == Type::bf16 && d == 128 ? 4 : 8;  // keys at a time: registers
  static constexpr int kRowChunks = d / 8,
                       kChunks = kRowChunks / 4;                // chunks of a row, and of a lane
  static constexpr int kSharedChunks = 2 * kKeys * kRowChunks;  // K, then V

  static ROCVET_DEVICE void run(const Chunk* q, const Chunk* k, const Chunk* v, Chunk* o,
                                const AttentionShape& shape, Chunk* shared) {
    const AttentionBlock block(shape, block_index(), kQueries);
    const u32 thread = thread_index(), quarter = thread % 4, query = block.first_query + thread / 4;
    const u64 row =
        static_cast<u64>(block.head) * shape.queries + smaller(query, shape.queries - 1);
    const Chunk* first_k = k + static_cast<u64>(block.kv_head) * shape.keys * kRowChunks;
    const Chunk* first_v = v + static_cast<u64>(block.kv_head) * shape.keys * kRowChunks;

    // Chunk i of a lane is chunk 4 * i + quarter of the row: four lanes read 64 neighbouring bytes.
    Chunk mine[kChunks];
    ROCVET_UNROLL
    for (int i = 0; i < kChunks; ++i) mine[i] = q[row * kRowChunks + 4 * i + quarter];
    float sums[kChunks][8] = {}, total = 0, max = kMinusInfinity;

    const u32 visible = shape.visible(query);
    const u32 end = shape.visible(block.first_query + kQueries - 1);
    for (u32 first = 0; first < end; first += kKeys) {
      barrier();
      for (u32 at = thread; at < kKeys * kRowChunks; at += kThreads) {
        const u64 key = smaller(first + at / kRowChunks, shape.keys - 1);
        shared[at] = first_k[key * kRowChunks + at % kRowChunks];
        shared[kKeys * kRowChunks + at] = first_v[key * kRowChunks + at % kRowChunks];
      }
      barrier();
      for (u32 group = 0; group < kKeys; group += kGroup) {
        float score[kGroup], group_max = max;
        ROCVET_UNROLL
        for (u32 i = 0; i < u32{kGroup}; ++i) {
          float sum = 0;
          ROCVET_UNROLL
          for (int chunk = 0; chunk < kChunks; ++chunk) {
            add_products<type>(sum, mine[chunk],
                               shared[(group + i) * kRowChunks + 4 * chunk + quarter]);
          }
          sum += shuffle_xor<1>(sum);
          sum += shuffle_xor<2>(sum);
          score[i] = first + group + i < visible ? sum * shape.scale : kMinusInfinity;
          group_max = larger(group_max, score[i]);
        }
        const float base = finite_or_zero(group_max), shrink = exp2_fast(max - base);
        max = group_max;
        total *= shrink;
        ROCVET_UNROLL
        for (int chunk = 0; chunk < kChunks; ++chunk) {
          ROCVET_UNROLL
          for (int i = 0; i < 8; ++i) sums[chunk][i] *= shrink;
        }
        ROCVET_UNROLL
        for (u32 i = 0; i < u32{kGroup}; ++i) {
          const float weight = exp2_fast(score[i] - base);
          total += weight;
          ROCVET_UNROLL
          for (int chunk = 0; chunk < kChunks; ++chunk) {
            const Chunk value = shared[(kKeys + group + i) * kRowChunks + 4 * chunk + quarter];
            ROCVET_UNROLL
            for (int word = 0; word < 4; ++word) {
              sums[chunk][2 * word] += weight * from_half<type>(value[word] & 0xffff);
              sums[chunk][2 * word + 1] += weight * from_half<type>(value[word] >> 16);
            }
          }
        }
      }
    }
    if (query >= shape.queries) return;
    const float scale = total > 0 ? 1 / total : 0;
    ROCVET_UNROLL
    for (int chunk = 0; chunk < kChunks; ++chunk) {
      Chunk out;
      ROCVET_UNROLL
      for (int word = 0; word < 4; ++word) {
        out[word] =
            pack_halves<type>(sums[chunk][2 * word] * scale, sums[chunk][2 * word + 1] * scale);
      }
      o[row * kRowChunks + 4 * chunk + quarter] = out;
    }
  }
};

}  // namespace rocvet::kernel
