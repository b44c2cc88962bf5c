// All-reduce and all-to-all over every GPU of the runtime, by kernels of our own that read and
// write the other GPUs' memory. From the first GPU's worker, which takes all of them.
#include <algorithm>
#include <cmath>
#include <memory>

#include "base/now_s.h"
#include "selftests/device.h"
#include "selftests/gpu/code_objects.h"
#include "selftests/parallel.h"
#include "selftests/size_text.h"

namespace rocvet {
namespace {

constexpr std::uint64_t kMiB = 1 << 20, kChunk = 16;
constexpr int kRanksOnHost = 3;
constexpr double kSampleSeconds = 0.05;  ///< the start of each GPU is a small part of it
constexpr std::uint32_t kThreads = 256, kBlocksOfUnit = 4;

enum class Kind { all_reduce, all_to_all };

/// A whole number below 1024 that tells rank and place apart; sums of it are exact.
std::uint32_t number_at(int rank, std::uint64_t place) {
  const auto mixed = static_cast<std::uint32_t>(place * 2654435761u) ^
                     static_cast<std::uint32_t>(rank + 1) * 0x9e3779b9u;
  return (mixed ^ mixed >> 15) >> 7 & 1023;
}

/// What one GPU brings and gets. It is made while that GPU is in use.
struct Rank {
  Rank(gpu::Runtime& runtime, int number, std::uint64_t bytes, int ranks)
      : index(number),
        in(runtime, bytes),
        out(runtime, bytes),
        in_list(runtime, static_cast<std::size_t>(ranks) * sizeof(gpu::Pointer)),
        out_list(runtime, static_cast<std::size_t>(ranks) * sizeof(gpu::Pointer)) {}
  int index;  ///< of its GPU
  Buffer in, out, in_list, out_list;
  gpu::Handle function = 0, stream = 0;
  std::uint32_t units = 1;
};

class Collective {
 public:
  Collective(Device& device, Kind kind, std::uint64_t wanted_bytes)
      : device_(device), runtime_(device.runtime()), kind_(kind) {
    const int devices = must(runtime_.device_count());
    const int count = device.is_host() ? kRanksOnHost : devices;
    // Parts of the same number of chunks.
    chunks_ = std::max<std::uint64_t>(wanted_bytes / kChunk / static_cast<std::uint64_t>(count), 1);
    bytes_ = chunks_ * static_cast<std::uint64_t>(count) * kChunk;
    for (int i = 0; i < count; ++i) {
      const int index = device.is_host() ? 0 : i;
      const gpu::DeviceInfo info = must(runtime_.use_device(index));
      auto& rank = *ranks_.emplace_back(std::make_unique<Rank>(runtime_, index, bytes_, count));
      rank.units = static_cast<std::uint32_t>(std::max(info.compute_units, 1));
      rank.stream = must(runtime_.create_stream());
      const auto code = must(gpu::code_object(info.arch, "collective"));
      rank.function = must(runtime_.function(
          must(runtime_.load_module(code)),
          kind == Kind::all_reduce ? "collective_reduce" : "collective_exchange"));
      for (int peer = 0; peer < devices && !device.is_host(); ++peer) {
        if (peer == index) continue;
        if (!must(runtime_.can_access_peer(index, peer))) {
          throw TestFailure{{Error::Kind::unsupported,
                             runtime_.name() + ":" + std::to_string(index),
                             "does not reach the memory of " + runtime_.name() + ":" +
                                 std::to_string(peer) + " itself"}};
        }
        must(runtime_.enable_peer(peer));
      }
    }
    std::vector<gpu::Pointer> in, out;
    for (const auto& rank : ranks_) {
      in.push_back(rank->in.pointer());
      out.push_back(rank->out.pointer());
    }
    for (const auto& rank : ranks_) {
      use(*rank);
      device.write(rank->in_list, in);
      device.write(rank->out_list, out);
    }
  }
  Collective(const Collective&) = delete;
  ~Collective() {
    for (const auto& rank : ranks_) {
      (void)runtime_.use_device(rank->index);
      (void)runtime_.destroy_stream(rank->stream);
    }
    ranks_.clear();
    (void)runtime_.use_device(device_.info().index);
  }

