// How fast the arithmetic units issue: products of registers alone, on the instructions that the
// gemm kernels use. Blocks take portions of the work in turn until none is left, so that no
// placement of the blocks leaves a unit idle.
//
// A portion is 2 * pairs + 1 steps. In every second one the signs of B are turned, so that the sums
// stay small whole numbers, and those of a portion are those of one step: to be exact in every
// type, and the same in every block.
#include "clock.h"
#include "memory.h"
#include "mx_tile.h"
#include "peak.h"
#include "sm90.h"
#include "tile.h"

namespace rocvet::kernel {

/// Whether peak.hip has a kernel: matrix or dot instructions, or multiply-adds of the type itself.
template <Type type>
constexpr bool has_peak() {
  if (!has_type(kIsa, type)) return false;
  if (type == Type::fp32 || type == Type::fp64 || ROCVET_HOST) return true;
#if ROCVET_DOT
  if (type == Type::fp16 || type == Type::int8) return true;
#endif
  return isa_for(kIsa, type) != Isa::scalar;
}

/// 16 bytes of 1, -1, 2 and -2.
template <Type type>
ROCVET_DEVICE Chunk small_numbers(u32 seed) {
  constexpr int kBits = 8 * smaller(bytes_of(type), 4);
  constexpr u32 kOne = type == Type::fp16   ? 0x3c00
                       : type == Type::bf16 ? 0x3f80
                       : type == Type::fp32 ? 0x3f800000
                       : type == Type::fp64 ? 0x3ff00000
                       : type == Type::int8 ? 1
                                            : (fp8_format(kIsa) == Fp8::fnuz ? 0x40 : 0x38);
  constexpr u32 kTwo = type == Type::fp16   ? 0x4000
                       : type == Type::bf16 ? 0x4000
                       : type == Type::fp32 ? 0x40000000
                       : type == Type::fp64 ? 0x40000000
                       : type == Type::int8 ? 2
                                            : (fp8_format(kIsa) == Fp8::fnuz ? 0x48 : 0x40);
  constexpr u32 kMask = kBits == 32 ? ~0u : (1u << kBits % 32) - 1;
  constexpr u32 kSign = 1u << (kBits - 1);
  Chunk chunk;
  ROCVET_UNROLL
  for (u32 i = 0; i < 4; ++i) {
    const u32 random = mixed(seed * 4 + i);
    u32 word = 0;
    ROCVET_UNROLL
    for (int at = 0; at < 32; at += kBits) {
      const u32 size = random >> at / 4 & 1 ? kTwo : kOne;
      const bool minus = random >> (at / 4 + 1) & 1;
      const u32 turned = type == Type::int8 ? (~size + 1) & kMask : size | kSign;
      word |= (minus ? turned : size) << at;
    }
    chunk[i] = type == Type::fp64 && i % 2 == 0 ? 0 : word;
  }
  return chunk;
}
/// The same with all signs turned.
template <Type type>
ROCVET_DEVICE Chunk turned(Chunk chunk) {
  ROCVET_UNROLL
  for (int i = 0; i < 4; ++i) {
    const u32 word = chunk[i];
    if constexpr (type == Type::int8) {
      chunk[i] = ~word + 0x01010101u;  // no byte is 0, so none carries
    } else if constexpr (bytes_of(type) == 1) {
      chunk[i] = word ^ 0x80808080u;
    } else if constexpr (bytes_of(type) == 2) {
      chunk[i] = word ^ 0x80008000u;
    } else {
      chunk[i] = type == Type::fp64 && i % 2 == 0 ? word : word ^ 0x80000000u;
    }
  }
  return chunk;
}

/// The compiler may not know what is in it: nothing that is made of it is made before a loop.
ROCVET_DEVICE void conceal(Chunk& chunk) {
#if ROCVET_CUDA
  ROCVET_UNROLL
  for (int i = 0; i < 4; ++i) asm volatile("" : "+r"(chunk[i]));
#else
  keep_here(chunk);
#endif
}

template <class T>
ROCVET_DEVICE u32 folded(u32 digest, T sum) {
  if constexpr (sizeof(T) == 8) {
    const u64 word = bits<u64>(sum);
    return mixed(mixed(digest ^ static_cast<u32>(word)) ^ static_cast<u32>(word >> 32));
  } else {
    return mixed(digest ^ bits<u32>(sum));
  }
}

/// What a lane multiplies: chunks of A, and of B with both signs.
template <Type type, int rows, int columns>
struct PeakOperands {
  Chunk a[rows], b[2][columns];

