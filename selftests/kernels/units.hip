// Small kernels for what is not arithmetic: memory patterns, atomics and coherence with the host,
// the same work on every compute unit, and an empty one whose launch is timed.
#include "clock.h"
#include "pattern.h"

using namespace rocvet::kernel;

/// Words first to first + count of a test of memory get their pattern.
ROCVET_KERNEL(256, 1)
pattern_fill(u32* to, u64 first, u64 count, u32 kind, u32 seed, u32 blocks) {
  const u64 step = static_cast<u64>(blocks) * 256;
  for (u64 at = static_cast<u64>(block_index()) * 256 + thread_index(); at < count; at += step) {
    to[at] = pattern(static_cast<Pattern>(kind), first + at, seed);
  }
}

/// found[0] counts wrong words. For the first 62 of them found[2 + 3 i] and the next two are: place
/// (low, high), the bits that differ. With `invert`, each word is replaced by its complement after
/// it was compared, and the complement is what the next pass with `inverted` compares with.
ROCVET_KERNEL(256, 1)
pattern_check(u32* words, u32* found, u64 first, u64 count, u32 kind, u32 seed, u32 inverted,
              u32 invert, u32 blocks) {
  const u64 step = static_cast<u64>(blocks) * 256;
  for (u64 at = static_cast<u64>(block_index()) * 256 + thread_index(); at < count; at += step) {
    const u32 right = pattern(static_cast<Pattern>(kind), first + at, seed) ^ (inverted ? ~0u : 0u);
    const u32 wrong = words[at] ^ right;
    if (wrong != 0) {
      const u32 slot = system_add(found, 1);
      if (slot < 62) {
        found[2 + 3 * slot] = static_cast<u32>(first + at);
        found[3 + 3 * slot] = static_cast<u32>((first + at) >> 32);
        found[4 + 3 * slot] = wrong;
      }
    }
    if (invert) words[at] = ~right;
  }
}

/// Every thread adds 1 `rounds` times, and its own number once to a second word.
ROCVET_KERNEL(256, 1) atomic_count(u32* counters, u32 rounds) {
  for (u32 i = 0; i < rounds; ++i) system_add(counters, 1);
  system_add(counters + 1, block_index() * 256 + thread_index());
}

/// One thread answers the host, word by word: waits for flag i, reads the question, writes the
/// answer, raises the other flag. Gives up after many looks, so that it always ends.
ROCVET_KERNEL(64, 1) coherence_answer(u32* question, u32* answer, u32 rounds, u32 patience) {
  if (thread_index() != 0) return;
  for (u32 i = 1; i <= rounds; ++i) {
    u32 looks = 0;
    for (u32 seen; (seen = system_load(question)) != i;) {
      if (seen == ~0u || ++looks > patience) return;  // the host has given up, or cannot be seen
    }
    answer[1] = mixed(question[1]);
    system_store(answer, i);
  }
}

/// The same seeded work in every block; bits[block] is what came of it, place[block] where it ran
/// (HW_ID and XCC_ID, 0 where the hardware does not tell).
ROCVET_KERNEL(256, 1) uniform_work(u32* bits_of, u32* place, u32 rounds, u32 seed) {
  ROCVET_SHARED(float, shared, 256);
  float value = 1.0f + static_cast<float>(mixed(seed ^ thread_index()) & 0xffff) * 0x1p-16f;
  u32 digest = 0;
  for (u32 i = 0; i < rounds; ++i) {
    shared[thread_index()] = value;
    barrier();
    const float other = shared[(thread_index() * 7 + i) % 256];
    barrier();
    value = value * 0.75f + other * 0.3125f;
    if (value > 4.0f) value -= 3.0f;
    digest = digest * 31 + bits<u32>(value);
  }
  ROCVET_SHARED(u32, digests, 256);
  digests[thread_index()] = digest;
  barrier();
  if (thread_index() != 0) return;
  u32 all = 0;
  for (u32 i = 0; i < 256; ++i) all = all * 31 + digests[i];
  bits_of[block_index()] = all;
  place[block_index()] = hardware_place();
}

/// Adds `value` to each of 256 words after some work: later launches of a stream see earlier ones.
ROCVET_KERNEL(256, 1) ordered_step(u32* words, u32 multiply, u32 add) {
  const u32 at = block_index() * 256 + thread_index();
  words[at] = words[at] * multiply + add;
}

/// counts[0]: cycles of the engine clock while one wave is busy, [1]: ticks of the steady one.
ROCVET_KERNEL(64, 1) count_clock(u64* counts, u32 rounds, float* never) {
  const u64 began = steady_ticks();
  EngineClock clock;
  float value = static_cast<float>(thread_index());
  for (u32 i = 0; i < rounds; ++i) {
    ROCVET_UNROLL
    for (int j = 0; j < 64; ++j) value = value * 0.75f + 0.3125f;
    keep_here(value);
    clock.look();
  }
  const u64 ticks = steady_ticks() - began;
  if (never != nullptr) *never = value;
  if (thread_index() != 0) return;
  counts[0] = clock.cycles();
  counts[1] = ticks;
}

/// Nothing: what is timed is the launch.
ROCVET_KERNEL(64, 1) empty_kernel(u32* to) {
  if (to != nullptr && thread_index() == 0) *to = 1;
}

/// `count` bytes, 16 at a time where both addresses allow it: for a runtime without an engine that
/// copies within the device.
ROCVET_KERNEL(256, 1) copy_bytes(u8* to, const u8* from, u64 count, u32 blocks) {
  const u64 step = static_cast<u64>(blocks) * 256;
  const u64 first = static_cast<u64>(block_index()) * 256 + thread_index();
  u64 copied = 0;
  if (((reinterpret_cast<u64>(to) | reinterpret_cast<u64>(from)) & 15) == 0) {
    copied = count / 16 * 16;
    for (u64 at = first; at < copied / 16; at += step)
      reinterpret_cast<Chunk*>(to)[at] = reinterpret_cast<const Chunk*>(from)[at];
  }
  for (u64 at = copied + first; at < count; at += step) to[at] = from[at];
}
