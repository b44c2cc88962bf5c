#include "selftests/device.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/median.h"
#include "selftests/gpu/code_objects.h"

namespace rocvet {

Buffer::Buffer(gpu::Runtime& runtime, std::size_t bytes, Where where)
    : runtime_(&runtime), bytes_(bytes), where_(where) {
  pointer_ = must(where == Where::device ? runtime.allocate(std::max<std::size_t>(bytes, 1))
                                         : runtime.allocate_host(std::max<std::size_t>(bytes, 1)));
}

Buffer::~Buffer() {
  if (pointer_ == 0) return;
  // A failure here follows from one that was reported, or shows in the next call.
  if (where_ == Where::device) {
    (void)runtime_->free(pointer_);
  } else {
    (void)runtime_->free_host(pointer_);
  }
}

Device::~Device() {
  for (const auto& [name, handle] : modules_) (void)runtime().unload_module(handle);
}

bool believable_clock(const gpu::DeviceInfo& device, double mhz) {
  constexpr double kLowest_mhz = 50, kHighestOfMaximum = 1.3;
  return mhz >= kLowest_mhz &&
         (device.clock_mhz <= 0 || mhz <= kHighestOfMaximum * device.clock_mhz);
}

void Device::digest(std::span<const std::byte> bytes) {
  constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15;
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  constexpr std::size_t kLanes = 4;  // they do not wait for each other
  const auto mix = [](std::uint64_t& sum, std::uint64_t word) {
    sum = (sum ^ word) * kMultiplier;
    sum ^= sum >> 32;
  };
  std::array<std::uint64_t, kLanes> lanes = {digest_, 1, 2, 3};
  std::size_t at = 0;
  for (; at + kLanes * kWord <= bytes.size(); at += kLanes * kWord) {
    std::array<std::uint64_t, kLanes> words;
    std::memcpy(words.data(), bytes.data() + at, sizeof words);
    for (std::size_t lane = 0; lane < kLanes; ++lane) mix(lanes[lane], words[lane]);
  }
  for (; at < bytes.size(); at += kWord) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(kWord, bytes.size() - at));
    mix(lanes[0], word);
  }
  digest_ = bytes.size();
  for (const std::uint64_t lane : lanes) mix(digest_, lane);
}

std::string Device::difference(const std::vector<std::byte>& before, const Buffer& from,
                               int element_bytes) {
  constexpr std::size_t kPart = 4 << 20;  // stays in the caches, and costs no new pages
  const auto size = static_cast<std::size_t>(element_bytes);
  std::vector<std::byte> part(std::min(kPart, before.size()));
  std::size_t places = 0, where = 0;
  synchronize();
  for (std::size_t begin = 0; begin < before.size(); begin += part.size()) {
    const std::size_t bytes = std::min(part.size(), before.size() - begin);
    must(runtime().copy(reinterpret_cast<gpu::Pointer>(part.data()), from.pointer() + begin, bytes,
                        gpu::CopyKind::device_to_host));
    digest(std::span(part).first(bytes));
    if (std::memcmp(&before[begin], part.data(), bytes) == 0) continue;
    for (std::size_t at = 0; at + size <= bytes; at += size) {
      if (std::memcmp(&before[begin + at], &part[at], size) == 0) continue;
      if (places++ == 0) where = (begin + at) / size;
    }
  }
  if (places == 0) return "";
  return "two runs of the same launch differ in " + std::to_string(places) +
         " places, first at element " + std::to_string(where);
}

gpu::Handle Device::kernel(const std::string& module, const std::string& name) {
  for (const auto& [loaded, handle] : modules_) {
    if (loaded == module) return must(runtime().function(handle, name));
  }
  const auto code = must(gpu::code_object(info().arch, module));
  modules_.emplace_back(module, must(runtime().load_module(code)));
  return must(runtime().function(modules_.back().second, name));
}

