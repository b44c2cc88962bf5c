// Attention on Hopper: a producer warp brings Q, K and V through the tensor copy engine; two or
// three warpgroups of 64 queries each multiply. While the matrix units work on P * V of one tile of
// keys, the exponentials of the next tile are taken: its scores were asked for before. A block
// takes tiles of queries in turn: the next one's K and V are on their way while the last one is
// written.
#pragma once

#include "attention.h"
#include "sm90.h"

#if ROCVET_SM90
namespace rocvet::kernel {

/// V is read as it lies, keys outermost: 8 keys of 64 columns after one another, `panel_bytes` from
/// one 64 columns to the next. Add 128 for every 16 keys.
ROCVET_DEVICE u64 operand_columns(const void* shared, u32 panel_bytes) {
  const u64 eight_keys = 1024 >> 4, swizzle_128 = 1;
  return ((shared_address(shared) & 0x3ffff) >> 4) | u64{panel_bytes >> 4} << 16 |
         eight_keys << 32 | swizzle_128 << 62;
}

template <Type type, int d>
struct AttentionSm90 {
  // The exponentials take as long as the products when d is 64: registers allow a third warpgroup.
  static constexpr int kConsumers = d == 64 ? 3 : 2, kThreads = 128 * (kConsumers + 1);
  static constexpr int kRegistersLeft = d == 64 ? 32 : 24, kRegisters = d == 64 ? 160 : 240;
  /// Three warpgroups ask for products in turn, so that one's exponentials meet the others'
  /// products; two find into that by themselves (2 to 4 % slower in turn on an H200).
  static constexpr bool kInTurn = kConsumers == 3;
  static constexpr int kStages = 2;
  static constexpr int kQueries = 64 * kConsumers, kKeys = 128, kPanels = d / 64;
  static constexpr int kQueryBytes = kQueries * d * 2, kTileBytes = kKeys * d * 2;
  static constexpr int kSharedBytes = kQueryBytes + 2 * kStages * kTileBytes + 1024 + 128;
  static constexpr int kOut = d / 2;  // sums of O of a thread

  struct Pipe {
    u32 stage = 0, parity = 0;
    ROCVET_DEVICE void next() {
      if (++stage == kStages) {
        stage = 0;
        parity ^= 1;
      }
    }
  };

  static ROCVET_DEVICE void bring(u8* to, const TensorMap* map, PhaseBarrier* full, u32 row,
                                  u32 head, int rows) {
    full->arrive_and_expect(rows * d * 2);
#pragma unroll
    for (int panel = 0; panel < kPanels; ++panel) {
      copy_box(to + panel * rows * 128, map, full, panel * 64, static_cast<int>(row),
               static_cast<int>(head));
    }
  }

  /// S = Q * K^T of 64 queries and 128 keys; asked for, not waited for.
  static ROCVET_DEVICE void scores(float (&s)[64], const u8* q, const u8* k) {
    warpgroup_arrive();
#pragma unroll
    for (int step = 0; step < d / 16; ++step) {
      const u64 left = operand_rows128(q + step / 4 * kQueries * 128) + step % 4 * 2;
      const u64 right = operand_rows128(k + step / 4 * kKeys * 128) + step % 4 * 2;
      multiply_64x128<type>(s, left, right, step != 0);
    }
    warpgroup_commit();
  }
  /// O += P * V; asked for, not waited for.
  static ROCVET_DEVICE void weigh(float (&o)[kOut], const u32 (&p)[32], const u8* v) {
    warpgroup_arrive();
#pragma unroll
    for (int step = 0; step < kKeys / 16; ++step) {
      const u64 values = operand_columns(v, kKeys * 128) + step * 128;
      multiply_registers<type>(o, p + 4 * step, values);
    }
    warpgroup_commit();
  }

  struct Softmax {
    float max[2] = {kMinusInfinity, kMinusInfinity}, total[2] = {}, shrink[2];

