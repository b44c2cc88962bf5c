// Attention on AMD's matrix instructions.
//
// Both products are taken transposed: S^T = K * Q^T, then O^T = V^T * P^T. A lane then holds
// numbers of one query (its column) only, so that maximum, sum and rescaling are plain numbers of
// the lane, and its sums of S^T are, in some order of the keys, its chunk of the second product: P
// never leaves the registers. V is brought into shared memory transposed and in that order of the
// keys.
//
// The keys go by in steps. Steps that every query of a wave sees whole have a loop of their own,
// without masks and without bounds of what is fetched; a wave may be in it while its neighbours are
// in the other: both meet the same barriers.
#pragma once

#include "attention.h"
#include "attention_layout.h"
#include "attention_weights.h"

namespace rocvet::kernel {

template <Isa isa, Type type, int d>
struct AttentionTile {
  using T = TallTile<isa, type>;
  static constexpr bool kMfma = T::kLanes == 64;
  static constexpr int kKeys = 64, kRows = T::kM;
  /// With MFMA two waves for each SIMD: one multiplies while the other weighs. On gfx908 a wave
  /// needs the registers of both.
  static constexpr int kWaves = isa == Isa::mfma_gfx908 ? 4 : 8;
  static constexpr int kThreads = kWaves * T::kLanes;
  static constexpr int kQueryTiles = kMfma && d == 64 ? 2 : 1;  // of a wave
  static constexpr int kWaveQueries = kRows * kQueryTiles, kQueries = kWaves * kWaveQueries;
  static constexpr int kKeyTiles = kKeys / kRows, kValueTiles = d / kRows;
  static constexpr int kSteps = d * 2 / T::kBytes;         // of the first product
  static constexpr int kKeySteps = kKeys * 2 / T::kBytes;  // of the second
  /// Chunks of P^T in one step of the second that are a lane's own sums of S^T.
  static constexpr int kOwnChunks = T::kBytes * T::kSums / (16 * kRows);
  /// With MFMA reads of shared memory are a group ahead of the instructions that want them.
  static constexpr int kAhead = kMfma ? 1 : 0;
  static constexpr int kGroup = kMfma && d == 128 ? 2 : 1;  // steps of the first product
  static constexpr int kRowBytes = d * 2, kStepBytes = kKeys * kRowBytes;
  // Shared memory: K as panels of 64 columns, [panel][key][128 bytes]; V^T as [d][64 keys]. Twice
  // where there is room: then one barrier a step does.
  static constexpr int kPanel = kKeys * 128, kBuffer = 2 * kStepBytes;
  static constexpr int kBuffers = kMfma ? 2 : 1, kSharedBytes = kBuffers * kBuffer;

  /// What a thread brings: chunks of K as they are; of V some columns of four keys, to be
  /// transposed.
  struct Fetch {
    static constexpr int kRowChunks = d / 8, kKeyChunks = kKeys * kRowChunks / kThreads;
    static constexpr int kColumns = kKeys * d / 4 / kThreads, kWords = kColumns / 2;
    using Columns = Vector<u32, kWords>;
    const Global<u8>* k;
    const Global<u8>* v;
    u32 bytes;           ///< of all keys
    u32 from_k, from_v;  ///< bytes to what this thread brings of the next step
    Chunk key[kKeyChunks];
    Columns value[4];

    /// Of K's chunks in a step those of a wave lie together.
    static ROCVET_DEVICE u32 chunk(u32 i) {
      return thread_index() / T::kLanes * T::kLanes * kKeyChunks + i * T::kLanes + lane_index();
    }
    static ROCVET_DEVICE ValuePart part() { return value_part(thread_index(), d, kColumns); }

    ROCVET_DEVICE Fetch(const u8* k_start, const u8* v_start, u32 keys)
        : k((const Global<u8>*)(k_start)),
          v((const Global<u8>*)(v_start)),
          bytes(keys * kRowBytes),
          from_k(chunk(0) * 16),
          from_v(key_at(isa, part().group * 4) * kRowBytes + part().column * 2) {}