  ROCVET_DEVICE explicit PeakOperands(u32 seed) {
    ROCVET_UNROLL
    for (int i = 0; i < rows; ++i) {
      a[i] = small_numbers<type>(seed + 1024 * i + lane_index());
    }
    ROCVET_UNROLL
    for (int i = 0; i < columns; ++i) {
      b[0][i] = small_numbers<type>(seed + 1024 * (8 + i) + lane_index());
      b[1][i] = turned<type>(b[0][i]);
      conceal(b[0][i]);
      conceal(b[1][i]);
    }
  }
  ROCVET_DEVICE void conceal_a() {
    ROCVET_UNROLL
    for (int i = 0; i < rows; ++i) conceal(a[i]);
  }
};

/// Tiles of matrix instructions, as many as hide the time that one takes.
template <Type type, bool matrix>
struct PeakWork {
  using T = Tile<isa_for(kIsa, type), type>;
  static constexpr int kThreads = 256, kTiles = T::kSums > 4 ? 4 : 8, kSharedBytes = 0;
  static constexpr u32 kOperations =
      2u * T::kM * T::kN * (T::kBytes / bytes_of(type)) * kTiles * (kThreads / T::kLanes);

  PeakOperands<type, T::kChunksA, T::kChunksB> of;
  typename T::Sums sums[kTiles];

  ROCVET_DEVICE PeakWork(u32 seed, u8*) : of(seed) {}
  /// Each tile begins with another number: else all were one to the compiler.
  ROCVET_DEVICE void begin() {
    ROCVET_UNROLL
    for (int tile = 0; tile < kTiles; ++tile) {
      ROCVET_UNROLL
      for (int i = 0; i < T::kSums; ++i) sums[tile][i] = static_cast<Sum<type>>(tile);
    }
  }
  template <int sign>
  ROCVET_DEVICE void step() {
    if constexpr (requires { T::kIssues; }) {
      ROCVET_UNROLL
      for (int part = 0; part < T::kIssues; ++part) {
        ROCVET_UNROLL
        for (int tile = 0; tile < kTiles; ++tile) T::issue(sums[tile], of.a, of.b[sign], part);
      }
    } else {
      ROCVET_UNROLL
      for (int tile = 0; tile < kTiles; ++tile) T::multiply(sums[tile], of.a, of.b[sign]);
    }
  }
  ROCVET_DEVICE void conceal_operands() { of.conceal_a(); }
  ROCVET_DEVICE void end() {}
  ROCVET_DEVICE u32 digest() {
    u32 all = 0;
    ROCVET_UNROLL
    for (int tile = 0; tile < kTiles; ++tile) {
      ROCVET_UNROLL
      for (int i = 0; i < T::kSums; ++i) all = folded(all, sums[tile][i]);
    }
    return all;
  }
};

/// Multiply-adds and dot products of each lane.
template <Type type>
struct PeakWork<type, false> {
  static constexpr int kThreads = 256, kRows = 4, kColumns = 4, kSharedBytes = 0;
  static constexpr u32 kOperations =
      2u * kRows * kColumns * (16 / bytes_of(type)) * static_cast<u32>(kThreads);

  PeakOperands<type, kRows, kColumns> of;
  Sum<type> sums[kRows * kColumns];

