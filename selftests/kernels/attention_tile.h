// Attention on AMD's matrix instructions.
//
// Both products are taken transposed: S^T = K * Q^T, then O^T = V^T * P^T. A lane then holds
// numbers of one query (its column) only, so that maximum, sum and rescaling are plain numbers of
// the lane, and its sums of S^T are, in some order of the keys, its chunk of the second product: P
// never leaves the registers. V is brought into shared memory transposed and in that order of the
// keys.
#pragma once

#include "attention.h"

namespace rocvet::kernel {

template <Isa isa, Type type, int d>
struct AttentionTile {
  using T = Tile<isa, type>;
  static constexpr bool kMfma = T::kLanes == 64;
  static constexpr int kThreads = 256, kWaves = kThreads / T::kLanes, kKeys = 64;
  static constexpr int kQueryTiles = kMfma ? 2 : 1;  // of 16 queries, of a wave
  static constexpr int kQueries = kWaves * 16 * kQueryTiles;
  static constexpr int kKeyTiles = kKeys / 16, kValueTiles = d / 16;
  static constexpr int kSteps = d * 2 / T::kBytes;            // of the first product
  static constexpr int kKeySteps = kKeys * 2 / T::kBytes;     // of the second
  static constexpr int kTilesOfStep = kKeyTiles / kKeySteps;  // key tiles that make a chunk of P
  // Shared memory: K as panels of 64 columns, [panel][key][128 bytes]; V^T as [d][64 keys].
  static constexpr int kPanel = kKeys * 128, kKeyBytes = kKeys * d * 2,
                       kSharedBytes = 2 * kKeyBytes;

  /// Where 16 bytes of a 128-byte row lie. Rows that are 8 apart turn as well: V is written so.
  static constexpr int turned(int row, int byte) {
    return row * 128 + 16 * (byte / 16 ^ ((row ^ row / 8) % 8));
  }
  static constexpr int turned_from(int start, int more_row, int more_byte) {
    return (start ^ 16 * (more_byte / 16 ^ ((more_row ^ more_row / 8) % 8))) + more_row * 128;
  }

  /// The key whose weight is element `position` of a row of P^T's chunks, and of V^T.
  static constexpr u32 key_at(u32 position) {
    if (kMfma) {  // chunk g of 4: elements 0 to 3 of one tile's rows 4g, 4 to 7 of the next tile's
      const u32 chunk = position / 8 % 4, element = position % 8;
      return position / 32 * 32 + element / 4 * 16 + chunk * 4 + element % 4;
    }
    if (isa == Isa::wmma_gfx11) {  // chunk of 2: even keys, then odd keys
      return position / 16 * 16 + position % 8 * 2 + position / 8 % 2;
    }
    return position;
  }

  /// What a thread brings: chunks of K as they are; of V 8 columns of four keys, to be transposed.
  struct Fetch {
    static constexpr int kRowChunks = d / 8, kKeyChunks = kKeys * kRowChunks / kThreads;
    static constexpr bool kAllThreads = d == 128;
    const Chunk* k;
    const Chunk* v;
    u32 keys;
    Chunk key[kKeyChunks], value[4];

    ROCVET_DEVICE void load(u32 first) {
      const u32 thread = thread_index(), last = keys - 1;
      ROCVET_UNROLL
      for (int i = 0; i < kKeyChunks; ++i) {
        const u32 row = smaller(first + thread / kRowChunks + i * (kThreads / kRowChunks), last);
        key[i] = k[row * kRowChunks + thread % kRowChunks];
      }
      if (kAllThreads || thread < 128) {
        ROCVET_UNROLL
        for (u32 i = 0; i < 4; ++i) {
          const u32 row = smaller(first + key_at(thread / kRowChunks * 4 + i), last);
          value[i] = v[row * kRowChunks + thread % kRowChunks];
        }
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
      if (kAllThreads || thread < 128) {
        struct alignas(8) FourKeys {
          u32 low, high;
        };
        ROCVET_UNROLL
        for (int i = 0; i < 8; ++i) {
          const int word = i / 2;
          const FourKeys four = i % 2 == 0 ? FourKeys{low_halves(value[0][word], value[1][word]),
                                                      low_halves(value[2][word], value[3][word])}
                                           : FourKeys{high_halves(value[0][word], value[1][word]),
                                                      high_halves(value[2][word], value[3][word])};
          u8* to = shared + kKeyBytes + turned(column * 8 + i, row / 2 * 16) + row % 2 * 8;
          *reinterpret_cast<FourKeys*>(to) = four;
        }
      }
    }
  };

  /// The largest (or the sum) over the lanes that hold the same query.
  static ROCVET_DEVICE float max_of_query(float x) {
    x = maximum(x, shuffle_xor<16>(x));
    if constexpr (kMfma) x = maximum(x, shuffle_xor<32>(x));
    return x;
  }
  static ROCVET_DEVICE float sum_of_query(float x) {
    x += shuffle_xor<16>(x);
    if constexpr (kMfma) x += shuffle_xor<32>(x);
    return x;
  }

  /// The weights of one step of the second product as this lane's chunks of P^T.
  static ROCVET_DEVICE void pack(Chunk (&to)[T::kChunksB], const typename T::Sums* weights) {
    if constexpr (kMfma) {
      ROCVET_UNROLL
      for (int i = 0; i < 4; ++i) {
        const typename T::Sums& tile = weights[i / 2];
        to[0][i] = pack_halves<type>(tile[i % 2 * 2], tile[i % 2 * 2 + 1]);
      }
    } else {
      Chunk own;
      ROCVET_UNROLL
      for (int i = 0; i < 4; ++i)
        own[i] = pack_halves<type>(weights[0][2 * i], weights[0][2 * i + 1]);
      if constexpr (isa == Isa::wmma_gfx11) {
        const bool odd = lane_index() / 16 != 0;
        ROCVET_UNROLL
        for (int i = 0; i < 4; ++i) {
          const u32 other = shuffle_xor<16>(static_cast<u32>(own[i]));
          to[0][i] = odd ? other : own[i];
          to[1][i] = odd ? own[i] : other;
        }
      } else {
        to[0] = own;
      }
    }
  }