    /// The next step. A `whole` one ends before the last key; of others the last row is read again.
    template <bool whole>
    ROCVET_DEVICE void load() {
      ROCVET_UNROLL
      for (u32 i = 0; i < u32{kKeyChunks}; ++i) {
        const u32 more = (chunk(i) - chunk(0)) * 16;
        const auto* from = whole ? k + from_k + more : k + smaller(from_k + more, bytes - 16);
        key[i] = *reinterpret_cast<const Global<Chunk>*>(from);
      }
      ROCVET_UNROLL
      for (u32 i = 0; i < 4; ++i) {
        const u32 more = (key_at(isa, i) - key_at(isa, 0)) * kRowBytes;
        const auto* from =
            whole ? v + from_v + more : v + smaller(from_v + more, bytes - u32{sizeof(Columns)});
        value[i] = *reinterpret_cast<const Global<Columns>*>(from);
      }
      from_k += kStepBytes;
      from_v += kStepBytes;
    }
    ROCVET_DEVICE void store(u8* shared) const {
      const int first_chunk = static_cast<int>(chunk(0));
      const int column_at = first_chunk % kRowChunks, row = first_chunk / kRowChunks;
      ROCVET_UNROLL
      for (int i = 0; i < kKeyChunks; ++i) {
        u8* to = shared + column_at / 8 * kPanel +
                 turned_from(turned(row, column_at % 8 * 16), i * (T::kLanes / kRowChunks), 0);
        *reinterpret_cast<Chunk*>(to) = key[i];
      }
      struct alignas(8) FourKeys {
        u32 low, high;
      };
      const int first = static_cast<int>(part().column);
      const int group = static_cast<int>(part().group);
      ROCVET_UNROLL
      for (int i = 0; i < kColumns; ++i) {
        const int word = i / 2;
        const FourKeys four = i % 2 == 0 ? FourKeys{low_halves(value[0][word], value[1][word]),
                                                    low_halves(value[2][word], value[3][word])}
                                         : FourKeys{high_halves(value[0][word], value[1][word]),
                                                    high_halves(value[2][word], value[3][word])};
        u8* to = shared + kStepBytes + turned(first + i, group / 2 * 16) + group % 2 * 8;
        *reinterpret_cast<FourKeys*>(to) = four;
      }
    }
  };

  /// The largest (or the sum) over the lanes that hold the same query.
  static ROCVET_DEVICE float max_of_query(float x) {
    return maximum(x, shuffle_xor<T::kLanes / 2>(x));
  }
  static ROCVET_DEVICE float sum_of_query(float x) { return x + shuffle_xor<T::kLanes / 2>(x); }

  /// The weights of one step of the second product as this lane's chunks of P^T.
  using Weights = Chunk[kOwnChunks];
  static ROCVET_DEVICE void chunks_of(Chunk (&to)[T::kChunksB], const Weights& own) {
    if constexpr (isa == Isa::wmma_gfx11) {
      const bool odd = lane_index() / 16 != 0;
      ROCVET_UNROLL
      for (int i = 0; i < 4; ++i) {
        const u32 other = shuffle_xor<16>(static_cast<u32>(own[0][i]));
        to[0][i] = odd ? other : own[0][i];
        to[1][i] = odd ? own[0][i] : other;
      }
    } else {
      ROCVET_UNROLL
      for (int i = 0; i < kOwnChunks; ++i) to[i] = own[i];
    }
  }

  /// What a wave keeps from step to step.
  struct Wave {
    const AttentionShape& shape;
    u8* shared;
    int lane, start;
    Chunk query[kQueryTiles][kSteps][T::kChunksB];
    typename T::Sums out[kQueryTiles][kValueTiles];
    Total<type> total[kQueryTiles];
    /// The exponent that weights are relative to; what no score may pass without rescaling.
    float base[kQueryTiles], limit[kQueryTiles];
    u32 visible[kQueryTiles];

