// Streaming through the device's own memory: copy, triad, read, write. Every element of the result
// is compared, on the device; samples of it on the host as well.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "selftests/device.h"
#include "selftests/kernels/pattern.h"
#include "selftests/parallel.h"
#include "selftests/random.h"

namespace rocvet {
namespace {

using kernel::Pattern;

constexpr std::uint32_t kThreads = 256, kChunkBytes = 16;
constexpr std::uint64_t kMiB = 1 << 20;

/// Bytes of one array: far above the last-level cache, far below the memory that is free.
std::uint64_t array_bytes(const Device& device, Size size, std::uint64_t arrays) {
  // 16 bytes that are no multiple of a round of the grid: the ragged end is part of the test.
  const auto wanted = pick<std::uint64_t>(device, size, 48 * 1024 + 16, 512 * kMiB + 16,
                                          1024 * kMiB + 16, 8 * kMiB + 16);
  const std::uint64_t free = device.info().free_bytes;
  const std::uint64_t most = free == 0 ? wanted : free / 2 / arrays / kChunkBytes * kChunkBytes;
  if (most < 1024) fail("allocate", "no memory is free on this device");
  return std::min(wanted, most);
}

/// Blocks of a kernel that reads only, or of one that writes: see kWrites in bandwidth.hip.
std::uint32_t grid(const Device& device, std::uint64_t chunks, std::uint32_t threads, bool writes) {
  const bool whole = writes && device.runtime().name() == "cuda";
  const std::uint64_t most = static_cast<std::uint64_t>(std::max(device.info().compute_units, 1)) *
                             (device.is_host() ? 1 : 16);
  const std::uint64_t per_block = threads * (whole ? 1u : 4u);
  const std::uint64_t needed = (chunks + per_block - 1) / per_block;
  return static_cast<std::uint32_t>(
      std::max<std::uint64_t>(whole ? needed : std::min(most, needed), 1));
}

/// Arrays that the device fills, and compares as a whole, by a rule which the host follows for
/// samples of them: of arrays up to 1 MiB, all.
class Words {
 public:
  Words(Device& device, std::uint64_t seed)
      : device_(device),
        random_(seed, 6),
        seed_(static_cast<std::uint32_t>(random_.at(0))),
        fill_(device.kernel("units", "pattern_fill")),
        check_(device.kernel("units", "pattern_check")),
        found_(device.buffer((2 + 3 * kNamed) * 4)) {}

  std::uint32_t seed() const { return seed_; }
  void fill(const Buffer& to, Pattern pattern) {
    device_.launch(fill_, {blocks(to), 256, 0}, to, kernel::u64{0}, count(to),
                   static_cast<std::uint32_t>(pattern), seed_, blocks(to));
  }
  Verification check(const Buffer& at, Pattern pattern) {
    Verification sampled = check_samples(at, pattern);
    if (!sampled.ok()) return sampled;
    device_.fill(found_, 0);
    device_.launch(check_, {blocks(at), 256, 0}, at, found_, kernel::u64{0}, count(at),
                   static_cast<std::uint32_t>(pattern), seed_, 0u, 0u, blocks(at));
    const auto found = device_.download<std::uint32_t>(found_, 2 + 3 * kNamed);
    if (found[0] == 0) return sampled;
    const std::uint64_t place = static_cast<std::uint64_t>(found[3]) << 32 | found[2];
    const std::uint32_t right = kernel::pattern(pattern, place, seed_);
    return wrong(place, right ^ found[4], right,
                 std::to_string(found[0]) + " wrong words of " + std::to_string(count(at)));
  }

 private:
  static constexpr std::uint32_t kNamed = 62;  ///< wrong words that the kernel names
  static constexpr std::uint64_t kWindow = 16 * 1024, kWindows = 16;  ///< words

