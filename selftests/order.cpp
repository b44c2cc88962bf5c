// What programs take for granted: atomics, coherence with the host, order within a stream, honest
// clocks, the same answer from every compute unit, and launches that take microseconds.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <thread>

#include "selftests/device.h"
#include "selftests/kernels/memory.h"

namespace rocvet {
namespace {

double now_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Measurement right(std::string what) {
  Measurement result;
  result.metric = std::move(what);
  return result;
}
Measurement wrong(std::string what) {
  Measurement result;
  result.verification = {INFINITY, 0, std::move(what)};
  return result;
}

Measurement run_atomics(Device& device, const Params& params) {
  const std::uint32_t blocks = pick<std::uint32_t>(device, params.size, 4, 256, 1024, 16);
  const std::uint32_t threads = blocks * 256, rounds = params.size == Size::tiny ? 4 : 32;
  const Buffer counters = device.host_buffer(64);
  auto* words = counters.as<std::uint32_t>();
  words[0] = 5;
  words[1] = 0;
  device.launch(device.kernel("units", "atomic_count"), {blocks, 256, 0}, counters, rounds);
  // The host adds to the same word meanwhile, where it may: through PCIe atomics or on an APU.
  device.synchronize();
  const std::uint32_t expected = 5 + threads * rounds;
  std::uint32_t numbers = 0;
  for (std::uint32_t i = 0; i < threads; ++i) numbers += i;
  if (words[0] != expected || words[1] != numbers) {
    return wrong("atomic adds to host memory were lost: " + std::to_string(words[0]) +
                 " instead of " + std::to_string(expected));
  }
  const Buffer own = device.upload(std::vector<std::uint32_t>{5, 0});
  device.launch(device.kernel("units", "atomic_count"), {blocks, 256, 0}, own, rounds);
  const auto sums = device.download<std::uint32_t>(own, 2);
  if (sums[0] != expected || sums[1] != numbers) {
    return wrong("atomic adds to device memory were lost: " + std::to_string(sums[0]) +
                 " instead of " + std::to_string(expected));
  }
  return right(std::to_string(2ull * threads * rounds) + " atomic adds, none lost");
}

Measurement run_coherence(Device& device, const Params& params) {
  const std::uint32_t rounds = params.size == Size::tiny ? 3 : 100;
  // How often the device looks before it gives up by itself. A CPU looks a billion times a second,
  // and its host thread may have to wait for a core; a GPU looks a million times through PCIe.
  const std::uint32_t patience =
      device.is_host() || params.size == Size::tiny ? 2'000'000'000 : 50'000'000;
  const Buffer question = device.host_buffer(256), answer = device.host_buffer(256);
  auto* ask = question.as<std::uint32_t>();
  auto* told = answer.as<std::uint32_t>();
  std::fill_n(ask, 64, 0u);
  std::fill_n(told, 64, 0u);
  // The host device runs a launch to its end before it returns: it must be asked from elsewhere.
  std::string failure;
  const auto converse = [&] {
    for (std::uint32_t i = 1; i <= rounds; ++i) {
      const auto value = static_cast<std::uint32_t>(params.seed * 77 + i);
      ask[1] = value;
      kernel::system_store(ask, i);
      const double start = now_ms();
      while (kernel::system_load(told) != i) {
        if (now_ms() - start < 5000) continue;
        failure = "the device did not answer in round " + std::to_string(i) +
                  ": it does not see what the host writes, or the host not what it writes";
        kernel::system_store(ask, ~0u);
        return;
      }
      if (told[1] == kernel::mixed(value)) continue;
      failure = "round " + std::to_string(i) + ": the flag arrived before the data";
      return;
    }
  };
  std::thread host(converse);
  const auto launched = [&] {
    device.launch(device.kernel("units", "coherence_answer"), {1, 64, 0}, question, answer, rounds,
                  patience);
  };
  try {
    launched();
  } catch (const TestFailure&) {
    host.join();
    throw;
  }
  host.join();
  device.synchronize();
  if (!failure.empty()) return wrong(failure);
  return right(std::to_string(rounds) + " questions and answers through shared host memory");
}

Measurement run_uniform(Device& device, const Params& params) {
  const auto units = static_cast<std::uint32_t>(std::max(device.info().compute_units, 1));
  // Several blocks a unit: each gets some, whatever the order in which they are dealt.
  const std::uint32_t blocks = params.size == Size::tiny ? 8 : units * 16;
  const std::uint32_t rounds = pick<std::uint32_t>(device, params.size, 8, 2000, 20000, 50);
  const Buffer bits = device.buffer(blocks * 4ull), place = device.buffer(blocks * 4ull);
  device.fill(bits, 0);
  device.launch(device.kernel("units", "uniform_work"), {blocks, 256, 0}, bits, place, rounds,
                static_cast<std::uint32_t>(params.seed));
  const auto got = device.download<std::uint32_t>(bits, blocks);
  const auto where = device.download<std::uint32_t>(place, blocks);
  std::map<std::uint32_t, std::uint32_t> votes;
  for (const std::uint32_t one : got) ++votes[one];
  const auto most = std::ranges::max_element(votes, {}, [](const auto& v) { return v.second; });
  std::string odd;
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < blocks; ++i) {
    if (got[i] == most->first) continue;
    char text[60];
    std::snprintf(text, sizeof text, " block %u on unit 0x%08x", i, where[i]);
    if (++count <= 4) odd += text;
  }
  if (count > 0) {
    return wrong(std::to_string(count) + " of " + std::to_string(blocks) +
                 " blocks computed other bits than the rest:" + odd);
  }
  return right(std::to_string(blocks) + " blocks over the compute units gave the same bits");
}

Measurement run_latency(Device& device, const Params& params) {
  const gpu::Handle function = device.kernel("units", "empty_kernel");
  const Buffer word = device.upload(std::vector<std::uint32_t>{0});
  device.launch(function, {1, 64, 0}, word);
  Measurement result;
  result.metric = "launch and wait";
  result.unit = "us";
  result.higher_is_better = false;
  if (device.download<std::uint32_t>(word, 1)[0] != 1) {
    return wrong("an empty launch did not run: its word was not written");
  }
  for (int i = 0; i < 20; ++i) {
    device.launch(function, {1, 64, 0}, word);
    device.synchronize();
  }
  const int samples = params.time_limit_s > 0 ? 200 : 5;
  for (int i = 0; i < samples; ++i) {
    const double start = now_ms();
    device.launch(function, {1, 64, 0}, word);
    device.synchronize();
    result.samples.push_back((now_ms() - start) * 1000);
  }
  return result;
}

Measurement run_stream(Device& device, const Params& params) {
  gpu::Runtime& runtime = device.runtime();
  const std::uint32_t blocks = params.size == Size::tiny ? 2 : 64, steps = 20;
  const Buffer words = device.upload(std::vector<std::uint32_t>(blocks * 256, 1));
  const gpu::Handle function = device.kernel("units", "ordered_step");
  device.synchronize();
  std::uint32_t expected = 1;
  for (std::uint32_t i = 1; i <= steps; ++i) {
    const std::uint32_t multiply = 2 * i + 1, add = i;
    device.launch(function, {blocks, 256, 0}, words, multiply, add);
    expected = expected * multiply + add;
  }
  // Then a second stream that waits for the first by an event.
  const gpu::Handle second = must(runtime.create_stream());
  const Event reached(runtime);
  must(runtime.record(reached.handle(), device.stream()));
  must(runtime.wait_event(second, reached.handle()));
  std::uint32_t multiply = 3, add = 7;
  gpu::Pointer pointer = words.pointer();
  std::array<void*, 3> arguments = {&pointer, &multiply, &add};
  must(runtime.launch(function, {blocks, 256, 0}, arguments, second));
  must(runtime.synchronize_stream(second));
  (void)runtime.destroy_stream(second);
  expected = expected * multiply + add;
  for (const std::uint32_t word : device.download<std::uint32_t>(words, blocks * 256)) {
    if (word != expected) return wrong("launches ran out of order, or one was lost");
  }
  return right(std::to_string(steps + 1) + " dependent launches on two streams ran in order");
}

Measurement run_clock(Device& device, const Params& params) {
  const std::uint32_t blocks = static_cast<std::uint32_t>(std::max(device.info().compute_units, 1));
  const std::uint32_t rounds = pick<std::uint32_t>(device, params.size, 20, 200'000, 400'000, 3000);
  const Buffer bits = device.buffer(blocks * 4ull), place = device.buffer(blocks * 4ull);
  const gpu::Handle function = device.kernel("units", "uniform_work");
  const Stopwatch watch = device.stopwatch();
  const auto work = [&] { device.launch(function, {blocks, 256, 0}, bits, place, rounds, 1u); };
  work();
  device.synchronize();
  const double host_start = now_ms();
  const double device_ms = watch.ms(work);
  device.synchronize();
  const double host_ms = now_ms() - host_start;
  char text[120];
  std::snprintf(text, sizeof text, "device clock %.3f ms, host clock %.3f ms", device_ms, host_ms);
  // Launching costs the host some time more; the device can never have worked for longer than that.
  const bool too_long = device_ms > host_ms * 1.02 + 0.05;
  const bool too_short = host_ms > 20 && device_ms < host_ms * 0.5;
  if (!(device_ms >= 0) || too_long || (too_short && params.size != Size::tiny)) {
    return wrong(std::string("the clocks disagree: ") + text);
  }
  return right(text);
}

std::optional<std::string> never(const DeviceRun&) {
  return std::nullopt;
}

constexpr std::string_view kDoc = R"(
## What it does
- atomics.system: thousands of threads add to one word, in host memory and in device memory; no add
  may be lost.
- coherence.host: device and host pass a flag and data to and fro through pinned host memory.
- cu.uniform: every compute unit does the same seeded work and must get the same bits.
- stream.order: launches that depend on each other, on one stream and across two with an event.
- event.clock: the device's timer against the host's clock.
- launch.latency: time of an empty launch and the wait for its end.

## What a failure means
Lost atomics in host memory: the PCIe path does not support them (see the check on PCIe atomics).
No coherence: memory that should be fine-grained is cached. An odd unit in cu.uniform is faulty
hardware; its number is the hardware's own (HW_ID, with XCC_ID in the upper half where there are
several). Wrong order or clocks: runtime or firmware.
)";

}  // namespace

extern const SelfTest kAtomicsSystem, kCoherenceHost, kCuUniform, kLaunchLatency, kStreamOrder,
    kEventClock;
constinit const SelfTest kAtomicsSystem{"atomics.system", "atomic adds that host and device share",
                                        kDoc, never, guarded<run_atomics>};
constinit const SelfTest kCoherenceHost{"coherence.host", "device and host see each other's writes",
                                        kDoc, never, guarded<run_coherence>};
constinit const SelfTest kCuUniform{"cu.uniform", "every compute unit computes the same bits", kDoc,
                                    never, guarded<run_uniform>};
constinit const SelfTest kLaunchLatency{"launch.latency", "time of an empty launch", kDoc, never,
                                        guarded<run_latency>};
constinit const SelfTest kStreamOrder{"stream.order", "launches keep their order", kDoc, never,
                                      guarded<run_stream>};
constinit const SelfTest kEventClock{"event.clock", "the device's timer agrees with the host's",
                                     kDoc, never, guarded<run_clock>};

}  // namespace rocvet
