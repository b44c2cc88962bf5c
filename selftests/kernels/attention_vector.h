// Attention in single precision on vector units. Sixteen neighbouring lanes share eight queries:
// they split the scores of a tile of keys into pieces of 8 x 8 over a part of d each, and the
// output into 8 queries x d / 16 columns each, so that a number read from shared memory serves
// eight products.
#pragma once

#include "attention.h"

namespace rocvet::kernel {

template <int d>
struct AttentionVector {
  static constexpr int kThreads = ROCVET_CUDA ? 256 : 128;
  static constexpr int kParts = ROCVET_CUDA ? 2 : 4;  // of d, in the first product
  static constexpr int kGroups = kThreads / 16, kQueries = 8 * kGroups;
  static constexpr int kKeyGroups = 16 / kParts, kKeys = 8 * kKeyGroups;
  static constexpr int kRows = 8 / kParts;  // queries whose weights a lane takes
  static constexpr int kColumns = d / 64;   // chunks of four columns of the output of a lane
  // Keys and values have a place each where copies need no register: one is brought while the other
  // is used. Elsewhere the 64 KiB of LDS do not suffice for both.
  static constexpr bool kAhead = ROCVET_CUDA;
  // Floats from row to row: the lanes that are served together find different banks.
  static constexpr int kStride = d + 4 * kParts, kWeightStride = kKeys + 4;
  static constexpr int kTile = kKeys * kStride;
  static constexpr int kSharedBytes =
      4 * (kQueries * kStride + (kAhead ? 2 : 1) * kTile + kQueries * kWeightStride);

  struct alignas(16) Four {
    float at[4];
  };
  static ROCVET_DEVICE const Four& four(const float* from) {
    return *reinterpret_cast<const Four*>(from);
  }

  /// Rows first to first + count of `from` into rows of kStride; past the end the last one again.
  static ROCVET_DEVICE void bring(float* to, int count, const float* from, u32 first, u32 rows) {
    for (u32 at = thread_index(); at < static_cast<u32>(count * d / 4); at += kThreads) {
      const u32 row = at / (d / 4), column = at % (d / 4) * 4;
      const float* source = from + static_cast<u64>(smaller(first + row, rows - 1)) * d + column;
      float* target = to + row * kStride + column;
      if constexpr (kAhead) {
        copy_chunk(target, source, true);
      } else {
        *reinterpret_cast<Chunk*>(target) = *reinterpret_cast<const Chunk*>(source);
      }
    }
    commit_copies();
  }
  /// What was brought is there, for all.
  static ROCVET_DEVICE void settle() {
    wait_for_copies<0>();
    barrier();
  }

  /// Adds up the parts of d: of `rows` rows a lane keeps the half that its bit of `mask` names.
  template <u32 mask, int rows>
  static ROCVET_DEVICE void fold(float (&score)[8][8]) {
    const bool upper = (lane_index() & mask) != 0;
    ROCVET_UNROLL
    for (int i = 0; i < rows / 2; ++i) {
      ROCVET_UNROLL
      for (int j = 0; j < 8; ++j) {
        const float low = score[i][j], high = score[i + rows / 2][j];
        score[i][j] = (upper ? high : low) + shuffle_xor<mask>(upper ? low : high);
      }
    }
  }
  /// Over the lanes that hold other keys of the same queries.
  static ROCVET_DEVICE float row_max(float value) {
    if constexpr (kParts == 2) value = maximum(value, shuffle_xor<2>(value));
    value = maximum(value, shuffle_xor<4>(value));
    return maximum(value, shuffle_xor<8>(value));
  }
  static ROCVET_DEVICE float row_sum(float value) {
    if constexpr (kParts == 2) value += shuffle_xor<2>(value);
    value += shuffle_xor<4>(value);
    return value + shuffle_xor<8>(value);
  }

