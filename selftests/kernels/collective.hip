// Collectives whose GPUs read and write each other's memory themselves. `in` and `out` list the
// arrays of all ranks; counts are in chunks of 16 bytes.
#include "platform.h"

using namespace rocvet::kernel;

namespace collective {

constexpr u32 kThreads = 256;
constexpr u32 kAtOnce = 4;  ///< chunks of a thread that are under way over a link

ROCVET_DEVICE Chunk* array_of(const u64* list, u32 rank) {
  return reinterpret_cast<Chunk*>(list[rank]);
}
/// Chunks at, at + stride, … as far as there are some before `count`.
ROCVET_DEVICE void load(Chunk (&to)[kAtOnce], const Chunk* from, u64 at, u64 stride, u64 count) {
  ROCVET_UNROLL
  for (u32 u = 0; u < kAtOnce; ++u) {
    const u64 place = at + u * stride;
    to[u] = place < count ? from[place] : Chunk{};
  }
}
ROCVET_DEVICE void store(Chunk* to, const Chunk (&from)[kAtOnce], u64 at, u64 stride, u64 count) {
  ROCVET_UNROLL
  for (u32 u = 0; u < kAtOnce; ++u) {
    const u64 place = at + u * stride;
    if (place < count) to[place] = from[u];
  }
}

}  // namespace collective

/// This rank's part of an all-reduce: the sums of chunks first to first + count, of single
/// precision and in the order of the ranks, go to every rank. Each rank starts with another that it
/// writes to.
ROCVET_KERNEL(256, 1)
collective_reduce(const u64* in, const u64* out, u32 ranks, u32 rank, u64 first, u64 count) {
  const u64 stride = static_cast<u64>(grid_blocks()) * collective::kThreads;
  for (u64 at = static_cast<u64>(block_index()) * collective::kThreads + thread_index(); at < count;
       at += stride * collective::kAtOnce) {
    Chunk sum[collective::kAtOnce], more[collective::kAtOnce];
    collective::load(sum, collective::array_of(in, 0) + first, at, stride, count);
    for (u32 from = 1; from < ranks; ++from) {
      collective::load(more, collective::array_of(in, from) + first, at, stride, count);
      ROCVET_UNROLL
      for (u32 u = 0; u < collective::kAtOnce; ++u) {
        ROCVET_UNROLL
        for (int i = 0; i < 4; ++i) {
          sum[u][i] = bits<u32>(bits<float>(static_cast<u32>(sum[u][i])) +
                                bits<float>(static_cast<u32>(more[u][i])));
        }
      }
    }
    for (u32 step = 0; step < ranks; ++step) {
      Chunk* to = collective::array_of(out, (rank + step) % ranks) + first;
      collective::store(to, sum, at, stride, count);
    }
  }
}

/// This rank's part of an all-to-all: part r of its array, `count` chunks, goes to place `rank` of
/// rank r. Neighbouring blocks write to different ranks, so that all links are in use at once.
ROCVET_KERNEL(256, 1)
collective_exchange(const u64* in, const u64* out, u32 ranks, u32 rank, u64 count) {
  const u32 to = (rank + block_index()) % ranks;
  const u64 stride = static_cast<u64>(grid_blocks() / ranks) * collective::kThreads;
  const Chunk* source = collective::array_of(in, rank) + to * count;
  Chunk* target = collective::array_of(out, to) + rank * count;
  for (u64 at = static_cast<u64>(block_index() / ranks) * collective::kThreads + thread_index();
       at < count; at += stride * collective::kAtOnce) {
    Chunk held[collective::kAtOnce];
    collective::load(held, source, at, stride, count);
    collective::store(target, held, at, stride, count);
  }
}