  ROCVET_DEVICE PeakWork(u32 seed, u8*) : of(seed) {}
  ROCVET_DEVICE void begin() {
    ROCVET_UNROLL
    for (int i = 0; i < kRows * kColumns; ++i) sums[i] = static_cast<Sum<type>>(i);
  }
  template <int sign>
  ROCVET_DEVICE void step() {
    if constexpr (type == Type::fp32 && ROCVET_CUDA) {
      // Squares of few numbers: an H200 reads no more registers than that at full rate (with 16
      // different factors it does 0.68 of it).
      ROCVET_UNROLL
      for (int at = 0; at < 4; ++at) {
        ROCVET_UNROLL
        for (int i = 0; i < kRows * kColumns; ++i) {
          const float factor = bits<float>(of.a[i % kRows][0]);
          sums[i] = __builtin_fmaf(sign == 0 ? factor : -factor, factor, sums[i]);
        }
      }
    } else {
      ROCVET_UNROLL
      for (int i = 0; i < kRows * kColumns; ++i) {
        add_products<type>(sums[i], of.a[i / kColumns], of.b[sign][i % kColumns]);
      }
    }
  }
  ROCVET_DEVICE void conceal_operands() {
    // There no product is made before a sum.
    if constexpr (type != Type::fp32 || !ROCVET_CUDA) of.conceal_a();
  }
  ROCVET_DEVICE void end() {}
  ROCVET_DEVICE u32 digest() {
    u32 all = 0;
    ROCVET_UNROLL
    for (int i = 0; i < kRows * kColumns; ++i) all = folded(all, sums[i]);
    return all;
  }
};

#if ROCVET_SM90
/// Hopper's products of a warpgroup, which read shared memory: it is filled once.
template <Type type>
struct PeakSm90 {
  static constexpr int kThreads = 256, kRows = 64, kColumns = 256, kRowBytes = 128;
  static constexpr int kSharedBytes = (kRows + 2 * kColumns) * kRowBytes + 1024;
  static constexpr u32 kOperations =
      2u * kRows * kColumns * (kRowBytes / bytes_of(type)) * (kThreads / 128);

  u64 a, b[2];
  Sum<type> sums[128];
  u32 keep = 0;

  ROCVET_DEVICE PeakSm90(u32 seed, u8* dynamic) {
    u8* shared = dynamic + (1024 - shared_address(dynamic) % 1024) % 1024;
    Chunk* chunks = reinterpret_cast<Chunk*>(shared);
    constexpr u32 kOfA = kRows * kRowBytes / 16, kOfB = kColumns * kRowBytes / 16;
    for (u32 i = thread_index(); i < kOfA + kOfB; i += kThreads) {
      chunks[i] = small_numbers<type>(seed + i);
      if (i >= kOfA) chunks[i + kOfB] = turned<type>(chunks[i]);
    }
    publish_shared();
    barrier();
    a = operand_rows128(shared);
    b[0] = operand_rows128(shared + kRows * kRowBytes);
    b[1] = operand_rows128(shared + (kRows + kColumns) * kRowBytes);
  }
  ROCVET_DEVICE void begin() { keep = 0; }
  template <int sign>
  ROCVET_DEVICE void step() {
    warpgroup_arrive();
#pragma unroll
    for (int part = 0; part < 4; ++part) {
      warpgroup_multiply<type>(sums, a + 2 * part, b[sign] + 2 * part, keep);
      keep = 1;
    }
    warpgroup_commit();
    warpgroup_wait<1>();
  }
  ROCVET_DEVICE void conceal_operands() {}
  ROCVET_DEVICE void end() {
    warpgroup_wait<0>();
  }
  ROCVET_DEVICE u32 digest() {
    u32 all = 0;
#pragma unroll
    for (int i = 0; i < 128; ++i) all = folded(all, sums[i]);
    return all;
  }
};
#endif

/// Block-scaled elements of 1, -1, 2 and -2, and the same with all signs turned.
template <Mx format>
struct PeakMxOperands {
  MxOperand<format> a, b[2];

  ROCVET_DEVICE explicit PeakMxOperands(u32 seed) : a{}, b{} {
    constexpr u32 kBits = bits_of(format), kSign = 1u << (kBits - 1);
    ROCVET_UNROLL
    for (u32 i = 0; i < kMxOfLane; ++i) {
      put(a, i, code(mixed(seed + lane_index() * kMxOfLane + i)));
      const u32 of_b = code(mixed(seed + 65536 + lane_index() * kMxOfLane + i));
      put(b[0], i, of_b);
      put(b[1], i, of_b ^ kSign);
    }
    ROCVET_UNROLL
    for (int i = 0; i < MxOperand<format>::kWords; ++i) {
      keep_here(b[0].word[i]);
      keep_here(b[1].word[i]);
    }
  }
  ROCVET_DEVICE void conceal_a() {
    ROCVET_UNROLL
    for (int i = 0; i < MxOperand<format>::kWords; ++i) keep_here(a.word[i]);
  }

