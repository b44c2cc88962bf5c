// Streaming through the device's own memory: copy, triad, read, write. Every element of the result
// is compared.
#include <bit>
#include <cmath>
#include <cstring>

#include "selftests/device.h"
#include "selftests/kernels/types.h"
#include "selftests/random.h"

namespace rocvet {
namespace {

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
std::uint32_t grid(const Device& device, std::uint64_t chunks, bool writes) {
  const bool whole = writes && device.runtime().name() == "cuda";
  const std::uint64_t most = static_cast<std::uint64_t>(std::max(device.info().compute_units, 1)) *
                             (device.is_host() ? 1 : 16);
  const std::uint64_t per_block = kThreads * (whole ? 1 : 4);
  const std::uint64_t needed = (chunks + per_block - 1) / per_block;
  return static_cast<std::uint32_t>(
      std::max<std::uint64_t>(whole ? needed : std::min(most, needed), 1));
}

std::vector<std::uint32_t> random_words(std::uint64_t bytes, std::uint64_t seed,
                                        std::uint64_t stream) {
  std::vector<std::uint32_t> words(bytes / 4);
  const Random random(seed, stream);
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const std::uint64_t value = random.at(i);
    std::memcpy(&words[i], &value, 8);
  }
  return words;
}

/// One comparison of all words; the first wrong one is named.
Verification compare(const std::vector<std::uint32_t>& got,
                     const std::function<std::uint32_t(std::size_t)>& expected) {
  Verification result;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::uint32_t right = expected(i);
    if (got[i] == right) continue;
    if (wrong++ == 0) {
      char text[120];
      std::snprintf(text, sizeof text, "byte %zu: 0x%08x instead of 0x%08x", i * 4, got[i], right);
      result.detail = text;
    }
  }
  if (wrong > 0) {
    result.max_rel_error = INFINITY;
    result.detail +=
        " (" + std::to_string(wrong) + " wrong words of " + std::to_string(got.size()) + ")";
  }
  return result;
}

Measurement timed(Device& device, const Params& params, const std::string& what,
                  std::uint64_t bytes_moved, Verification verification,
                  const std::function<void()>& launch, const std::function<Verification()>& check) {
  Measurement result;
  result.metric = what + " of " + std::to_string(bytes_moved / kMiB) + " MiB";
  result.unit = "GB/s";
  result.verification = std::move(verification);
  if (!result.verification.ok()) return result;
  for (const double ms : device.time_ms(launch, params.time_limit_s / 4)) {
    result.samples.push_back(static_cast<double>(bytes_moved) / ms * 1e-6);
  }
  result.verification = check();
  return result;
}

Measurement run_copy(Device& device, const Params& params) {
  const std::uint64_t bytes = array_bytes(device, params.size, 2), chunks = bytes / kChunkBytes;
  const std::uint32_t blocks = grid(device, chunks, true);
  const auto source = random_words(bytes, params.seed, 1);
  const Buffer from = device.upload(source), to = device.buffer(bytes);
  device.fill(to, 0xff);
  const gpu::Handle function = device.kernel("bandwidth", "bandwidth_copy");
  const auto launch = [&] {
    device.launch(function, {blocks, kThreads, 0}, to, from, static_cast<kernel::u64>(chunks),
                  blocks);
  };
  const auto check = [&] {
    return compare(device.download<std::uint32_t>(to, source.size()),
                   [&](std::size_t i) { return source[i]; });
  };
  launch();
  return timed(device, params, "copy (read and write)", 2 * bytes, check(), launch, check);
}

Measurement run_triad(Device& device, const Params& params) {
  const std::uint64_t bytes = array_bytes(device, params.size, 3), chunks = bytes / kChunkBytes;
  const std::uint32_t blocks = grid(device, chunks, true);
  std::vector<float> a(bytes / 4), b(bytes / 4);
  const Random random(params.seed, 2);
  for (std::size_t i = 0; i < a.size(); ++i) {
    // Whole numbers: exact whether or not the compiler fuses the multiply-add.
    a[i] = static_cast<float>(random.at(i) & 0xffff);
    b[i] = static_cast<float>(random.at(i) >> 16 & 0xffff);
  }
  const float scale = 3;
  const Buffer device_a = device.upload(a), device_b = device.upload(b), to = device.buffer(bytes);
  device.fill(to, 0xff);
  const gpu::Handle function = device.kernel("bandwidth", "bandwidth_triad");
  const auto launch = [&] {
    device.launch(function, {blocks, kThreads, 0}, to, device_a, device_b, scale,
                  static_cast<kernel::u64>(chunks), blocks);
  };
  const auto check = [&] {
    return compare(device.download<std::uint32_t>(to, a.size()), [&](std::size_t i) {
      return std::bit_cast<std::uint32_t>(a[i] + scale * b[i]);
    });
  };
  launch();
  return timed(device, params, "triad (two reads and a write)", 3 * bytes, check(), launch, check);
}

Measurement run_read(Device& device, const Params& params) {
  const std::uint64_t bytes = array_bytes(device, params.size, 1), chunks = bytes / kChunkBytes;
  const std::uint32_t blocks = grid(device, chunks, false);
  const auto source = random_words(bytes, params.seed, 3);
  std::uint32_t expected = 0;
  for (const std::uint32_t word : source) expected += word;
  const Buffer from = device.upload(source),
               sums = device.buffer(static_cast<std::size_t>(blocks) * kThreads * 4);
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
    return compare({sum}, [&](std::size_t) { return expected; });
  };
  launch();
  return timed(device, params, "read", bytes, check(), launch, check);
}

Measurement run_write(Device& device, const Params& params) {
  const std::uint64_t bytes = array_bytes(device, params.size, 1), chunks = bytes / kChunkBytes;
  const std::uint32_t blocks = grid(device, chunks, true);
  const Buffer to = device.buffer(bytes);
  device.fill(to, 0xff);
  const auto value = static_cast<std::uint32_t>(Random(params.seed, 4).at(0));
  const gpu::Handle function = device.kernel("bandwidth", "bandwidth_write");
  const auto launch = [&] {
    device.launch(function, {blocks, kThreads, 0}, to, value, static_cast<kernel::u64>(chunks),
                  blocks);
  };
  const auto check = [&] {
    return compare(device.download<std::uint32_t>(to, bytes / 4),
                   [&](std::size_t) { return value; });
  };
  launch();
  return timed(device, params, "write", bytes, check(), launch, check);
}

std::optional<std::string> never(const DeviceRun&) {
  return std::nullopt;
}

constexpr std::string_view kDoc = R"(
## What it does
Streams arrays far larger than the caches through the compute units, 16 bytes a lane, and compares
every element of the result with what it should be.

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