    ROCVET_DEVICE Wave(const AttentionShape& of, u8* to, const u8* q, u32 head, u32 first_query)
        : shape(of),
          shared(to),
          lane(static_cast<int>(lane_index())),
          start(turned(T::a(lane, 0).row, T::a(lane, 0).at)),
          out{},
          total{} {
      ROCVET_UNROLL
      for (int i = 0; i < kQueryTiles; ++i) {
        const u32 at = first_query + i * kRows + T::d(lane, 0).at;
        const u32 row = smaller(at, shape.queries - 1);
        const u8* from = q + (static_cast<u64>(head) * shape.queries + row) * kRowBytes;
        ROCVET_UNROLL
        for (int step = 0; step < kSteps; ++step) {
          ROCVET_UNROLL
          for (int chunk = 0; chunk < T::kChunksB; ++chunk) {
            query[i][step][chunk] =
                *reinterpret_cast<const Chunk*>(from + step * T::kBytes + T::b(lane, chunk).at);
          }
        }
        base[i] = 0;
        limit[i] = kMinusInfinity;
        visible[i] = shape.visible(at);
      }
    }

    ROCVET_DEVICE void read(Chunk (&part)[T::kChunksA], int base, int row, int byte) const {
      ROCVET_UNROLL
      for (int chunk = 0; chunk < T::kChunksA; ++chunk) {
        const int at = turned_from(start, row, byte + T::a(0, chunk).at);
        part[chunk] = *reinterpret_cast<const Chunk*>(shared + base + at);
      }
    }

    /// Waits for what was read but for the last `count` reads, if there are `more`: one instruction
    /// for a whole group.
    template <int count>
    static ROCVET_DEVICE void wait_but_for(bool more) {
      if constexpr (!kMfma) return;
      schedule_fence();
      if (more) {
        wait_for_shared<count>();
      } else {
        wait_for_shared<0>();
      }
      schedule_fence();
    }

    /// The maximum of a query has grown so far that a weight could pass 2^8.
    ROCVET_DEVICE void rescale(int i, float most) {
      const float before = limit[i] == kMinusInfinity ? kMinusInfinity : base[i];
      const float max = maximum(before, max_of_query(most) * shape.scale);
      base[i] = finite_or_zero(max);  // the lane's query may have seen no key yet
      const float shrink = exp2_fast(before - base[i]);
      limit[i] = (max + 8) / shape.scale;
      total[i] *= shrink;
      ROCVET_UNROLL
      for (int tile = 0; tile < kValueTiles; ++tile) out[i][tile] *= shrink;
    }

    using Scores = typename T::Sums[kQueryTiles][kKeyTiles];
    /// The scores of the keys that lie in shared memory from `at` on.
    ROCVET_DEVICE void multiply_keys(Scores& score, int at) const {
      Chunk key[kSteps / kGroup + 1][kGroup][kKeyTiles][T::kChunksA];
      if constexpr (kAhead == 1) {
        read_keys(key[0], at, 0);
        schedule_fence();
      }
      ROCVET_UNROLL
      for (int group = 0; group < kSteps / kGroup; ++group) {
        const bool more = group + kAhead < kSteps / kGroup;
        if (more) read_keys(key[group + kAhead], at, group + kAhead);
        wait_but_for<kGroup * kKeyTiles>(more);
        ROCVET_UNROLL
        for (int step = 0; step < kGroup; ++step) {
          ROCVET_UNROLL
          for (int tile = 0; tile < kKeyTiles; ++tile) {
            ROCVET_UNROLL
            for (int i = 0; i < kQueryTiles; ++i) {
              T::multiply(score[i][tile], key[group][step][tile], query[i][group * kGroup + step]);
            }
          }
        }
        schedule_fence();
      }
    }