namespace {

/// How a regime measures. Samples are long enough for the event clock, and all of them together for
/// telemetry to see some of it.
struct Method {
  double sample_ms;
  std::size_t samples;
  double load_s, load_again_s;  ///< of the first test and of each that follows
};
Method method_of(Regime regime) {
  switch (regime) {
    case Regime::quick:
      return {7, 7, 0, 0};
    case Regime::steady:
      return {50, 20, 20, 1};
    case Regime::sustained:
      return {100, 50, 20, 2};
  }
  return {};
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

void Device::stage(const char* name) {
  const auto now = std::chrono::steady_clock::now();
  const double spent = std::chrono::duration<double>(now - stage_began_).count();
  stage_began_ = now;
  for (auto& [known, seconds] : seconds_) {
    if (known == name) {
      seconds += spent;
      return;
    }
  }
  seconds_.emplace_back(name, spent);
}

namespace {

constexpr std::size_t kCountBytes = 2 * sizeof(std::uint64_t);
// 64 dependent operations each: 0.1 and 2 ms.
constexpr std::uint32_t kShortCount = 400, kLongCount = 8000;

}  // namespace

Device::ClockCount Device::counted(const Buffer& counts) {
  std::array<std::uint64_t, 2> out{};
  synchronize();
  // Not download(): what depends on time is no part of the digest.
  must(runtime().copy(reinterpret_cast<gpu::Pointer>(out.data()), counts.pointer(), sizeof out,
                      gpu::CopyKind::device_to_host));
  return {static_cast<double>(out[0]), static_cast<double>(out[1])};
}

double Device::ticks_per_ms() {
  std::optional<double>& pace = run_.ticks_per_ms;
  if (!pace) {
    const Buffer counts = buffer(kCountBytes);
    const gpu::Handle counter = kernel("units", "count_clock");
    const double ms = stopwatch().ms([&] {
      launch(counter, {1, 64, 0}, counts, kLongCount, gpu::Pointer{0});
    });
    const ClockCount seen = counted(counts);
    pace = seen.cycles > 0 && ms > 0 ? seen.ticks / ms : 0;
  }
  return *pace;
}

std::optional<double> Device::counted_mhz(const Buffer& counts) {
  const ClockCount seen = counted(counts);
  if (seen.ticks <= 0) return std::nullopt;
  const double mhz = seen.cycles / seen.ticks * ticks_per_ms() * 1e-3;
  return believable_clock(info(), mhz) ? std::optional<double>(mhz) : std::nullopt;
}

std::size_t Device::sets_beyond_caches(std::uint64_t bytes) const {
  constexpr std::uint64_t kRotatedBytes = 512 << 20, kMostSets = 16;
  const std::uint64_t most = std::max<std::uint64_t>(info().free_bytes / 4 / bytes, 1);
  return std::min({(kRotatedBytes + bytes - 1) / bytes, most, kMostSets});
}

double Device::balance(double blocks) const {
  const double units = std::max(info().compute_units, 1);
  return blocks / (std::ceil(blocks / units) * units);
}

std::vector<double> Device::time_ms(const std::function<void()>& work, const Params& params) {
  constexpr std::size_t kFewest = 5;
  const Stopwatch watch = stopwatch();
  const auto sample = [&](int repeats, const std::function<void()>& after = {}) {
    return watch.ms(
               [&] {
                 for (int i = 0; i < repeats; ++i) work();
               },
               after) /
           repeats;
  };
  if (params.time_limit_s <= 0) return {sample(1), sample(1)};
  const Method method = is_host() ? Method{2, 20, 0, 0} : method_of(params.regime);
  const double limit_s = params.time_limit_s / 4 + method.sample_ms * 1e-3 * method.samples;
  (void)sample(1);  // code and pages arrive
  const bool counts_clock = !is_host() && ticks_per_ms() > 0;
  const Buffer counts = buffer(kCountBytes);
  clock_mhz_.reset();
  const double once = std::max(sample(1), 1e-4);
  const int repeats = static_cast<int>(std::clamp(method.sample_ms / once, 1.0, 2000.0));
  std::function<void()> count;  // right behind a sample: the kernel was looked up before
  if (counts_clock) {
    count = [&, counter = kernel("units", "count_clock")] {
      launch(counter, {1, 64, 0}, counts, kShortCount, gpu::Pointer{0});
    };
  }
  if (run_.on_timing) run_.on_timing(true);
  const double load_s = std::max(method.load_s - run_.loaded_s, method.load_again_s);
  const auto load_began = std::chrono::steady_clock::now();
  while (seconds_since(load_began) < load_s) (void)sample(repeats);
  const auto begin = std::chrono::steady_clock::now();
  // The clock falls while the power limit sets in: each sample is taken with its own.
  std::vector<double> samples, kilocycles;
  while (samples.size() < method.samples &&
         (samples.size() < kFewest || seconds_since(begin) < limit_s)) {
    samples.push_back(sample(repeats, count));
    const auto mhz = counts_clock ? counted_mhz(counts) : std::nullopt;
    if (mhz) kilocycles.push_back(samples.back() * *mhz);
  }
  if (!kilocycles.empty()) clock_mhz_ = median(kilocycles) / median(samples);
  run_.loaded_s += seconds_since(load_began);
  if (run_.on_timing) run_.on_timing(false);
  return samples;
}

}  // namespace rocvet