  int ranks() const { return static_cast<int>(ranks_.size()); }
  std::uint64_t bytes() const { return bytes_; }

  void fill(const Params& params) {
    std::vector<float> data(bytes_ / sizeof(float));
    for (int i = 0; i < ranks(); ++i) {
      in_parallel(params.threads, data.size(),
                  [&](std::size_t, std::uint64_t first, std::uint64_t last) {
                    for (std::uint64_t at = first; at < last; ++at)
                      data[at] = static_cast<float>(number_at(i, at));
                  });
      Rank& rank = *ranks_[static_cast<std::size_t>(i)];
      use(rank);
      device_.write(rank.in, data);
      must(runtime_.fill(rank.out.pointer(), 0xff, bytes_));
      must(runtime_.synchronize());
    }
  }

  /// Seconds of one of `times`, which each GPU does one after the other without waiting for those
  /// of the others: from the first launch to the end of the last.
  double run(int times) {
    const double start = now_s();
    for (int i = 0; i < ranks(); ++i) {
      use(*ranks_[static_cast<std::size_t>(i)]);
      for (int time = 0; time < times; ++time) launch(i);
    }
    for (const auto& rank : ranks_) {
      use(*rank);
      must(runtime_.synchronize());
    }
    return (now_s() - start) / times;
  }

  Verification check(const Params& params) {
    const std::uint64_t count = bytes_ / sizeof(float);
    for (int i = 0; i < ranks(); ++i) {
      Rank& rank = *ranks_[static_cast<std::size_t>(i)];
      use(rank);
      const std::vector<float> got = device_.download<float>(rank.out, count);
      std::vector<std::uint64_t> wrong(static_cast<std::size_t>(std::max(params.threads, 1)),
                                       count);
      in_parallel(params.threads, count,
                  [&](std::size_t part, std::uint64_t first, std::uint64_t last) {
                    for (std::uint64_t at = last; at-- > first;) {
                      if (got[at] != expected(i, at)) wrong[part] = at;
                    }
                  });
      const std::uint64_t first = *std::ranges::min_element(wrong);
      if (first == count) continue;
      return {INFINITY, 0,
              "number " + std::to_string(first) + " on " + name_of(rank) + " is " +
                  std::to_string(got[first]) + " instead of " + std::to_string(expected(i, first)) +
                  from(first)};
    }
    return {};
  }

 private:
  void use(const Rank& rank) { must(runtime_.switch_to(rank.index)); }
  std::string name_of(const Rank& rank) const {
    return runtime_.name() + ":" + std::to_string(rank.index);
  }

  void launch(int number) {
    Rank& rank = *ranks_[static_cast<std::size_t>(number)];
    const auto count = static_cast<std::uint32_t>(ranks());
    auto in = rank.in_list.pointer(), out = rank.out_list.pointer();
    auto all = count, self = static_cast<std::uint32_t>(number);
    std::uint64_t first = static_cast<std::uint64_t>(number) * chunks_, chunks = chunks_;
    // A multiple of the ranks: blocks are dealt to them in turn.
    const std::uint32_t blocks = (rank.units * kBlocksOfUnit + count - 1) / count * count;
    const gpu::Launch grid{blocks, kThreads, 0};
    if (kind_ == Kind::all_reduce) {
      void* arguments[] = {&in, &out, &all, &self, &first, &chunks};
      must(runtime_.launch(rank.function, grid, arguments, rank.stream));
    } else {
      void* arguments[] = {&in, &out, &all, &self, &chunks};
      must(runtime_.launch(rank.function, grid, arguments, rank.stream));
    }
  }

  float expected(int rank, std::uint64_t at) const {
    const std::uint64_t part = chunks_ * kChunk / sizeof(float);
    if (kind_ == Kind::all_to_all) {
      const std::uint64_t inside = at % part + static_cast<std::uint64_t>(rank) * part;
      return static_cast<float>(number_at(static_cast<int>(at / part), inside));
    }
    std::uint32_t sum = 0;
    for (int from = 0; from < ranks(); ++from) sum += number_at(from, at);
    return static_cast<float>(sum);
  }
  /// Who wrote it there.
  std::string from(std::uint64_t at) const {
    const std::uint64_t writer = at / (chunks_ * kChunk / sizeof(float));
    return ", written by " + name_of(*ranks_[writer]);
  }