    /// Turns scores into weights. `keys_left`: of this tile, those that the thread's two queries
    /// see.
    template <bool masked>
    ROCVET_DEVICE void take(float (&s)[64], float scale, const int (&keys_left)[2]) {
      const int column = static_cast<int>(lane_index()) % 4 * 2;
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float most = kMinusInfinity;
#pragma unroll
        for (int i = 0; i < 32; ++i) {
          const int at = i / 2 * 4 + half * 2 + i % 2;
          if (masked && i / 2 * 8 + column + i % 2 >= keys_left[half]) s[at] = kMinusInfinity;
          most = maximum(most, s[at]);
        }
        most = larger(most, shuffle_xor<1>(most));
        most = larger(max[half], larger(most, shuffle_xor<2>(most)) * scale);
        const float base = masked ? finite_or_zero(most) : most;
        shrink[half] = exp2_fast(max[half] - base);
        max[half] = most;
        float sum = 0;
#pragma unroll
        for (int i = 0; i < 32; ++i) {
          const int at = i / 2 * 4 + half * 2 + i % 2;
          s[at] = exp2_fast(__fmaf_rn(s[at], scale, -base));
          sum += s[at];
        }
        total[half] = __fmaf_rn(total[half], shrink[half], sum);
      }
    }
  };

  static ROCVET_DEVICE void pack(u32 (&p)[32], const float (&s)[64]) {
#pragma unroll
    for (int i = 0; i < 32; ++i) p[i] = pack_halves<type>(s[2 * i], s[2 * i + 1]);
  }
  static ROCVET_DEVICE void rescale(float (&o)[kOut], const float (&shrink)[2]) {
#pragma unroll
    for (int i = 0; i < kOut; ++i) o[i] *= shrink[i / 2 % 2];
  }