    /// What their scores weigh, and their values into the sums.
    template <bool whole>
    ROCVET_DEVICE void add_values(Scores& score, u32 first, int at) {
      ROCVET_UNROLL
      for (int i = 0; i < kQueryTiles; ++i) {
        if constexpr (!whole) {
          ROCVET_UNROLL
          for (int tile = 0; tile < kKeyTiles; ++tile) {
            ROCVET_UNROLL
            for (int sum = 0; sum < T::kSums; ++sum) {
              if (first + tile * kRows + T::d(lane, sum).row >= visible[i]) {
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
        if (any_lane(most > limit[i])) [[unlikely]] {
          stay_in_branch();
          rescale(i, most);
        }
        ROCVET_UNROLL
        for (int tile = 0; tile < kKeyTiles; ++tile) {
          score[i][tile] = score[i][tile] * shape.scale - base[i];  // now an exponent
        }
      }

      Chunk value[kKeySteps + 1][kValueTiles][T::kChunksA];
      if constexpr (kAhead == 1) read_values(value[0], at, 0, 0, kValueTiles);
      Weights weight[kKeySteps + 1][kQueryTiles];
      Pair raised[kPairs];
      weigh_pairs(weight[0], raised, score, 0, 0, kPairs);
      weigh_pairs(weight[0], raised, score, 0, kPairs, kPairs + 1);
      schedule_fence();
      ROCVET_UNROLL
      for (int step = 0; step < kKeySteps; ++step) {
        const bool more = step + 1 < kKeySteps;
        if (more && kAhead == 1) read_values(value[step + 1], at, step + 1, 0, kValueTiles);
        wait_but_for<kValueTiles>(more);
        Chunk chunks[kQueryTiles][T::kChunksB];
        ROCVET_UNROLL
        for (int i = 0; i < kQueryTiles; ++i) chunks_of(chunks[i], weight[step][i]);
        // The weights of the next step come between, in the shadow of matrix instructions.
        ROCVET_UNROLL
        for (int tile = 0; tile < kValueTiles; ++tile) {
          constexpr int kAtOnce = 4 / T::kChunksA;
          if (kAhead == 0 && tile % kAtOnce == 0) {
            read_values(value[step], at, step, tile, tile + kAtOnce);
          }
          ROCVET_UNROLL
          for (int i = 0; i < kQueryTiles; ++i) {
            T::multiply(out[i][tile], value[step][tile], chunks[i]);
            const int part = tile * kQueryTiles + i, parts = kValueTiles * kQueryTiles;
            if (more) {
              weigh_pairs(weight[step + 1], raised, score, step + 1, kPairs * part / parts,
                          kPairs * (part + 1) / parts);
              if (part + 1 == parts) {
                weigh_pairs(weight[step + 1], raised, score, step + 1, kPairs, kPairs + 1);
              }
            }
            schedule_fence();
          }
        }
      }
    }

    /// Of the pairs of weights of one step of the second product those from `first` to `end`: each
    /// is raised, and the one before it packed, so that none waits for its exponential.
    static constexpr int kPairsOfQuery = 4 * kOwnChunks, kPairs = kPairsOfQuery * kQueryTiles;
    ROCVET_DEVICE void weigh_pairs(Weights (&to)[kQueryTiles], Pair (&raised)[kPairs],
                                   const Scores& exponent, int step, int first, int end) {
      ROCVET_UNROLL
      for (int pair = first; pair < end; ++pair) {
        if (pair < kPairs) {
          const int i = pair / kPairsOfQuery;
          const int at = step * 2 * kPairsOfQuery + pair % kPairsOfQuery * 2;
          const int tile = at / T::kSums, sum = at % T::kSums;
          raised[pair] = {exp2_fast(exponent[i][tile][sum]), exp2_fast(exponent[i][tile][sum + 1])};
        }
        if (pair > 0) {
          const int i = (pair - 1) / kPairsOfQuery, word = (pair - 1) % 4;
          Chunk& chunk = to[i][(pair - 1) % kPairsOfQuery / 4];
          chunk[word] = pack_weights<type>(raised[pair - 1]);
          if (word % 2 == 1) add_weights<type>(total[i], chunk[word - 1], chunk[word]);
        }
      }
    }

    /// Chunks of K for a group of steps of the first product, of V^T for one step of the second.
    ROCVET_DEVICE void read_keys(Chunk (&to)[kGroup][kKeyTiles][T::kChunksA], int at,
                                 int group) const {
      ROCVET_UNROLL
      for (int step = 0; step < kGroup; ++step) {
        const int byte = (group * kGroup + step) * T::kBytes;
        ROCVET_UNROLL
        for (int tile = 0; tile < kKeyTiles; ++tile) {
          read(to[step][tile], at + byte / 128 * kPanel, tile * kRows, byte % 128);
        }
      }
    }
    ROCVET_DEVICE void read_values(Chunk (&to)[kValueTiles][T::kChunksA], int at, int step,
                                   int first, int end) const {
      ROCVET_UNROLL
      for (int tile = first; tile < end; ++tile) {
        read(to[tile], at + kStepBytes, tile * kRows, step * T::kBytes);
      }
    }

    ROCVET_DEVICE void store(u8* o, u32 head, u32 first_query) const {
      ROCVET_UNROLL
      for (int i = 0; i < kQueryTiles; ++i) {
        const float all = sum_of_query(total[i][0]), scale = all > 0 ? 1 / all : 0;
        const u32 row = first_query + i * kRows + T::d(lane, 0).at;
        u16* to = reinterpret_cast<u16*>(o) + (static_cast<u64>(head) * shape.queries + row) * d;
        ROCVET_UNROLL
        for (int tile = 0; tile < kValueTiles; ++tile) {
          ROCVET_UNROLL
          for (int sum = 0; sum < T::kSums; sum += 2) {
            const u32 pair =
                pack_halves<type>(out[i][tile][sum] * scale, out[i][tile][sum + 1] * scale);
            if (row >= shape.queries) continue;
            if constexpr (isa == Isa::wmma_gfx11) {
              to[tile * kRows + T::d(lane, sum).row] = static_cast<u16>(pair);
              to[tile * kRows + T::d(lane, sum + 1).row] = static_cast<u16>(pair >> 16);
            } else {
              *reinterpret_cast<u32*>(to + tile * kRows + T::d(lane, sum).row) = pair;
            }
          }
        }
      }
    }
  };

  /// The step from `first` on, in buffer `buffer`; meanwhile a later one is brought.
  template <bool whole>
  static ROCVET_DEVICE void step(Wave& wave, Fetch& fetch, u32 first, u32 end, u32 wave_end,
                                 int buffer) {
    // A wave that sees none of the keys only helps to bring them.
    const bool sees = whole || first < wave_end, more = whole || first + kBuffers * kKeys < end;
    typename Wave::Scores score = {};
    barrier();
    if constexpr (kBuffers == 1) {
      fetch.store(wave.shared);
      barrier();
    }
    if (sees) wave.multiply_keys(score, buffer * kBuffer);
    if constexpr (kBuffers == 2) {
      schedule_fence();
      wait_for_loads();
      if (whole || first + kKeys < end) fetch.store(wave.shared + (1 - buffer) * kBuffer);
      schedule_fence();
    }
    if (more) fetch.template load<whole>();
    if (sees) wave.template add_values<whole>(score, first, buffer * kBuffer);
  }

  static ROCVET_DEVICE void run(const Chunk* q, const Chunk* k, const Chunk* v, u8* o,
                                const AttentionShape& shape, u8* shared) {
    const AttentionBlock block(shape, block_index(), kQueries);
    const u32 wave_query = block.first_query + wave_index() * kWaveQueries;
    const u64 kv_start = static_cast<u64>(block.kv_head) * shape.keys * kRowBytes;
    Fetch fetch(reinterpret_cast<const u8*>(k) + kv_start,
                reinterpret_cast<const u8*>(v) + kv_start, shape.keys);
    Wave wave(shape, shared, reinterpret_cast<const u8*>(q), block.head, wave_query);

    const u32 end = shape.visible(block.first_query + kQueries - 1);
    const u32 wave_end = shape.visible(wave_query + kWaveQueries - 1);
    // Keys of steps that all queries of the wave see and that fetch none past the last key.
    const u32 seen = shape.visible(wave_query), ahead = kBuffers * kKeys;
    const u32 whole_end = smaller(seen, larger(shape.keys, ahead) - ahead);

    if (end != 0) fetch.template load<false>();
    if constexpr (kBuffers == 2) {
      if (end != 0) fetch.store(shared);
      if (end > kKeys) fetch.template load<false>();
    }
    wait_for_loads();  // the compiler would have them waited for in every turn of the loops
    u32 first = 0;
    for (; first + kBuffers * kKeys <= whole_end; first += kBuffers * kKeys) {
      ROCVET_UNROLL
      for (int buffer = 0; buffer < kBuffers; ++buffer) {
        step<true>(wave, fetch, first + buffer * kKeys, end, wave_end, buffer);
      }
    }
    for (int buffer = 0; first < end; first += kKeys) {
      step<false>(wave, fetch, first, end, wave_end, buffer);
      buffer = kBuffers - 1 - buffer;
    }
    wave.store(o, block.head, wave_query);
  }
};

}  // namespace rocvet::kernel
