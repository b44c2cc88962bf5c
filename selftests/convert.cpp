// Conversions between single precision and narrower formats by the hardware's own instructions, on
// every compute unit, bit by bit.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>
#include <span>

#include "selftests/device.h"
#include "selftests/formats.h"
#include "selftests/kernels/conversion.h"
#include "selftests/parallel.h"

namespace rocvet {
namespace {

using kernel::Narrow;

/// What is known of a narrow format besides its values.
struct Side {
  Narrow format;
  const char* name;    ///< as in the kernels' names
  Format ocp, fnuz;    ///< the same where there is no FNUZ of it
  bool has_infinity;   ///< what is too large becomes infinity, not the largest number
  bool has_nan;        ///< and conversions to it say what becomes of one
  std::uint32_t bits;  ///< of one number
};
constexpr Side kFp16{Narrow::fp16, "fp16", Format::fp16, Format::fp16, true, true, 16};
constexpr Side kBf16{Narrow::bf16, "bf16", Format::bf16, Format::bf16, true, true, 16};
constexpr Side kE4m3{Narrow::e4m3, "e4m3", Format::fp8_ocp, Format::fp8_fnuz, false, true, 8};
constexpr Side kE5m2{Narrow::e5m2, "e5m2", Format::fp8_e5m2, Format::fp8_e5m2_fnuz, false, true, 8};
constexpr Side kE2m3{Narrow::e2m3, "e2m3", Format::fp6_e2m3, Format::fp6_e2m3, false, false, 6};
constexpr Side kE3m2{Narrow::e3m2, "e3m2", Format::fp6_e3m2, Format::fp6_e3m2, false, false, 6};
constexpr Side kE2m1{Narrow::e2m1, "e2m1", Format::fp4_e2m1, Format::fp4_e2m1, false, false, 4};

/// Lower halves of the numbers in single precision. Of the narrow formats' numbers, the middles
/// between them and the numbers next to those, the upper half is one of 65536 and the lower half
/// one of these. fp16 keeps three bits of the lower half: middles have three of their eight values.
constexpr std::array<std::uint32_t, 3> kLower = {0, 1, 0xffff};
constexpr std::array<std::uint32_t, 6> kLowerBf16 = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
constexpr std::array<std::uint32_t, 8> kLowerFp16 = {0,      1,      0x0fff, 0x1000,
                                                     0x1001, 0x7000, 0xd000, 0xffff};
std::span<const std::uint32_t> lower_halves(Format format) {
  if (format == Format::fp16) return kLowerFp16;
  if (format == Format::bf16) return kLowerBf16;
  return kLower;
}

/// Inputs and what must come of them, in a word each.
struct Cases {
  std::vector<std::uint32_t> from, expected;
  std::size_t count = 0;        ///< of different ones; the rest fill up
  std::uint32_t magnitude = 0;  ///< the bits of a result without the sign
  std::uint32_t infinity = 0;   ///< larger ones are NaN, and all alike
};

std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
std::uint32_t code_of(Format format, double value) {
  std::uint32_t bits = 0;
  encode(format, value, &bits);  // a byte or two of a little-endian machine
  return bits;
}

void fill_up(std::vector<std::uint32_t>& values) {
  const std::size_t count = values.size();
  while (values.size() % kernel::kConvertStep != 0) values.push_back(values[values.size() % count]);
}

/// Every upper half of single precision, of both signs, with each of some lower halves. Infinity
/// and NaN are left out where the documents do not say what becomes of them.
Cases narrow_cases(const Side& side, Format format, double scale, const Params& params) {
  Cases cases;
  const bool is_fnuz = format != side.ocp;
  cases.magnitude = (1u << (side.bits - 1)) - 1;
  if (is_fnuz) cases.magnitude = 0xff;  // the sign bit alone is NaN
  const std::uint32_t nan = is_fnuz ? 0x80 : cases.magnitude;
  cases.infinity = format == Format::fp16       ? 0x7c00
                   : format == Format::bf16     ? 0x7f80
                   : format == Format::fp8_ocp  ? 0x7e
                   : format == Format::fp8_e5m2 ? 0x7c
                                                : cases.magnitude;
  // Half a step above the largest number: a tie there goes up, since that number is odd.
  const double too_large = format == Format::fp16 ? 65520.0 : 0x1.ffp127;

  // Odd: no bit stays the same. With a scale fewer do.
  const std::uint32_t step = params.size == Size::tiny ? 23 : scale == 1 ? 1 : 5;
  for (const std::uint32_t low : lower_halves(format)) {
    for (std::uint32_t high = 0; high < 65536; high += step) {
      const std::uint32_t word = high << 16 | low;
      const float value = std::bit_cast<float>(word);
      if (!side.has_nan && std::isnan(value)) continue;
      if (!side.has_infinity && std::isinf(value)) continue;
      // Manuals and simulator differ on what is too large for OCP's E5M2: nobody has seen it.
      constexpr float kTooLargeForE5m2 = 61440;
      if (format == Format::fp8_e5m2 && std::fabs(value) >= kTooLargeForE5m2) continue;
      cases.from.push_back(word);
    }
  }
  cases.count = cases.from.size();
  fill_up(cases.from);
  cases.expected.resize(cases.from.size());
  in_parallel(
      params.threads, cases.from.size(), [&](std::size_t, std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t i = first; i < last; ++i) {
          const double value = static_cast<double>(std::bit_cast<float>(cases.from[i])) / scale;
          std::uint32_t& code = cases.expected[i];
          if (std::isnan(value)) {
            code = nan;
          } else if (side.has_infinity && std::fabs(value) >= too_large) {
            code = cases.infinity | (std::signbit(value) ? 1u << (side.bits - 1) : 0);
          } else {
            code = code_of(format, value);
          }
        }
      });
  return cases;
}

/// Every code of the narrow format.
Cases widen_cases(const Side& side, Format format, double scale) {
  Cases cases;
  cases.magnitude = 0x7fffffff;
  cases.infinity = 0x7f800000;
  cases.count = std::size_t{1} << side.bits;
  for (std::uint32_t code = 0; code < cases.count; ++code) cases.from.push_back(code);
  fill_up(cases.from);
  for (const std::uint32_t code : cases.from) {
    const double value = decode(format, &code) * scale;
    cases.expected.push_back(std::isnan(value) ? cases.magnitude
                                               : bits_of(static_cast<float>(value)));
  }
  return cases;
}

class Conversions {
 public:
  Conversions(Device& device, const Params& params) : device_(device), params_(params) {
    std::vector<kernel::ConvertShape> all(kernel::kNarrows);
    const Buffer to = device.upload(all);
    device.launch(device.kernel("convert", "convert_shape"), {1, 64, 0}, to);
    shapes_ = device.download<kernel::ConvertShape>(to, all.size());
    const auto units = static_cast<std::uint32_t>(std::max(device.info().compute_units, 1));
    // Several blocks a unit: each gets some, whatever the order in which they are dealt.
    blocks_ = pick<std::uint32_t>(device, params.size, 4, units * 4, units * 4, 4);
  }

