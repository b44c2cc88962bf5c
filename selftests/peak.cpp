// What the arithmetic units can issue: products of registers alone, no memory in the way. The
// engine clock is counted in the kernel, so that the figure can be judged by what these units
// should do at the clock that they ran at, on a part that nobody has measured before.
#include "selftests/kernels/peak.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/median.h"
#include "base/text.h"
#include "selftests/device.h"

namespace rocvet {
namespace {

struct PeakType {
  int place;         ///< of its shape
  const char* name;  ///< "fp32"
};
constexpr PeakType of(kernel::Type type, const char* name) {
  return {static_cast<int>(type), name};
}
constexpr PeakType kFp64 = of(kernel::Type::fp64, "fp64");
constexpr PeakType kFp32 = of(kernel::Type::fp32, "fp32");
constexpr PeakType kFp16 = of(kernel::Type::fp16, "fp16");
constexpr PeakType kBf16 = of(kernel::Type::bf16, "bf16");
constexpr PeakType kFp8 = of(kernel::Type::fp8, "fp8");
constexpr PeakType kInt8 = of(kernel::Type::int8, "int8");
constexpr PeakType kFp6{kernel::kPeakFp6, "fp6"}, kFp4{kernel::kPeakFp4, "fp4"};

constexpr double kLaunch_ms = 4;  // long beside what a launch costs

kernel::PeakShape shape_of(Device& device, const PeakType& type) {
  std::vector<kernel::PeakShape> all(kernel::kPeaks);
  const Buffer to = device.upload(all);
  device.launch(device.kernel("peak", "peak_shape"), {1, 64, 0}, to);
  all = device.download<kernel::PeakShape>(to, all.size());
  return all[static_cast<std::size_t>(type.place)];
}

/// The blocks of one launch, and the portions that they share.
class Work {
 public:
  Work(Device& device, const PeakType& type, const kernel::PeakShape& shape, std::uint32_t blocks,
       const Params& params)
      : device_(device),
        shape_(shape),
        function_(device.kernel("peak", std::string("peak_") + type.name)),
        next_(device.upload(std::vector<std::uint32_t>(64, 0))),
        blocks_(blocks),
        rows_(device.upload(std::vector<kernel::PeakBlock>(blocks))),
        seed_(static_cast<std::uint32_t>(params.seed)) {}

  void launch(std::uint32_t portions, std::uint32_t pairs) {
    device_.launch(function_, {blocks_, shape_.threads, shape_.dynamic_lds}, next_, rows_, first_,
                   portions, pairs, seed_);
    first_ += portions + blocks_;  // each block also takes the one that tells it to stop
  }
  std::vector<kernel::PeakBlock> rows() {
    return device_.download<kernel::PeakBlock>(rows_, blocks_);
  }
  double operations(std::uint32_t portions, std::uint32_t pairs) const {
    return static_cast<double>(shape_.operations) * portions * (2.0 * pairs + 1);
  }

