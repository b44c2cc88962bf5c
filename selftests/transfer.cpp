// Copies between host and device, and between devices; every byte is compared.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

#include "base/now_s.h"
#include "base/text.h"
#include "selftests/device.h"
#include "selftests/parallel.h"
#include "selftests/random.h"
#include "selftests/size_text.h"

namespace rocvet {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

/// `quick`: of a quick run, in MiB. Pinned pages take longer to get than to copy.
std::uint64_t transfer_bytes(const Device& device, const Params& params, std::uint64_t quick) {
  if (params.transfer_bytes > 0) return (params.transfer_bytes + 7) / 8 * 8;
  return pick<std::uint64_t>(device, params.size, 64 * 1024, quick * kMiB, 512 * kMiB, 4 * kMiB);
}

void fill_random(std::uint8_t* to, std::uint64_t bytes, const Params& params) {
  const Random random(params.seed, 8);
  in_parallel(params.threads, bytes / 8, [&](std::size_t, std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) {
      const std::uint64_t value = random.at(i * 8);
      std::memcpy(to + i * 8, &value, 8);
    }
  });
}

Verification compare(const std::uint8_t* got, const std::uint8_t* expected, std::uint64_t bytes,
                     const char* what, int threads) {
  std::atomic<bool> same = true;
  in_parallel(threads, bytes, [&](std::size_t, std::uint64_t first, std::uint64_t last) {
    if (std::memcmp(got + first, expected + first, last - first) != 0) same = false;
  });
  if (same) return {};
  const auto at = std::mismatch(got, got + bytes, expected).first - got;
  return {INFINITY, 0, std::string(what) + ": byte " + std::to_string(at) + " differs"};
}

class Stream {
 public:
  explicit Stream(gpu::Runtime& runtime)
      : runtime_(runtime), handle_(must(runtime.create_stream())) {}
  ~Stream() { (void)runtime_.destroy_stream(handle_); }
  Stream(const Stream&) = delete;
  gpu::Handle handle() const { return handle_; }

 private:
  gpu::Runtime& runtime_;
  gpu::Handle handle_;
};

enum class Way { to_device, to_host, both };

/// In GB/s. Pageable memory goes through a bounce buffer: for information. Its pages are there
/// already, so that the copy alone is timed.
template <Way way>
double pageable_rate(Device& device, const Buffer& there) {
  constexpr std::uint64_t kMost = 16 * kMiB;
  std::vector<std::uint8_t> pageable(std::min<std::uint64_t>(there.bytes(), kMost));
  const auto here = reinterpret_cast<gpu::Pointer>(pageable.data());
  const double start = now_s();
  if constexpr (way == Way::to_device) {
    must(device.runtime().copy(there.pointer(), here, pageable.size(),
                               gpu::CopyKind::host_to_device));
  } else {
    must(device.runtime().copy(here, there.pointer(), pageable.size(),
                               gpu::CopyKind::device_to_host));
  }
  return static_cast<double>(pageable.size()) / (now_s() - start) * 1e-9;
}

template <Way way>
Measurement run(Device& device, const Params& params) {
  const std::uint64_t bytes = transfer_bytes(device, params, 64);
  const Buffer pinned = device.host_buffer(bytes), back = device.host_buffer(bytes),
               there = device.buffer(bytes), other = device.buffer(bytes);
  fill_random(pinned.as<std::uint8_t>(), bytes, params);
  gpu::Runtime& runtime = device.runtime();
  const Stream up(runtime), down(runtime);
  const auto to_device = [&](const Buffer& to, gpu::Handle stream) {
    must(runtime.copy_async(to.pointer(), pinned.pointer(), bytes, gpu::CopyKind::host_to_device,
                            stream));
  };
  const auto to_host = [&](const Buffer& from, gpu::Handle stream) {
    must(runtime.copy_async(back.pointer(), from.pointer(), bytes, gpu::CopyKind::device_to_host,
                            stream));
  };
  // There and back once: the answer first.
  std::memset(back.as<std::uint8_t>(), 0, bytes);
  to_device(there, up.handle());
  must(runtime.synchronize());
  to_host(there, down.handle());
  must(runtime.synchronize());
  Measurement result;
  result.unit = "GB/s";
  result.metric = std::string(way == Way::to_device ? "host to device"
                              : way == Way::to_host ? "device to host"
                                                    : "both ways at once") +
                  ", pinned, " + size_text(bytes);
  result.bytes = static_cast<double>(bytes);
  result.data = "random words";
  device.stage("prepare");
  result.verification = compare(back.as<std::uint8_t>(), pinned.as<std::uint8_t>(), bytes,
                                "after a copy to the device and back", params.threads);
  device.stage("verify");
  if (!result.verification.ok()) return result;

  if constexpr (way == Way::both) {
    to_device(other, up.handle());
    must(runtime.synchronize());
    const int samples = params.time_limit_s > 0 ? 10 : 2;
    for (int i = 0; i < samples; ++i) {
      const double start = now_s();
      to_device(there, up.handle());
      to_host(other, down.handle());
      must(runtime.synchronize());
      result.samples.push_back(2e-9 * static_cast<double>(bytes) / (now_s() - start));
    }
  } else {
    const auto work = [&] {
      if constexpr (way == Way::to_device) to_device(there, device.stream());
      if constexpr (way == Way::to_host) to_host(there, device.stream());
    };
    Params at_once = params;
    at_once.regime = Regime::quick;  // a link does not warm up
    for (const double ms : device.time_ms(work, at_once)) {
      result.samples.push_back(static_cast<double>(bytes) / ms * 1e-6);
    }
    result.notes.push_back("pageable memory: " + fixed(pageable_rate<way>(device, there), 1) +
                           " GB/s");
  }
  device.stage("measure");
  if constexpr (way != Way::to_device) {
    result.verification = compare(back.as<std::uint8_t>(), pinned.as<std::uint8_t>(), bytes,
                                  "after repeated copies", params.threads);
  }
  return result;
}

