// Conversions between single precision and narrower formats, on every compute unit.
//
// Every block converts all inputs and compares its results with those that the host expects. It
// says how many differ, which ones, and a digest of all that it got: the host need not believe its
// comparison.
#include "clock.h"
#include "convert_instructions.h"
#include "memory.h"

namespace rocvet::kernel {

struct ConvertProblem {
  const u32 *from, *expected;  ///< bits of numbers, in a word each
  u32 count;                   ///< a multiple of kConvertStep
  u32 magnitude, infinity;     ///< results above `infinity`, the sign aside, are NaN: all of them
                               ///< count as `magnitude`
  float scale;
};

template <Narrow format, bool widen>
ROCVET_DEVICE void convert(const ConvertProblem& of, ConvertFound* found, ConvertBlock* blocks) {
  using Convert = ConvertOf<format>;
  constexpr u32 kWidth = widen ? Convert::kWiden : Convert::kNarrow;
  if constexpr (kWidth != 0) {
    ROCVET_SHARED(u32, digests, kConvertThreads);
    ROCVET_SHARED(u32, differing, kConvertThreads);
    choose_overflow<format>();
    // No lane is given the same numbers in every block.
    const u32 place = (thread_index() + 67 * block_index()) % kConvertThreads;
    u32 digest = 0, wrong = 0;
    for (u32 first = place; first < of.count; first += kWidth * kConvertThreads) {
      u32 from[kWidth], to[kWidth];
      ROCVET_UNROLL
      for (u32 i = 0; i < kWidth; ++i) from[i] = of.from[first + i * kConvertThreads];
      if constexpr (widen) {
        Convert::widen(from, to, of.scale);
      } else {
        Convert::narrow(from, to, of.scale);
      }
      ROCVET_UNROLL
      for (u32 i = 0; i < kWidth; ++i) {
        const u32 at = first + i * kConvertThreads;
        const u32 got = (to[i] & of.magnitude) > of.infinity ? of.magnitude : to[i];
        digest += convert_digest(at, got);
        if (got == of.expected[at]) continue;
        const u32 slot = wrong++ < kConvertWrongs ? system_add(&found->count, 1) : kConvertWrongs;
        if (slot < kConvertWrongs) {
          found->wrong[slot] = {at, to[i], block_index(), unit_number()};
        }
      }
    }
    digests[thread_index()] = digest;
    differing[thread_index()] = wrong;
    barrier();
    if (thread_index() != 0) return;
    for (u32 i = 1; i < kConvertThreads; ++i) {
      digest += digests[i];
      wrong += differing[i];
    }
    blocks[block_index()] = {wrong, digest, unit_number()};
  }
}

template <Narrow format>
ROCVET_DEVICE void describe_conversion(ConvertShape* all) {
  all[static_cast<int>(format)] = {ConvertOf<format>::kNarrow, ConvertOf<format>::kWiden,
                                   fp8_format(kIsa) == Fp8::fnuz, convert_scales(format)};
}

}  // namespace rocvet::kernel

using namespace rocvet::kernel;

/// `found` is zero before. Blocks of kConvertThreads threads.
#define ROCVET_CONVERT(name, format, widen)                                                       \
  ROCVET_KERNEL(256, 1)                                                                           \
  name(const u32* from, const u32* expected, u32 count, u32 magnitude, u32 infinity, float scale, \
       ConvertFound* found, ConvertBlock* blocks) {                                               \
    convert<Narrow::format, widen>({from, expected, count, magnitude, infinity, scale}, found,    \
                                   blocks);                                                       \
  }
ROCVET_CONVERT(narrow_fp16, fp16, false)
ROCVET_CONVERT(narrow_bf16, bf16, false)
ROCVET_CONVERT(narrow_e4m3, e4m3, false)
ROCVET_CONVERT(narrow_e5m2, e5m2, false)
ROCVET_CONVERT(narrow_e2m3, e2m3, false)
ROCVET_CONVERT(narrow_e3m2, e3m2, false)
ROCVET_CONVERT(narrow_e2m1, e2m1, false)
ROCVET_CONVERT(widen_fp16, fp16, true)
ROCVET_CONVERT(widen_bf16, bf16, true)
ROCVET_CONVERT(widen_e4m3, e4m3, true)
ROCVET_CONVERT(widen_e5m2, e5m2, true)
ROCVET_CONVERT(widen_e2m3, e2m3, true)
ROCVET_CONVERT(widen_e3m2, e3m2, true)
ROCVET_CONVERT(widen_e2m1, e2m1, true)

/// Writes one ConvertShape per Narrow.
ROCVET_KERNEL(64, 1) convert_shape(ConvertShape* all) {
  if (thread_index() != 0) return;
  describe_conversion<Narrow::fp16>(all);
  describe_conversion<Narrow::bf16>(all);
  describe_conversion<Narrow::e4m3>(all);
  describe_conversion<Narrow::e5m2>(all);
  describe_conversion<Narrow::e2m3>(all);
  describe_conversion<Narrow::e3m2>(all);
  describe_conversion<Narrow::e2m1>(all);
}