  /// Both directions, as far as the target has instructions. "" when all is right.
  std::string check(const Side& side) {
    const kernel::ConvertShape& shape = shapes_[static_cast<std::size_t>(side.format)];
    if (shape.narrow == 0) {
      throw TestFailure{{Error::Kind::unsupported, device_.info().arch,
                         std::string("no instructions that convert to ") + side.name}};
    }
    const Format format = shape.fnuz != 0 ? side.fnuz : side.ocp;
    for (const float scale : {1.0f, 8.0f}) {
      if (scale != 1 && shape.scaled == 0) continue;
      const std::string scaled = scale == 1 ? "" : " with a scale of 8";
      std::string wrong = check(std::string("narrow_") + side.name,
                                narrow_cases(side, format, static_cast<double>(scale), params_),
                                scale, "fp32 to " + name_of(side, format) + scaled);
      if (wrong.empty() && shape.widen != 0) {
        wrong = check(std::string("widen_") + side.name,
                      widen_cases(side, format, static_cast<double>(scale)), scale,
                      name_of(side, format) + " to fp32" + scaled);
      }
      if (!wrong.empty()) return wrong;
    }
    return "";
  }
  std::string summary() const {
    return std::to_string(count_) + " conversions, the same in every one of " +
           std::to_string(blocks_) + " blocks";
  }