Measurement run_peers(Device& device, const Params& params) {
  gpu::Runtime& runtime = device.runtime();
  const int self = device.info().index, count = must(runtime.device_count());
  const std::uint64_t bytes = transfer_bytes(device, params, 128);
  std::vector<std::uint8_t> data(bytes), back(bytes);
  fill_random(data.data(), bytes, params);
  const Buffer here = device.upload(data);
  Measurement result;
  result.unit = "GB/s";
  result.bytes = static_cast<double>(bytes);
  result.metric = "to the slowest of " + std::to_string(count - 1) + " other GPUs";
  double slowest = INFINITY;
  for (int peer = 0; peer < count && result.verification.ok(); ++peer) {
    if (peer == self) continue;
    const bool direct = must(runtime.can_access_peer(self, peer));
    if (direct) must(runtime.enable_peer(peer));
    const std::string name = runtime.name() + ":" + std::to_string(peer);
    must(runtime.use_device(peer));
    {
      const Buffer there(runtime, bytes);
      must(runtime.fill(there.pointer(), 0, bytes));
      must(runtime.use_device(self));
      must(runtime.copy_peer(there.pointer(), peer, here.pointer(), self, bytes));
      must(runtime.synchronize());
      // Read by its own device, then brought back here and read again.
      must(runtime.use_device(peer));
      must(runtime.copy(reinterpret_cast<gpu::Pointer>(back.data()), there.pointer(), bytes,
                        gpu::CopyKind::device_to_host));
      result.verification =
          compare(back.data(), data.data(), bytes, ("on " + name).c_str(), params.threads);
      must(runtime.use_device(self));
      const Buffer returned(runtime, bytes);
      must(runtime.fill(returned.pointer(), 0, bytes));
      must(runtime.copy_peer(returned.pointer(), self, there.pointer(), peer, bytes));
      back = device.download<std::uint8_t>(returned, bytes);
      if (result.verification.ok()) {
        result.verification =
            compare(back.data(), data.data(), bytes, ("back from " + name).c_str(), params.threads);
      }
      std::vector<double> samples;
      for (int i = 0; i < (params.time_limit_s > 0 ? 5 : 1); ++i) {
        const double start = now_s();
        must(runtime.copy_peer(there.pointer(), peer, here.pointer(), self, bytes));
        must(runtime.synchronize());
        samples.push_back(static_cast<double>(bytes) / (now_s() - start) * 1e-9);
      }
      std::ranges::sort(samples);
      char text[120];
      std::snprintf(text, sizeof text, "%s: %.1f GB/s, %s", name.c_str(),
                    samples[samples.size() / 2], direct ? "direct" : "through host memory");
      result.notes.emplace_back(text);
      if (samples[samples.size() / 2] < slowest) {
        slowest = samples[samples.size() / 2];
        result.samples = samples;
      }
      must(runtime.use_device(peer));
    }
    must(runtime.use_device(self));
  }
  return result;
}

std::optional<std::string> never(const DeviceRun&) {
  return std::nullopt;
}
std::optional<std::string> why_skip_peers(const DeviceRun& run) {
  const auto count = run.runtime.device_count();
  if (count && *count < 2) return "there is one device only";
  return std::nullopt;
}

constexpr std::string_view kDoc = R"(
## What it does
Copies pinned host memory to the device and back, and compares every byte; then times one direction,
or both at once. The figure for pageable memory is a note. bandwidth.p2p does the same between each
pair of GPUs.

## What a failure means
Bytes lost on the way are a fault of the link, the IOMMU set-up or the memory at either end: look for
PCIe AER events in the kernel log. Between GPUs it is often ACS or an IOMMU that is not in
pass-through mode.

## What the figure means
Bytes per second of payload. PCIe 5.0 x16 reaches about 55 GB/s, 4.0 about 28, 3.0 about 13.
)";

}  // namespace

extern const SelfTest kBandwidthH2d, kBandwidthD2h, kBandwidthBidir, kBandwidthP2p;
constinit const SelfTest kBandwidthH2d{"bandwidth.h2d", "copy from host to device", kDoc, never,
                                       guarded<run<Way::to_device>>};
constinit const SelfTest kBandwidthD2h{"bandwidth.d2h", "copy from device to host", kDoc, never,
                                       guarded<run<Way::to_host>>};
constinit const SelfTest kBandwidthBidir{"bandwidth.bidir", "copies both ways at once", kDoc, never,
                                         guarded<run<Way::both>>};
constinit const SelfTest kBandwidthP2p{.id = "bandwidth.p2p",
                                       .title = "copies to and from every other GPU",
                                       .doc = kDoc,
                                       .why_skip = why_skip_peers,
                                       .run = guarded<run_peers>,
                                       .all_devices = true};

}  // namespace rocvet