  static kernel::u64 count(const Buffer& buffer) { return buffer.bytes() / 4; }
  std::uint32_t blocks(const Buffer& buffer) const {
    const std::uint64_t most = static_cast<std::uint64_t>(
        std::max(device_.info().compute_units, 1) * (device_.is_host() ? 1 : 16));
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>((count(buffer) + 255) / 256, 1, most));
  }
  static Verification wrong(std::uint64_t place, std::uint32_t got, std::uint32_t right,
                            const std::string& how_many) {
    char text[120];
    std::snprintf(text, sizeof text, "byte %llu: 0x%08x instead of 0x%08x (",
                  static_cast<unsigned long long>(place) * 4, got, right);
    return {INFINITY, 0, text + how_many + ")"};
  }
  /// The first and last words, and some between them.
  Verification check_samples(const Buffer& at, Pattern pattern) {
    const std::uint64_t all = count(at);
    if (all <= kWindow * kWindows) return check_window(at, pattern, 0, all);
    for (std::uint64_t i = 0; i < kWindows; ++i) {
      const std::uint64_t most = all - kWindow;
      const std::uint64_t first = i == 0 ? 0 : i == 1 ? most : random_.at(++drawn_) % most;
      Verification one = check_window(at, pattern, first, kWindow);
      if (!one.ok()) return one;
    }
    return {};
  }
  Verification check_window(const Buffer& at, Pattern pattern, std::uint64_t first,
                            std::uint64_t words) {
    const auto got = device_.download<std::uint32_t>(at, words, first);
    std::uint64_t wrong_words = 0, place = 0;
    for (std::uint64_t i = 0; i < words; ++i) {
      if (got[i] == kernel::pattern(pattern, first + i, seed_)) continue;
      if (wrong_words++ == 0) place = i;
    }
    if (wrong_words == 0) return {};
    return wrong(first + place, got[place], kernel::pattern(pattern, first + place, seed_),
                 std::to_string(wrong_words) + " wrong words of " + std::to_string(words));
  }