  Device& device_;
  gpu::Runtime& runtime_;
  Kind kind_;
  std::uint64_t chunks_ = 0, bytes_ = 0;  ///< of a part; of a rank
  std::vector<std::unique_ptr<Rank>> ranks_;
};

template <Kind kind>
Measurement run(Device& device, const Params& params) {
  const auto bytes =
      pick<std::uint64_t>(device, params.size, 64 * 1024, 64 * kMiB, 256 * kMiB, 256 * 1024);
  Collective collective(device, kind, bytes);
  collective.fill(params);
  device.stage("prepare");
  collective.run(1);
  Measurement result;
  result.verification = collective.check(params);
  device.stage("verify");
  const auto ranks = static_cast<double>(collective.ranks());
  // Bus bandwidth as nccl-tests define it: what each link must carry, whatever the number of ranks.
  const double moved = (kind == Kind::all_reduce ? 2 : 1) * (ranks - 1) / ranks *
                       static_cast<double>(collective.bytes());
  result.unit = "GB/s";
  result.bytes = moved;
  result.metric = std::string(kind == Kind::all_reduce ? "all-reduce" : "all-to-all") + " over " +
                  std::to_string(collective.ranks()) +
                  (device.is_host() ? " ranks on the CPU" : " GPUs") + ", fp32, " +
                  size_text(collective.bytes()) + ", bus bandwidth";
  if (!result.verification.ok()) return result;
  const bool timed = params.time_limit_s > 0;
  const int times =
      timed ? static_cast<int>(std::clamp(kSampleSeconds / collective.run(1), 1.0, 200.0)) : 1;
  for (int i = 0; i < (timed ? 10 : 1); ++i)
    result.samples.push_back(moved / collective.run(times) * 1e-9);
  device.stage("measure");
  result.verification = collective.check(params);
  return result;
}

std::optional<std::string> why_skip(const DeviceRun& run) {
  if (run.runtime.name() == "host") return std::nullopt;
  const auto count = run.runtime.device_count();
  if (count && *count < 2) return "there is one device only";
  if (run.device.index != 0) return "all GPUs take part, from the first one's process";
  return std::nullopt;
}

constexpr std::string_view kDoc = R"(
## What it does
Every GPU of the process takes part. In collective.all_reduce each adds up its part of an array over
all GPUs, whose memory it reads itself, and writes the sums to all of them; in collective.all_to_all
each writes a part of its array to every other. The kernels are this program's own: RCCL is not
needed. Every number is compared, twice. On the CPU three ranks share its memory.

## What a failure means
A number that is wrong names the GPU that holds it and the one that wrote it: look at bandwidth.p2p of
that pair, at the link's errors (XGMI, PCIe AER) and at the IOMMU. If it passes and library.rccl fails
or is far slower, it is RCCL or its set-up. Slow, with every pair of bandwidth.p2p fast: links that
share a switch or a root port.

## What the figure means
Bus bandwidth as nccl-tests define it: 2 (n - 1) / n of the array for an all-reduce, (n - 1) / n for an
all-to-all, by the time from the first launch to the end of the last GPU, several rounds to a sample.
)";

}  // namespace

extern const SelfTest kAllReduce, kAllToAll;
constinit const SelfTest kAllReduce{.id = "collective.all_reduce",
                                    .title = "sums over all GPUs, by rocvet's own kernels",
                                    .doc = kDoc,
                                    .why_skip = why_skip,
                                    .run = guarded<run<Kind::all_reduce>>,
                                    .all_devices = true};
constinit const SelfTest kAllToAll{.id = "collective.all_to_all",
                                   .title = "exchange among all GPUs, by rocvet's own kernels",
                                   .doc = kDoc,
                                   .why_skip = why_skip,
                                   .run = guarded<run<Kind::all_to_all>>,
                                   .all_devices = true};

}  // namespace rocvet