  static ROCVET_DEVICE void run(const float* q, const float* k, const float* v, float* o,
                                const AttentionShape& shape, u8* bytes) {
    float* shared_q = reinterpret_cast<float*>(bytes);
    float* shared_k = shared_q + kQueries * kStride;
    float* shared_v = shared_k + (kAhead ? kTile : 0);
    float* weights = shared_v + kTile;

    const AttentionBlock block(shape, block_index(), kQueries);
    const float* head_k = k + static_cast<u64>(block.kv_head) * shape.keys * d;
    const float* head_v = v + static_cast<u64>(block.kv_head) * shape.keys * d;
    const u32 lane = thread_index() % 16, group = thread_index() / 16;
    const u32 part = lane % kParts, key_group = lane / kParts;
    // Row i of the eight is query i * kGroups + group of the block; a lane weighs rows kRows * part
    // and up.
    const float* my_q = shared_q + group * kStride + part * 4;
    const float* my_k = shared_k + key_group * kStride + part * 4;
    const float* my_v = shared_v + lane * 4;
    float* my_weights = weights + group * kWeightStride;
    float* own_weights = my_weights + part * kRows * (kGroups * kWeightStride);

    u32 seen[kRows];
    float max[kRows], total[kRows] = {}, out[8][kColumns][4] = {};
    ROCVET_UNROLL
    for (int i = 0; i < kRows; ++i) {
      seen[i] = shape.visible(block.first_query + (kRows * part + i) * kGroups + group);
      max[i] = kMinusInfinity;
    }
    const u32 end = shape.visible(block.first_query + kQueries - 1);
    if (end != 0) {
      bring(shared_q, kQueries, q + static_cast<u64>(block.head) * shape.queries * d,
            block.first_query, shape.queries);
      bring(shared_k, kKeys, head_k, 0, shape.keys);
    }
    for (u32 first = 0; first < end; first += kKeys) {
      settle();
      if constexpr (kAhead) bring(shared_v, kKeys, head_v, first, shape.keys);
      float score[8][8] = {};
      ROCVET_UNROLL_BY(2)
      for (int at = 0; at < d; at += 4 * kParts) {
        Four query[8];
        ROCVET_UNROLL
        for (int i = 0; i < 8; ++i) query[i] = four(my_q + i * kGroups * kStride + at);
        ROCVET_UNROLL
        for (int j = 0; j < 8; ++j) {
          const Four key = four(my_k + j * kKeyGroups * kStride + at);
          ROCVET_UNROLL
          for (int i = 0; i < 8; ++i) {
            ROCVET_UNROLL
            for (int e = 0; e < 4; ++e) score[i][j] += query[i].at[e] * key.at[e];
          }
        }
      }
      if constexpr (!kAhead) {
        barrier();
        bring(shared_v, kKeys, head_v, first, shape.keys);
      }
      if constexpr (kParts == 4) {
        fold<2, 8>(score);
        fold<1, 4>(score);
      } else {
        fold<1, 8>(score);
      }

      ROCVET_UNROLL
      for (int i = 0; i < kRows; ++i) {
        float most = kMinusInfinity;
        ROCVET_UNROLL
        for (int j = 0; j < 8; ++j) {
          const bool visible = first + j * kKeyGroups + key_group < seen[i];
          score[i][j] = visible ? score[i][j] * shape.scale : kMinusInfinity;
          most = maximum(most, score[i][j]);
        }
        most = maximum(max[i], row_max(most));
        const float base = finite_or_zero(most), shrink = exp2_fast(max[i] - base);
        max[i] = most;
        total[i] *= shrink;
        // Weight j of this lane stands at key_group * 8 + j; what the sums so far shrink by stands
        // behind the weights.
        float* to = own_weights + i * (kGroups * kWeightStride);
        ROCVET_UNROLL
        for (int half = 0; half < 2; ++half) {
          Four weight;
          ROCVET_UNROLL
          for (int e = 0; e < 4; ++e) {
            weight.at[e] = exp2_fast(score[i][half * 4 + e] - base);
            total[i] += weight.at[e];
          }
          *reinterpret_cast<Four*>(to + key_group * 8 + half * 4) = weight;
        }
        if (key_group == 0) to[kKeys] = shrink;
      }
      settle();
      if constexpr (kAhead) {
        if (first + kKeys < end) bring(shared_k, kKeys, head_k, first + kKeys, shape.keys);
      }

      ROCVET_UNROLL
      for (int i = 0; i < 8; ++i) {
        const float shrink = my_weights[i * kGroups * kWeightStride + kKeys];
        ROCVET_UNROLL
        for (int c = 0; c < kColumns; ++c) {
          ROCVET_UNROLL
          for (int e = 0; e < 4; ++e) out[i][c][e] *= shrink;
        }
      }
      for (int keys = 0; keys < kKeyGroups; ++keys) {
        ROCVET_UNROLL
        for (int half = 0; half < 8; half += 4) {
          Four weight[8];
          ROCVET_UNROLL
          for (int i = 0; i < 8; ++i) {
            weight[i] = four(my_weights + i * kGroups * kWeightStride + keys * 8 + half);
          }
          ROCVET_UNROLL
          for (int j = 0; j < 4; ++j) {
            const float* row = my_v + ((half + j) * kKeyGroups + keys) * kStride;
            ROCVET_UNROLL
            for (int c = 0; c < kColumns; ++c) {
              const Four value = four(row + c * 64);
              ROCVET_UNROLL
              for (int i = 0; i < 8; ++i) {
                ROCVET_UNROLL
                for (int e = 0; e < 4; ++e) out[i][c][e] += weight[i].at[j] * value.at[e];
              }
            }
          }
        }
      }
      if constexpr (!kAhead) {
        barrier();
        if (first + kKeys < end) bring(shared_k, kKeys, head_k, first + kKeys, shape.keys);
      }
    }

    barrier();
    ROCVET_UNROLL
    for (int i = 0; i < kRows; ++i) {
      const float all = row_sum(total[i]);
      if (key_group == 0) own_weights[i * kGroups * kWeightStride + kKeys] = all > 0 ? 1 / all : 0;
    }
    barrier();
    ROCVET_UNROLL
    for (int i = 0; i < 8; ++i) {
      const u32 query = block.first_query + i * kGroups + group;
      const float scale = my_weights[i * kGroups * kWeightStride + kKeys];
      if (query >= shape.queries) continue;
      float* to = o + (static_cast<u64>(block.head) * shape.queries + query) * d + lane * 4;
      ROCVET_UNROLL
      for (int c = 0; c < kColumns; ++c) {
        Four result;
        ROCVET_UNROLL
        for (int e = 0; e < 4; ++e) result.at[e] = out[i][c][e] * scale;
        *reinterpret_cast<Four*>(to + c * 64) = result;
      }
    }
  }
};

}  // namespace rocvet::kernel