  Device& device_;
  Random random_;
  std::uint32_t seed_;
  std::uint64_t drawn_ = 0;
  gpu::Handle fill_, check_;
  Buffer found_;
};

Measurement timed(Device& device, const Params& params, const std::string& what,
                  std::uint64_t bytes_moved, const std::function<void()>& launch,
                  const std::function<Verification()>& check) {
  Measurement result;
  result.metric = what + " of " + std::to_string(bytes_moved / kMiB) + " MiB";
  result.unit = "GB/s";
  result.bytes = static_cast<double>(bytes_moved);
  launch();
  device.synchronize();
  device.stage("prepare");
  result.verification = check();
  device.stage("verify");
  if (!result.verification.ok()) return result;
  for (const double ms : device.time_ms(launch, params)) {
    result.samples.push_back(static_cast<double>(bytes_moved) / ms * 1e-6);
  }
  device.stage("measure");
  result.verification = check();
  return result;
}

Measurement run_copy(Device& device, const Params& params) {
  const std::uint64_t bytes = array_bytes(device, params.size, 2), chunks = bytes / kChunkBytes;
  const std::uint32_t threads = device.runtime().name() == "cuda" ? 128 : kThreads;
  const std::uint32_t blocks = grid(device, chunks, threads, true);
  Words words(device, params.seed);
  const Buffer from = device.buffer(bytes), to = device.buffer(bytes);
  words.fill(from, Pattern::random);
  device.fill(to, 0xff);
  const gpu::Handle function = device.kernel("bandwidth", "bandwidth_copy");
  const auto launch = [&] {
    device.launch(function, {blocks, threads, 0}, to, from, static_cast<kernel::u64>(chunks),
                  blocks);
  };
  Measurement result = timed(device, params, "copy (read and write)", 2 * bytes, launch,
                             [&] { return words.check(to, Pattern::random); });
  result.data = "random words";
  return result;
}

Measurement run_triad(Device& device, const Params& params) {
  const std::uint64_t bytes = array_bytes(device, params.size, 3), chunks = bytes / kChunkBytes;
  const std::uint32_t blocks = grid(device, chunks, kThreads, true);
  Words words(device, params.seed);
  const Buffer a = device.buffer(bytes), b = device.buffer(bytes), to = device.buffer(bytes);
  words.fill(a, Pattern::left);
  words.fill(b, Pattern::right);
  device.fill(to, 0xff);
  const float scale = 3;  // of Pattern::triad
  const gpu::Handle function = device.kernel("bandwidth", "bandwidth_triad");
  const auto launch = [&] {
    device.launch(function, {blocks, kThreads, 0}, to, a, b, scale,
                  static_cast<kernel::u64>(chunks), blocks);
  };
  Measurement result = timed(device, params, "triad (two reads and a write)", 3 * bytes, launch,
                             [&] { return words.check(to, Pattern::triad); });
  result.data = "random whole numbers below 65536 in single precision";
  return result;
}

Measurement run_read(Device& device, const Params& params) {
  const std::uint64_t bytes = array_bytes(device, params.size, 1), chunks = bytes / kChunkBytes;
  const std::uint32_t blocks = grid(device, chunks, kThreads, false);
  Words words(device, params.seed);
  const Buffer from = device.buffer(bytes),
               sums = device.buffer(static_cast<std::size_t>(blocks) * kThreads * 4);
  words.fill(from, Pattern::random);
  std::vector<std::uint32_t> parts(static_cast<std::size_t>(std::max(params.threads, 1)), 0);
  in_parallel(params.threads, bytes / 4,
              [&](std::size_t part, std::uint64_t first, std::uint64_t last) {
                std::uint32_t sum = 0;
                for (std::uint64_t i = first; i < last; ++i) {
                  sum += kernel::random_word(i, words.seed());
                }
                parts[part] = sum;
              });
  const std::uint32_t expected = std::accumulate(parts.begin(), parts.end(), 0u);
  const gpu::Handle function = device.kernel("bandwidth", "bandwidth_read");
  const auto launch = [&] {
    device.launch(function, {blocks, kThreads, 0}, sums, from, static_cast<kernel::u64>(chunks),
                  blocks);
  };
  const auto check = [&] {
    std::uint32_t sum = 0;
    for (const std::uint32_t part : device.download<std::uint32_t>(sums, sums.bytes() / 4)) {
      sum += part;
    }
    if (sum == expected) return Verification{};
    char text[80];
    std::snprintf(text, sizeof text, "the words add up to 0x%08x instead of 0x%08x", sum, expected);
    return Verification{INFINITY, 0, text};
  };
  Measurement result = timed(device, params, "read", bytes, launch, check);
  result.data = "random words";
  return result;
}

Measurement run_write(Device& device, const Params& params) {
  const std::uint64_t bytes = array_bytes(device, params.size, 1), chunks = bytes / kChunkBytes;
  const std::uint32_t blocks = grid(device, chunks, kThreads, true);
  Words words(device, params.seed);
  const Buffer to = device.buffer(bytes);
  device.fill(to, 0xff);
  const gpu::Handle function = device.kernel("bandwidth", "bandwidth_write");
  const auto launch = [&] {
    device.launch(function, {blocks, kThreads, 0}, to, words.seed(),
                  static_cast<kernel::u64>(chunks), blocks);
  };
  Measurement result = timed(device, params, "write", bytes, launch,
                             [&] { return words.check(to, Pattern::constant); });
  result.data = "one random word";
  return result;
}

std::optional<std::string> never(const DeviceRun&) {
  return std::nullopt;
}

constexpr std::string_view kDoc = R"(
## What it does
Streams arrays far larger than the caches through the compute units, 16 bytes a lane. The device
compares every element of the result with what it should be, by a rule that the host follows too: it
compares the first and last words and samples between them.

## What a failure means
A wrong element is memory, cache or fabric that loses bits. Run memory.pattern for the addresses, and
look for ECC events in the kernel log.

## What the figure means
Bytes read plus bytes written per second (copy counts both), by the device's own clock. Healthy parts
reach 60 to 85 % of the memory's theoretical rate.
)";

}  // namespace

extern const SelfTest kBandwidthCopy, kBandwidthTriad, kBandwidthRead, kBandwidthWrite;
constinit const SelfTest kBandwidthCopy{"bandwidth.copy", "copy within device memory", kDoc, never,
                                        guarded<run_copy>};
constinit const SelfTest kBandwidthTriad{"bandwidth.triad", "a + s * b within device memory", kDoc,
                                         never, guarded<run_triad>};
constinit const SelfTest kBandwidthRead{"bandwidth.read", "read of device memory", kDoc, never,
                                        guarded<run_read>};
constinit const SelfTest kBandwidthWrite{"bandwidth.write", "write of device memory", kDoc, never,
                                         guarded<run_write>};

}  // namespace rocvet