 private:
  Device& device_;
  const kernel::PeakShape& shape_;
  gpu::Handle function_;
  Buffer next_;
  std::uint32_t blocks_;
  Buffer rows_;
  std::uint32_t seed_, first_ = 0;
};

/// "" when all portions were done and gave `digest`.
std::string what_is_wrong(const std::vector<kernel::PeakBlock>& rows, std::uint32_t portions,
                          std::uint32_t digest) {
  std::uint64_t done = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const kernel::PeakBlock& row = rows[i];
    done += row.portions;
    if (row.portions == 0) continue;
    const std::string place = "block " + std::to_string(i) + " on unit " + std::to_string(row.unit);
    if (row.digest != digest) return place + " computed other sums than one step gives";
    if (row.changed > 0)
      return place + " got other sums later: in " + std::to_string(row.changed) + " of its threads";
  }
  if (done == portions) return "";
  return std::to_string(done) + " of " + std::to_string(portions) + " portions were done";
}

/// How many units took part, and how much the least busy one did of what the middle one did.
std::string spread_over_units(const std::vector<kernel::PeakBlock>& rows) {
  std::map<std::uint32_t, std::uint32_t> portions;
  for (const kernel::PeakBlock& row : rows) portions[row.unit] += row.portions;
  std::vector<std::uint32_t> sorted;
  for (const auto& [unit, count] : portions) sorted.push_back(count);
  std::ranges::sort(sorted);
  const double middle = sorted[sorted.size() / 2];
  return std::to_string(sorted.size()) + " units took part; the slowest did " +
         fixed(middle > 0 ? 100 * sorted.front() / middle : 0, 0) + " % of what most did";
}

/// What a launch does in a second, in TFLOP/s, for each MHz that the engine clock was counted at
/// meanwhile; 0 when the counter does not tell.
double rate_per_mhz(Device& device, Work& work, std::uint32_t portions, std::uint32_t pairs) {
  const Stopwatch watch = device.stopwatch();
  std::vector<double> seen;
  for (int i = 0; i < 3; ++i) {
    const double ms = watch.ms([&] { work.launch(portions, pairs); });
    std::uint64_t cycles = 0;
    for (const kernel::PeakBlock& row : work.rows())
      cycles = std::max<std::uint64_t>(cycles, row.cycles);
    if (ms <= 0 || !believable_clock(device.info(), static_cast<double>(cycles) / ms * 1e-3))
      continue;
    seen.push_back(work.operations(portions, pairs) * 1e-6 / static_cast<double>(cycles));
  }
  return seen.empty() ? 0 : median(seen);
}

template <const PeakType& type>
Measurement run(Device& device, const Params& params) {
  const kernel::PeakShape shape = shape_of(device, type);
  if (shape.threads == 0)
    throw TestFailure{
        {Error::Kind::unsupported, device.info().arch,
         std::string("no instructions for ") + type.name + " that rocvet's kernels use"}};
  const auto units = static_cast<std::uint32_t>(std::max(device.info().compute_units, 1));
  // Some targets count the clock in 20 bits: a portion must end before they turn twice.
  const bool slow = type.place == kFp64.place;
  const std::uint32_t pairs =
      pick<std::uint32_t>(device, params.size, 1, slow ? 25 : 100, slow ? 25 : 100, 4);
  const std::uint32_t blocks = pick<std::uint32_t>(device, params.size, 2, 2 * units, 2 * units, 4);
  std::uint32_t portions =
      pick<std::uint32_t>(device, params.size, 4, 32 * blocks, 32 * blocks, 16);

  Work work(device, type, shape, blocks, params);
  work.launch(blocks, 0);
  const auto single = work.rows();
  const auto any = std::ranges::find_if(single, [](const auto& row) { return row.portions > 0; });
  if (any == single.end()) fail("peak_" + std::string(type.name), "no block did any work");
  const std::uint32_t digest = any->digest;
  std::string wrong = what_is_wrong(single, blocks, digest);
  device.stage("prepare");
  if (wrong.empty()) {
    work.launch(portions, pairs);
    wrong = what_is_wrong(work.rows(), portions, digest);
  }
  device.stage("verify");

  Measurement result;
  result.metric = std::string(type.name) + " products of registers";
  result.unit = type.place == kInt8.place ? "TOP/s" : "TFLOP/s";
  result.data = "1, -1, 2 and -2";
  if (!wrong.empty()) {
    result.verification = {INFINITY, 0, wrong};
    return result;
  }
  const auto launch = [&] { work.launch(portions, pairs); };
  if (params.time_limit_s > 0 && !device.is_host()) {
    const double ms = device.stopwatch().ms(launch);
    const double times = std::clamp(kLaunch_ms / std::max(ms, 1e-3), 1.0, 64.0);
    portions = static_cast<std::uint32_t>(portions * times);
  }
  result.work = work.operations(portions, pairs);
  for (const double ms : device.time_ms(launch, params))
    result.samples.push_back(result.work / ms * 1e-9);
  if (params.time_limit_s > 0 && !device.is_host()) {
    // The clock of the samples, which may have been another than that of these launches.
    const double per_mhz = rate_per_mhz(device, work, portions, pairs);
    if (per_mhz > 0) result.clock_mhz = median(result.samples) / per_mhz;
  }
  device.stage("measure");
  const auto last = work.rows();
  wrong = what_is_wrong(last, portions, digest);
  if (!wrong.empty()) result.verification = {INFINITY, 0, wrong};
  if (!device.is_host()) result.notes.push_back(spread_over_units(last));
  return result;
}

std::optional<std::string> never(const DeviceRun&) {
  return std::nullopt;
}

constexpr std::string_view kDoc = R"(
## What it does
Multiplies and adds numbers that stay in registers (on NVIDIA's Hopper: in shared memory), with the
instructions that the matrix products use. Blocks take portions of the work in turn until none is
left, and say where they ran, how much they did and in how many cycles of the engine clock. The sums
are whole numbers that a single step gives as well: they must be the same in every block, portion
and launch.

## What a failure means
Other sums under load than in a single step, or on one unit than on the others, are faulty
arithmetic units or too low a voltage: no program on this GPU can be trusted. The evidence names the
unit by the hardware's own number.

## What the figure means
What the arithmetic units can issue, which no program exceeds. It is judged at the clock that was
counted meanwhile: compute units x clock x operations of each in a cycle. What is lost beyond that
are units that are off, slow, or shared with another program. A clock that is far below the
highest is named with its reason: heat, the power limit, a chosen performance level.
)";

}  // namespace

extern const SelfTest kPeakFp64, kPeakFp32, kPeakFp16, kPeakBf16, kPeakFp8, kPeakInt8, kPeakFp6,
    kPeakFp4;
constinit const SelfTest kPeakFp64{"peak.fp64", "what the units issue in double precision", kDoc,
                                   never, guarded<run<kFp64>>};
constinit const SelfTest kPeakFp32{"peak.fp32", "what the units issue in single precision", kDoc,
                                   never, guarded<run<kFp32>>};
constinit const SelfTest kPeakFp16{"peak.fp16", "what the units issue in half precision", kDoc,
                                   never, guarded<run<kFp16>>};
constinit const SelfTest kPeakBf16{"peak.bf16", "what the units issue in bfloat16", kDoc, never,
                                   guarded<run<kBf16>>};
constinit const SelfTest kPeakFp8{"peak.fp8", "what the units issue in 8-bit floating point", kDoc,
                                  never, guarded<run<kFp8>>};
constinit const SelfTest kPeakInt8{"peak.int8", "what the units issue in 8-bit integers", kDoc,
                                   never, guarded<run<kInt8>>};
constinit const SelfTest kPeakFp6{"peak.fp6",
                                  "what the units issue in block-scaled 6-bit floating point", kDoc,
                                  never, guarded<run<kFp6>>};
constinit const SelfTest kPeakFp4{"peak.fp4",
                                  "what the units issue in block-scaled 4-bit floating point", kDoc,
                                  never, guarded<run<kFp4>>};

}  // namespace rocvet