 private:
  static std::string name_of(const Side& side, Format format) {
    return std::string(side.name) + (format != side.ocp ? " (FNUZ)" : "");
  }
  std::string check(const std::string& kernel, const Cases& cases, float scale,
                    const std::string& what) {
    count_ += cases.count;
    const Buffer from = device_.upload(cases.from), expected = device_.upload(cases.expected);
    const Buffer found = device_.upload(std::vector<kernel::ConvertFound>(1));
    const Buffer rows = device_.upload(std::vector<kernel::ConvertBlock>(blocks_));
    device_.stage("prepare");
    const auto count = static_cast<std::uint32_t>(cases.from.size());
    device_.launch(device_.kernel("convert", kernel), {blocks_, kernel::kConvertThreads, 0}, from,
                   expected, count, cases.magnitude, cases.infinity, scale, found, rows);
    std::uint32_t digest = 0;
    for (std::uint32_t i = 0; i < count; ++i)
      digest += kernel::convert_digest(i, cases.expected[i]);
    const auto blocks = device_.download<kernel::ConvertBlock>(rows, blocks_);
    std::string text;
    if (std::ranges::any_of(blocks, [](const auto& block) { return block.wrong > 0; })) {
      text = what + name_wrong(device_.download<kernel::ConvertFound>(found, 1)[0], cases) +
             count_wrong(blocks);
    }
    for (std::uint32_t i = 0; i < blocks_ && text.empty(); ++i) {
      if (blocks[i].digest == digest) continue;
      text = kernel + ": block " + std::to_string(i) + " on unit " +
             std::to_string(blocks[i].unit) +
             " has results whose digest is another, and found none wrong";
    }
    device_.stage("verify");
    return text;
  }
  static std::string name_wrong(const kernel::ConvertFound& found, const Cases& cases) {
    const kernel::ConvertWrong& first = found.wrong[0];
    const std::size_t at = std::min<std::size_t>(first.at, cases.from.size() - 1);
    char text[200];
    std::snprintf(text, sizeof text, ": of 0x%x came 0x%x, 0x%x is right, in block %u on unit %u",
                  cases.from[at], first.got, cases.expected[at], first.block, first.unit);
    return text;
  }
  static std::string count_wrong(const std::vector<kernel::ConvertBlock>& blocks) {
    std::set<std::uint32_t> units, bad;
    std::uint64_t wrong = 0;
    for (const kernel::ConvertBlock& block : blocks) {
      wrong += block.wrong;
      units.insert(block.unit);
      if (block.wrong > 0) bad.insert(block.unit);
    }
    return " (" + std::to_string(wrong) + " are wrong, on " + std::to_string(bad.size()) + " of " +
           std::to_string(units.size()) + " units)";
  }

  Device& device_;
  const Params& params_;
  std::vector<kernel::ConvertShape> shapes_;
  std::uint32_t blocks_ = 0;
  std::size_t count_ = 0;
};

template <const Side&... sides>
Measurement run(Device& device, const Params& params) {
  Conversions conversions(device, params);
  std::string wrong;
  for (const Side* side : {&sides...}) {
    if (wrong.empty()) wrong = conversions.check(*side);
  }
  Measurement result;
  result.metric = conversions.summary();
  if (!wrong.empty()) result.verification = {INFINITY, 0, wrong};
  return result;
}

std::optional<std::string> never(const DeviceRun&) {
  return std::nullopt;
}

constexpr std::string_view kDoc = R"(
## What it does
Converts numbers between single precision and a narrower format with the hardware's own
instructions, and compares every result, bit by bit, with what the definition of the format says:
nearest, ties to even. Forwards every exponent, sign and upper part of the fraction is among the
numbers, with lower parts that make ties and their neighbours; backwards it is every code. What is
too large becomes infinity in fp16 and bf16, and the largest number in fewer bits. convert.fp8 does
E4M3 and E5M2, in the flavour of the target (FNUZ on gfx942, OCP on later ones), convert.fp6 E2M3
and E3M2, convert.fp4 E2M1; the latter two also with a scale. Every block on every compute unit does
all of it.

## What a failure means
The evidence names a number, what came of it, what is right, and the unit by the hardware's own
number. One unit that differs from the others is a faulty one: no quantised model can be trusted on
this GPU. The same wrong result from every unit is a wrong mode of rounding, or a fault in rocvet:
please report it.
)";

}  // namespace

extern const SelfTest kConvertFp16, kConvertBf16, kConvertFp8, kConvertFp6, kConvertFp4;
constinit const SelfTest kConvertFp16{"convert.fp16", "numbers become half precision and back",
                                      kDoc, never, guarded<run<kFp16>>};
constinit const SelfTest kConvertBf16{"convert.bf16", "numbers become bfloat16 and back", kDoc,
                                      never, guarded<run<kBf16>>};
constinit const SelfTest kConvertFp8{"convert.fp8", "numbers become 8-bit floating point and back",
                                     kDoc, never, guarded<run<kE4m3, kE5m2>>};
constinit const SelfTest kConvertFp6{"convert.fp6", "numbers become 6-bit floating point and back",
                                     kDoc, never, guarded<run<kE2m3, kE3m2>>};
constinit const SelfTest kConvertFp4{"convert.fp4", "numbers become 4-bit floating point and back",
                                     kDoc, never, guarded<run<kE2m1>>};

}  // namespace rocvet
