// Streaming kernels: 16 bytes a lane, four loads in flight, a grid stride, past the caches (copy,
// triad and write on CUDA: see kWrites). `count` is in chunks of 16 bytes; `blocks` is the size of
// the grid.
#include "memory.h"

using namespace rocvet::kernel;

namespace stream {

constexpr u32 kThreads = 256, kUnroll = 4;
// Chunks of a thread and round where something is written. On an H200 one chunk of every thread of
// a grid as large as the arrays is a tenth faster than any grid stride; and a copy is 2 % faster
// with blocks of 128 threads and accesses that take no notice of the caches.
#if ROCVET_CUDA
constexpr u32 kWrites = 1, kCopyThreads = 128;
constexpr bool kCopyPlain = true;
#else
constexpr u32 kWrites = kUnroll, kCopyThreads = kThreads;
constexpr bool kCopyPlain = false;
#endif

ROCVET_DEVICE u64 first_chunk(u32 unroll) {
  return static_cast<u64>(block_index()) * kThreads * unroll + thread_index();
}
ROCVET_DEVICE u64 stride(u32 blocks, u32 unroll) {
  return static_cast<u64>(blocks) * kThreads * unroll;
}
/// `u` counts the chunks of a thread within a round; what lies beyond the end is zero.
ROCVET_DEVICE Chunk load(const Chunk* from, u64 base, u32 u, u64 count) {
  const u64 at = base + u * kThreads;
  return at < count ? stream_load(from + at) : Chunk{};
}
ROCVET_DEVICE void store(Chunk* to, Chunk value, u64 base, u32 u, u64 count) {
  const u64 at = base + u * kThreads;
  if (at < count) stream_store(to + at, value);
}

}  // namespace stream

/// to = from; blocks of kCopyThreads.
ROCVET_KERNEL(256, 1) bandwidth_copy(Chunk* to, const Chunk* from, u64 count, u32 blocks) {
  constexpr u32 kPerBlock = stream::kCopyThreads * stream::kWrites;
  for (u64 base = static_cast<u64>(block_index()) * kPerBlock + thread_index(); base < count;
       base += static_cast<u64>(blocks) * kPerBlock) {
    Chunk held[stream::kWrites];
    ROCVET_UNROLL
    for (u32 u = 0; u < stream::kWrites; ++u) {
      const u64 at = base + u * stream::kCopyThreads;
      if (at < count) held[u] = stream::kCopyPlain ? from[at] : stream_load(from + at);
    }
    ROCVET_UNROLL
    for (u32 u = 0; u < stream::kWrites; ++u) {
      const u64 at = base + u * stream::kCopyThreads;
      if (at >= count) continue;
      if (stream::kCopyPlain) {
        to[at] = held[u];
      } else {
        stream_store(to + at, held[u]);
      }
    }
  }
}

/// to = a + scale * b, in single precision
ROCVET_KERNEL(256, 1)
bandwidth_triad(Chunk* to, const Chunk* a, const Chunk* b, float scale, u64 count, u32 blocks) {
  for (u64 base = stream::first_chunk(stream::kWrites); base < count;
       base += stream::stride(blocks, stream::kWrites)) {
    Chunk left[stream::kWrites], right[stream::kWrites];
    ROCVET_UNROLL
    for (u32 u = 0; u < stream::kWrites; ++u) {
      left[u] = stream::load(a, base, u, count);
      right[u] = stream::load(b, base, u, count);
    }
    ROCVET_UNROLL
    for (u32 u = 0; u < stream::kWrites; ++u) {
      ROCVET_UNROLL
      for (int i = 0; i < 4; ++i) {
        const float sum = bits<float>(static_cast<u32>(left[u][i])) +
                          scale * bits<float>(static_cast<u32>(right[u][i]));
        left[u][i] = bits<u32>(sum);
      }
      stream::store(to, left[u], base, u, count);
    }
  }
}

/// Every word of to = value
ROCVET_KERNEL(256, 1) bandwidth_write(Chunk* to, u32 value, u64 count, u32 blocks) {
  const Chunk filled = {value, value, value, value};
  for (u64 base = stream::first_chunk(stream::kWrites); base < count;
       base += stream::stride(blocks, stream::kWrites)) {
    ROCVET_UNROLL
    for (u32 u = 0; u < stream::kWrites; ++u) stream::store(to, filled, base, u, count);
  }
}

/// sums[thread of the grid] = the sum of the words which that thread read; the sum of all sums does
/// not depend on the grid.
ROCVET_KERNEL(256, 1) bandwidth_read(u32* sums, const Chunk* from, u64 count, u32 blocks) {
  u32 sum = 0;
  for (u64 base = stream::first_chunk(stream::kUnroll); base < count;
       base += stream::stride(blocks, stream::kUnroll)) {
    Chunk held[stream::kUnroll];
    ROCVET_UNROLL
    for (u32 u = 0; u < stream::kUnroll; ++u) held[u] = stream::load(from, base, u, count);
    ROCVET_UNROLL
    for (u32 u = 0; u < stream::kUnroll; ++u)
      sum += held[u][0] + held[u][1] + held[u][2] + held[u][3];
  }
  sums[block_index() * stream::kThreads + thread_index()] = sum;
}