  static ROCVET_DEVICE void run(const TensorMap* map_q, const TensorMap* map_k,
                                const TensorMap* map_v, u16* out, const AttentionShape& shape,
                                u32 blocks, u8* dynamic) {
    u8* shared = dynamic + (1024 - shared_address(dynamic) % 1024) % 1024;
    u8* shared_k = shared + kQueryBytes;
    u8* shared_v = shared_k + kStages * kTileBytes;
    PhaseBarrier* full_q = reinterpret_cast<PhaseBarrier*>(shared_v + kStages * kTileBytes);
    PhaseBarrier *full_k = full_q + 1, *full_v = full_k + kStages;
    PhaseBarrier *empty_k = full_v + kStages, *empty_v = empty_k + kStages;
    PhaseBarrier* empty_q = empty_v + kStages;
    if (thread_index() == 0) {
      full_q->start(1);
      empty_q->start(kConsumers * 4);
      for (int i = 0; i < kStages; ++i) {
        full_k[i].start(1);
        full_v[i].start(1);
        empty_k[i].start(kConsumers * 4);
        empty_v[i].start(kConsumers * 4);
      }
      publish_barriers();
    }
    barrier();

    const u32 warpgroup = wave_index() / 4;
    // Both read keys from the last tile back: the masked tiles come first, the rest needs no mask.
    Pipe k_pipe, v_pipe;
    u32 q_parity = 0;
    if (warpgroup == 0) {
      give_registers<kRegistersLeft>();
      if (thread_index() != 0) return;
      for (u32 at = block_index(); at < blocks; at += grid_blocks()) {
        const AttentionBlock block(shape, at, kQueries);
        const u32 end = shape.visible(block.first_query + kQueries - 1);
        const u32 tiles = (end + kKeys - 1) / kKeys;
        if (tiles == 0) continue;
        empty_q->wait(q_parity ^ 1);
        q_parity ^= 1;
        bring(shared, map_q, full_q, block.first_query, block.head, kQueries);
        for (u32 i = 0; i <= tiles; ++i) {  // K runs one tile ahead of V
          if (i < tiles) {
            empty_k[k_pipe.stage].wait(k_pipe.parity ^ 1);
            bring(shared_k + k_pipe.stage * kTileBytes, map_k, &full_k[k_pipe.stage],
                  (tiles - 1 - i) * kKeys, block.kv_head, kKeys);
            k_pipe.next();
          }
          if (i != 0) {
            empty_v[v_pipe.stage].wait(v_pipe.parity ^ 1);
            bring(shared_v + v_pipe.stage * kTileBytes, map_v, &full_v[v_pipe.stage],
                  (tiles - i) * kKeys, block.kv_head, kKeys);
            v_pipe.next();
          }
        }
      }
      return;
    }
    take_registers<kRegisters>();
    const u32 lane = lane_index(), consumer = warpgroup - 1;
    const u8* q = shared + consumer * 64 * 128;
    if (kInTurn && consumer + 1 == kConsumers) named_barrier_arrive(1, 256);
    for (u32 at = block_index(); at < blocks; at += grid_blocks()) {
      const AttentionBlock block(shape, at, kQueries);
      const u32 end = shape.visible(block.first_query + kQueries - 1);
      const u32 tiles = (end + kKeys - 1) / kKeys;
      const u32 query = block.first_query + consumer * 64 + wave_index() % 4 * 16 + lane / 4;
      const int seen[2] = {static_cast<int>(shape.visible(query)),
                           static_cast<int>(shape.visible(query + 8))};
      const u32 unmasked = shape.visible(block.first_query + consumer * 64) / kKeys;

      float o[kOut] = {};
      Softmax softmax;
      if (tiles != 0) {
        u32 p[32];
        auto masked_take = [&](float(&s)[64], u32 tile) {
          if (tile < unmasked) {
            softmax.template take<false>(s, shape.scale, seen);
          } else {
            const int first = static_cast<int>(tile * kKeys);
            const int left[2] = {seen[0] - first, seen[1] - first};
            softmax.template take<true>(s, shape.scale, left);
          }
        };
        auto leave_k = [&](u32 tile) {
          if (lane == 0) {
            empty_k[k_pipe.stage].arrive();
            if (tile == 0) empty_q->arrive();
          }
          k_pipe.next();
        };
        auto leave_v = [&] {
          if (lane == 0) empty_v[v_pipe.stage].arrive();
          v_pipe.next();
        };
        u32 tile = tiles - 1;
        if constexpr (kInTurn) {
          // Keys that only the other warpgroups' queries see: this one's turns are empty.
          const u32 last = shape.visible(block.first_query + consumer * 64 + 63);
          for (; tile * kKeys >= last && tile != 0; --tile) {
            full_k[k_pipe.stage].wait(k_pipe.parity);
            leave_k(tile);
            full_v[v_pipe.stage].wait(v_pipe.parity);
            leave_v();
            named_barrier(1 + consumer, 256);
            named_barrier_arrive(1 + (consumer + 1) % kConsumers, 256);
          }
        }
        full_q->wait(q_parity);
        q_parity ^= 1;
        {
          float s[64];
          full_k[k_pipe.stage].wait(k_pipe.parity);
          scores(s, q, shared_k + k_pipe.stage * kTileBytes);
          warpgroup_wait<0>();
          leave_k(tile);
          masked_take(s, tile);
          pack(p, s);
        }
        while (tile-- > 0) {
          float s[64];
          full_k[k_pipe.stage].wait(k_pipe.parity);
          if (kInTurn) named_barrier(1 + consumer, 256);
          scores(s, q, shared_k + k_pipe.stage * kTileBytes);
          full_v[v_pipe.stage].wait(v_pipe.parity);
          weigh(o, p, shared_v + v_pipe.stage * kTileBytes);
          if (kInTurn) named_barrier_arrive(1 + (consumer + 1) % kConsumers, 256);
          warpgroup_wait<1>();
          leave_k(tile);
          masked_take(s, tile);
          warpgroup_wait<0>();
          leave_v();
          rescale(o, softmax.shrink);
          pack(p, s);
        }
        full_v[v_pipe.stage].wait(v_pipe.parity);
        weigh(o, p, shared_v + v_pipe.stage * kTileBytes);
        warpgroup_wait<0>();
        leave_v();
      }

#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float all = softmax.total[half];
        all += shuffle_xor<1>(all);
        all += shuffle_xor<2>(all);
        const float scale = all > 0 ? 1 / all : 0;
        const u32 row = query + 8 * half;
        if (row >= shape.queries) continue;
        u16* to = out + (static_cast<u64>(block.head) * shape.queries + row) * d + lane % 4 * 2;
#pragma unroll
        for (int i = 0; i < d / 8; ++i) {
          *reinterpret_cast<u32*>(to + 8 * i) =
              pack_halves<type>(o[4 * i + 2 * half] * scale, o[4 * i + 2 * half + 1] * scale);
        }
      }
    }
  }
};

}  // namespace rocvet::kernel
#endif
