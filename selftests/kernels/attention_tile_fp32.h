// Attention in single precision on matrix instructions (gfx9, gfx1250), both products transposed as
// in attention_tile.h: S^T = K * Q^T, O^T = V^T * P^T. Four sums of S^T of a lane are, as they are,
// a chunk of its P^T. V is brought into shared memory transposed and in that order of the keys.
#pragma once

#include "attention.h"
#include "attention_layout.h"

namespace rocvet::kernel {

template <Isa isa, int d>
struct AttentionTileFp32 {
  using T = Tile<isa, Type::fp32>;
  static constexpr int kThreads = 256, kWaves = kThreads / T::kLanes, kKeys = 32;
  static constexpr int kQueryTiles = 2, kQueries = kWaves * 16 * kQueryTiles;
  static constexpr int kKeyTiles = kKeys / 16, kValueTiles = d / 16;  // of 16
  static constexpr int kSteps = d * 4 / T::kBytes;                    // of the first product
  static constexpr int kTileChunks = T::kSums / 4;                    // of a tile's sums of a lane
  // Shared memory: K as panels of 32 columns, [panel][key][128 bytes]; V^T as [d][32 keys].
  static constexpr int kPanel = kKeys * 128, kKeyBytes = kKeys * d * 4;
  static constexpr int kSharedBytes = 2 * kKeyBytes;

  /// What a thread brings: chunks of K as they are; of V four columns of four keys.
  struct Fetch {
    static constexpr int kRowChunks = d / 4, kKeyChunks = kKeys * kRowChunks / kThreads;
    static constexpr bool kAllThreads = kKeys / 4 * kRowChunks == kThreads;
    const Chunk* k;
    const Chunk* v;
    u32 keys;
    Chunk key[kKeyChunks], value[4];

    ROCVET_DEVICE bool brings_values() const {
      return kAllThreads || thread_index() < kKeys / 4 * kRowChunks;
    }
    /// The four keys that stand at `position` of a row of V^T: of wmma_gfx1250 a lane has two
    /// chunks of one tile, which two steps of the second product take.
    static ROCVET_DEVICE u32 four_keys_at(u32 position) {
      if constexpr (kTileChunks == 1) return position;
      return position / 4 * 4 + position % 2 * 2 + position / 2 % 2;
    }
    ROCVET_DEVICE void load(u32 first) {
      const u32 thread = thread_index(), last = keys - 1;
      ROCVET_UNROLL
      for (int i = 0; i < kKeyChunks; ++i) {
        const u32 row = smaller(first + thread / kRowChunks + i * (kThreads / kRowChunks), last);
        key[i] = k[row * kRowChunks + thread % kRowChunks];
      }
      if (!brings_values()) return;
      ROCVET_UNROLL
      for (u32 i = 0; i < 4; ++i) {
        const u32 row = smaller(first + four_keys_at(thread / kRowChunks) * 4 + i, last);
        value[i] = v[row * kRowChunks + thread % kRowChunks];
      }
    }
    ROCVET_DEVICE void store(u8* shared) const {
      const int thread = static_cast<int>(thread_index());
      const int column = thread % kRowChunks, row = thread / kRowChunks;
      ROCVET_UNROLL
      for (int i = 0; i < kKeyChunks; ++i) {
        u8* to = shared + column / 8 * kPanel +
                 turned(row + i * (kThreads / kRowChunks), column % 8 * 16);
        *reinterpret_cast<Chunk*>(to) = key[i];
      }
      if (!brings_values()) return;
      ROCVET_UNROLL
      for (int i = 0; i < 4; ++i) {
        u8* to = shared + kKeyBytes + turned(column * 4 + i, row * 16);
        *reinterpret_cast<Chunk*>(to) = Chunk{value[0][i], value[1][i], value[2][i], value[3][i]};
      }
    }
  };

  static ROCVET_DEVICE float max_of_query(float x) {
    x = maximum(x, shuffle_xor<16>(x));
    return T::kLanes == 32 ? x : maximum(x, shuffle_xor<32>(x));
  }
  static ROCVET_DEVICE float sum_of_query(float x) {
    x += shuffle_xor<16>(x);
    return T::kLanes == 32 ? x : x + shuffle_xor<32>(x);
  }