  static ROCVET_DEVICE void run(const Chunk* q, const Chunk* k, const Chunk* v, u8* o,
                                const AttentionShape& shape, u8* shared) {
    const AttentionBlock block(shape, block_index(), kQueries);
    const int lane = static_cast<int>(lane_index()), column = lane % 16;
    const u32 wave_query = block.first_query + wave_index() * 16 * kQueryTiles;
    const u64 kv_start = static_cast<u64>(block.kv_head) * shape.keys * (d / 8);
    Fetch fetch{k + kv_start, v + kv_start, shape.keys, {}, {}};

    Chunk query[kQueryTiles][kSteps][T::kChunksB];
    ROCVET_UNROLL
    for (int tile = 0; tile < kQueryTiles; ++tile) {
      const u32 row = smaller(wave_query + tile * 16 + column, shape.queries - 1);
      const u8* from = reinterpret_cast<const u8*>(q) +
                       (static_cast<u64>(block.head) * shape.queries + row) * (d * 2);
      ROCVET_UNROLL
      for (int step = 0; step < kSteps; ++step) {
        ROCVET_UNROLL
        for (int chunk = 0; chunk < T::kChunksB; ++chunk) {
          query[tile][step][chunk] =
              *reinterpret_cast<const Chunk*>(from + step * T::kBytes + T::b(lane, chunk).at);
        }
      }
    }

    typename T::Sums out[kQueryTiles][kValueTiles] = {};
    float max[kQueryTiles], total[kQueryTiles] = {};
    u32 visible[kQueryTiles];
    ROCVET_UNROLL
    for (int tile = 0; tile < kQueryTiles; ++tile) {
      max[tile] = kMinusInfinity;
      visible[tile] = shape.visible(wave_query + tile * 16 + column);
    }
    const int start = turned(T::a(lane, 0).row, T::a(lane, 0).at);
    const u32 end = shape.visible(block.first_query + kQueries - 1);
    const u32 unmasked =
        shape.visible(block.first_query);  // keys that all queries of the block see

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
        ROCVET_UNROLL
        for (int tile = 0; tile < kKeyTiles; ++tile) {
          Chunk part[T::kChunksA];
          ROCVET_UNROLL
          for (int chunk = 0; chunk < T::kChunksA; ++chunk) {
            const int at = turned_from(start, tile * 16, byte % 128 + T::a(0, chunk).at);
            part[chunk] = *reinterpret_cast<const Chunk*>(shared + byte / 128 * kPanel + at);
          }
          ROCVET_UNROLL
          for (int i = 0; i < kQueryTiles; ++i) T::multiply(score[i][tile], part, query[i][step]);
        }
      }

      Chunk weight[kQueryTiles][kKeySteps][T::kChunksB];
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
        // The weights are relative to a maximum that may be overtaken by a little: rescaling waits
        // until a weight could pass 2^8.
        most = max_of_query(most) * shape.scale;
        if (any_lane(most > max[i] + 8)) {
          stay_in_branch();
          most = maximum(max[i], most);
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
            score[i][tile][sum] = x;
          }
        }
        ROCVET_UNROLL
        for (int step = 0; step < kKeySteps; ++step)
          pack(weight[i][step], score[i] + step * kTilesOfStep);
      }

      ROCVET_UNROLL
      for (int step = 0; step < kKeySteps; ++step) {
        ROCVET_UNROLL
        for (int tile = 0; tile < kValueTiles; ++tile) {
          Chunk part[T::kChunksA];
          ROCVET_UNROLL
          for (int chunk = 0; chunk < T::kChunksA; ++chunk) {
            const int at = turned_from(start, tile * 16, step * T::kBytes + T::a(0, chunk).at);
            part[chunk] = *reinterpret_cast<const Chunk*>(shared + kKeyBytes + at);
          }
          ROCVET_UNROLL
          for (int i = 0; i < kQueryTiles; ++i) T::multiply(out[i][tile], part, weight[i][step]);
        }
      }
    }

    ROCVET_UNROLL
    for (int i = 0; i < kQueryTiles; ++i) {
      const float all = sum_of_query(total[i]), scale = all > 0 ? 1 / all : 0;
      const u32 row = wave_query + i * 16 + column;
      u16* to =
          reinterpret_cast<u16*>(o) + (static_cast<u64>(block.head) * shape.queries + row) * d;
      ROCVET_UNROLL
      for (int tile = 0; tile < kValueTiles; ++tile) {
        ROCVET_UNROLL
        for (int sum = 0; sum < T::kSums; sum += 2) {
          const u32 pair =
              pack_halves<type>(out[i][tile][sum] * scale, out[i][tile][sum + 1] * scale);
          if (row >= shape.queries) continue;
          if constexpr (isa == Isa::wmma_gfx11) {
            to[tile * 16 + T::d(lane, sum).row] = static_cast<u16>(pair);
            to[tile * 16 + T::d(lane, sum + 1).row] = static_cast<u16>(pair >> 16);
          } else {
            *reinterpret_cast<u32*>(to + tile * 16 + T::d(lane, sum).row) = pair;
          }
        }
      }
    }
  }
};

}  // namespace rocvet::kernel