 private:
  static ROCVET_DEVICE u32 code(u32 random) {
    const u32 sign = random >> 8 & 1;
    return mx_power(format, static_cast<int>(random & 1)) | sign << (bits_of(format) - 1);
  }
  static ROCVET_DEVICE void put(MxOperand<format>& to, u32 at, u32 code) {
    const u32 first = at * bits_of(format), word = first / 32, shift = first % 32;
    to.word[word] |= code << shift;
    if (shift + bits_of(format) > 32) to.word[word + 1] |= code >> (32 - shift);
  }
};

#if ROCVET_AMD && (defined(__gfx950__) || defined(__gfx1250__))
template <Mx format>
struct PeakMx {
  using T = MxTile<format>;
  static constexpr int kThreads = 256, kTiles = 8, kSharedBytes = 0;
  static constexpr u32 kOperations = 2u * T::kM * T::kN * kMxStep * kTiles * (kThreads / T::kLanes);

  PeakMxOperands<format> of;
  u32 scale = 0x7f7f7f7f;  // 1 for each block
  typename T::Sums sums[kTiles];

  ROCVET_DEVICE PeakMx(u32 seed, u8*) : of(seed) { keep_here(scale); }
  /// Each tile begins with another number: else all were one to the compiler.
  ROCVET_DEVICE void begin() {
    ROCVET_UNROLL
    for (int tile = 0; tile < kTiles; ++tile) {
      ROCVET_UNROLL
      for (int i = 0; i < T::kSums; ++i) sums[tile][i] = static_cast<float>(tile);
    }
  }
  template <int sign>
  ROCVET_DEVICE void step() {
    ROCVET_UNROLL
    for (int tile = 0; tile < kTiles; ++tile) T::issue(sums[tile], of.a, of.b[sign], scale, scale);
  }
  ROCVET_DEVICE void conceal_operands() { of.conceal_a(); }
  ROCVET_DEVICE void end() {}
  ROCVET_DEVICE u32 digest() {
    u32 all = 0;
    ROCVET_UNROLL
    for (int tile = 0; tile < kTiles; ++tile) {
      ROCVET_UNROLL
      for (int i = 0; i < T::kSums; ++i) all = folded(all, sums[tile][i]);
    }
    return all;
  }
};
#else
/// Decoded one by one, on the host alone.
template <Mx format>
struct PeakMx {
  static constexpr int kThreads = 256, kSharedBytes = 0;
  static constexpr u32 kOperations = 2u * kMxBlock * kThreads;

  PeakMxOperands<format> of;
  float sum = 0;