  static ROCVET_DEVICE void run(const float* q, const float* k, const float* v, float* o,
                                const AttentionShape& shape, u8* shared) {
    const AttentionBlock block(shape, block_index(), kQueries);
    const int lane = static_cast<int>(lane_index()), column = lane % 16;
    const u32 wave_query = block.first_query + wave_index() * 16 * kQueryTiles;
    const u64 kv_start = static_cast<u64>(block.kv_head) * shape.keys * d;
    Fetch fetch{reinterpret_cast<const Chunk*>(k + kv_start),
                reinterpret_cast<const Chunk*>(v + kv_start),
                shape.keys,
                {},
                {}};

    Chunk query[kQueryTiles][kSteps];
    typename T::Sums out[kQueryTiles][kValueTiles] = {};
    float max[kQueryTiles], total[kQueryTiles] = {};
    u32 visible[kQueryTiles];
    ROCVET_UNROLL
    for (int tile = 0; tile < kQueryTiles; ++tile) {
      const u32 row = smaller(wave_query + tile * 16 + column, shape.queries - 1);
      const u8* from =
          reinterpret_cast<const u8*>(q + (static_cast<u64>(block.head) * shape.queries + row) * d);
      ROCVET_UNROLL
      for (int step = 0; step < kSteps; ++step) {
        query[tile][step] =
            *reinterpret_cast<const Chunk*>(from + step * T::kBytes + T::b(lane, 0).at);
      }
      max[tile] = kMinusInfinity;
      visible[tile] = shape.visible(wave_query + tile * 16 + column);
    }
    const int start = turned(T::a(lane, 0).row, T::a(lane, 0).at);
    const u32 end = shape.visible(block.first_query + kQueries - 1);
    const u32 unmasked = shape.visible(block.first_query);  // keys that all of the block see

    if (end != 0) fetch.load(0);
    for (u32 first = 0; first < end; first += kKeys) {
      barrier();
      fetch.store(shared);
      barrier();
      if (first + kKeys < end) fetch.load(first + kKeys);

      typename T::Sums score[kQueryTiles][kKeyTiles] = {};
      ROCVET_UNROLL
      for (int step = 0; step < kSteps; ++step) {
        const int byte = step * T::kBytes;
        Chunk part[kKeyTiles];
        ROCVET_UNROLL
        for (int tile = 0; tile < kKeyTiles; ++tile) {
          part[tile] = *reinterpret_cast<const Chunk*>(shared + byte / 128 * kPanel +
                                                       turned_from(start, tile * 16, byte % 128));
        }
        ROCVET_UNROLL
        for (int issue = 0; issue < T::kIssues; ++issue) {
          ROCVET_UNROLL
          for (int tile = 0; tile < kKeyTiles; ++tile) {
            ROCVET_UNROLL
            for (int i = 0; i < kQueryTiles; ++i) {
              T::issue(score[i][tile], &part[tile], &query[i][step], issue);
            }
          }
        }
      }

      Chunk weight[kQueryTiles][kKeyTiles * kTileChunks];
      ROCVET_UNROLL
      for (int i = 0; i < kQueryTiles; ++i) {
        if (first + kKeys > unmasked) {
          stay_in_branch();
          ROCVET_UNROLL
          for (int tile = 0; tile < kKeyTiles; ++tile) {
            ROCVET_UNROLL
            for (int sum = 0; sum < T::kSums; ++sum) {
              if (first + tile * 16 + T::d(lane, sum).row >= visible[i]) {
                score[i][tile][sum] = kMinusInfinity;
              }
            }
          }
        }
        float most = kMinusInfinity;
        ROCVET_UNROLL
        for (int tile = 0; tile < kKeyTiles; ++tile) {
          ROCVET_UNROLL
          for (int sum = 0; sum < T::kSums; ++sum) most = maximum(most, score[i][tile][sum]);
        }
        most = maximum(max[i], max_of_query(most) * shape.scale);
        if (any_lane(most > max[i])) {
          stay_in_branch();
          const float shrink = exp2_fast(max[i] - finite_or_zero(most));
          max[i] = most;
          total[i] *= shrink;
          ROCVET_UNROLL
          for (int tile = 0; tile < kValueTiles; ++tile) {
            ROCVET_UNROLL
            for (int sum = 0; sum < T::kSums; ++sum) out[i][tile][sum] *= shrink;
          }
        }
        const float base = finite_or_zero(max[i]);
        ROCVET_UNROLL
        for (int tile = 0; tile < kKeyTiles; ++tile) {
          ROCVET_UNROLL
          for (int sum = 0; sum < T::kSums; ++sum) {
            const float x = exp2_fast(score[i][tile][sum] * shape.scale - base);
            total[i] += x;
            weight[i][tile * kTileChunks + sum / 4][sum % 4] = bits<u32>(x);
          }
        }
      }

      ROCVET_UNROLL
      for (int step = 0; step < kKeyTiles * kTileChunks; ++step) {
        ROCVET_UNROLL
        for (int tile = 0; tile < kValueTiles; tile += 2) {
          Chunk part[2];
          ROCVET_UNROLL
          for (int j = 0; j < 2; ++j) {
            const int at = turned_from(start, (tile + j) * 16, step * T::kBytes);
            part[j] = *reinterpret_cast<const Chunk*>(shared + kKeyBytes + at);
          }
          ROCVET_UNROLL
          for (int issue = 0; issue < T::kIssues; ++issue) {
            ROCVET_UNROLL
            for (int j = 0; j < 2; ++j) {
              ROCVET_UNROLL
              for (int i = 0; i < kQueryTiles; ++i) {
                T::issue(out[i][tile + j], &part[j], &weight[i][step], issue);
              }
            }
          }
        }
      }
    }

    ROCVET_UNROLL
    for (int i = 0; i < kQueryTiles; ++i) {
      const float all = sum_of_query(total[i]), scale = all > 0 ? 1 / all : 0;
      const u32 row = wave_query + i * 16 + column;
      if (row >= shape.queries) continue;
      float* to = o + (static_cast<u64>(block.head) * shape.queries + row) * d;
      ROCVET_UNROLL
      for (int tile = 0; tile < kValueTiles; ++tile) {
        ROCVET_UNROLL
        for (int part = 0; part < kTileChunks; ++part) {
          Chunk result;
          ROCVET_UNROLL
          for (int at = 0; at < 4; ++at)
            result[at] = bits<u32>(out[i][tile][4 * part + at] * scale);
          *reinterpret_cast<Chunk*>(to + tile * 16 + T::d(lane, 4 * part).row) = result;
        }
      }
    }
  }
};

}  // namespace rocvet::kernel