  ROCVET_DEVICE PeakMx(u32 seed, u8*) : of(seed) {}
  ROCVET_DEVICE void begin() { sum = 0; }
  template <int sign>
  ROCVET_DEVICE void step() {
    const u8* a = reinterpret_cast<const u8*>(of.a.word);
    const u8* b = reinterpret_cast<const u8*>(of.b[sign].word);
    for (u32 i = 0; i < kMxBlock; ++i) {
      sum += from_mx<format>(mx_element<format>(a, i)) * from_mx<format>(mx_element<format>(b, i));
    }
  }
  ROCVET_DEVICE void conceal_operands() {}
  ROCVET_DEVICE void end() {}
  ROCVET_DEVICE u32 digest() { return folded(0, sum); }
};
#endif

template <Type type>
struct PeakWorkOf {
  using Plain = PeakWork<type, isa_for(kIsa, type) != Isa::scalar>;
#if ROCVET_SM90
  using type_t = typename Select<(bytes_of(type) <= 2), PeakSm90<type>, Plain>::type_t;
#else
  using type_t = Plain;
#endif
};

template <class Work>
struct PeakKernel {
  static ROCVET_DEVICE void run(u32* next, PeakBlock* blocks, u32 first, u32 portions, u32 pairs,
                                u32 seed, u8* dynamic) {
    ROCVET_SHARED(u32, taken, 1);
    ROCVET_SHARED(u32, digests, Work::kThreads);
    ROCVET_SHARED(u32, differing, Work::kThreads);
    EngineClock clock;
    Work work(seed, dynamic);
    u32 done = 0, own = 0, changed = 0;
    while (true) {
      if (thread_index() == 0) taken[0] = system_add(next, 1) - first;
      barrier();
      const u32 mine = same_in_wave(taken[0]);
      barrier();
      if (mine >= portions) break;
      work.begin();
      for (u32 pair = 0; pair < pairs; ++pair) {
        work.conceal_operands();
        work.template step<0>();
        work.template step<1>();
      }
      work.conceal_operands();
      work.template step<0>();
      work.end();
      const u32 digest = work.digest();
      if (done == 0) own = digest;
      changed += digest != own;
      ++done;
      clock.look();
    }
    digests[thread_index()] = own;
    differing[thread_index()] = changed;
    barrier();
    if (thread_index() != 0) return;
    u32 all = 0, threads = 0;
    for (u32 i = 0; i < Work::kThreads; ++i) {
      all = mixed(all ^ digests[i]);
      threads += differing[i] != 0;
    }
    blocks[block_index()] = {done, all, threads, unit_number(), clock.cycles()};
  }
};

template <Type type>
ROCVET_DEVICE void describe_peak(PeakShape* all) {
  all[static_cast<int>(type)] = {};
  if constexpr (has_peak<type>()) {
    using Work = typename PeakWorkOf<type>::type_t;
    all[static_cast<int>(type)] = {Work::kThreads, Work::kSharedBytes, Work::kOperations};
  }
}
template <Mx format>
ROCVET_DEVICE void describe_peak_mx(PeakShape& one) {
  using Work = PeakMx<format>;
  one = {};
  if constexpr (has_mx(kIsa)) one = {Work::kThreads, Work::kSharedBytes, Work::kOperations};
}

}  // namespace rocvet::kernel

using namespace rocvet::kernel;

#if ROCVET_CUDA
#define ROCVET_PEAK_SHARED ROCVET_DYNAMIC_SHARED(shared)
#else
#define ROCVET_PEAK_SHARED u8* const shared = nullptr
#endif
/// Portions first to first + portions, in the count of `next`, which every block takes one beyond.
#define ROCVET_PEAK_OF(name, has, Work)                                              \
  ROCVET_KERNEL(256, 1)                                                              \
  name(u32* next, PeakBlock* blocks, u32 first, u32 portions, u32 pairs, u32 seed) { \
    if constexpr (has) {                                                             \
      ROCVET_PEAK_SHARED;                                                            \
      PeakKernel<Work>::run(next, blocks, first, portions, pairs, seed, shared);     \
    }                                                                                \
  }
#define ROCVET_PEAK(name, type) ROCVET_PEAK_OF(name, has_peak<type>(), PeakWorkOf<type>::type_t)
#define ROCVET_PEAK_MX(name, format) ROCVET_PEAK_OF(name, has_mx(kIsa), PeakMx<format>)

ROCVET_PEAK(peak_fp64, Type::fp64)
ROCVET_PEAK(peak_fp32, Type::fp32)
ROCVET_PEAK(peak_fp16, Type::fp16)
ROCVET_PEAK(peak_bf16, Type::bf16)
ROCVET_PEAK(peak_fp8, Type::fp8)
ROCVET_PEAK(peak_int8, Type::int8)
ROCVET_PEAK_MX(peak_fp6, Mx::e2m3)
ROCVET_PEAK_MX(peak_fp4, Mx::e2m1)

/// Writes one PeakShape per Type, then those of fp6 and fp4.
ROCVET_KERNEL(64, 1) peak_shape(PeakShape* all) {
  if (thread_index() != 0) return;
  describe_peak<Type::fp16>(all);
  describe_peak<Type::bf16>(all);
  describe_peak<Type::fp8>(all);
  describe_peak<Type::int8>(all);
  describe_peak<Type::fp32>(all);
  describe_peak<Type::fp64>(all);
  describe_peak_mx<Mx::e2m3>(all[kPeakFp6]);
  describe_peak_mx<Mx::e2m1>(all[kPeakFp4]);
}
