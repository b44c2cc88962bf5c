// Device memory: whether most of it can be had, and whether every bit of it holds.
#include <algorithm>
#include <cmath>

#include "selftests/device.h"
#include "selftests/kernels/types.h"

namespace rocvet {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::uint32_t kNamed = 62;  ///< wrong words that a kernel names
constexpr std::size_t kTold = 64;     ///< of them that a result names

/// Memory in pieces: one allocation of nearly everything fails where free memory is not in one run.
std::vector<Buffer> allocate(Device& device, std::uint64_t bytes) {
  const std::uint64_t piece = std::min<std::uint64_t>(bytes, 1024 * kMiB);
  std::vector<Buffer> pieces;
  pieces.reserve(bytes / piece + 1);
  for (std::uint64_t left = bytes; left > 0; left -= std::min(left, piece)) {
    pieces.push_back(device.buffer(std::min(left, piece)));
  }
  return pieces;
}

std::uint32_t grid(const Device& device, std::uint64_t words) {
  const std::uint64_t most = static_cast<std::uint64_t>(std::max(device.info().compute_units, 1)) *
                             (device.is_host() ? 1 : 16);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>((words + 255) / 256, 1, most));
}

struct Faults {
  std::uint64_t wrong = 0;
  std::uint32_t bits = 0;  ///< all bits that were ever wrong
  std::vector<std::string> named;
};

class Patterns {
 public:
  Patterns(Device& device, const std::vector<Buffer>& pieces, std::uint32_t seed)
      : device_(device),
        pieces_(pieces),
        seed_(seed),
        fill_(device.kernel("units", "pattern_fill")),
        check_(device.kernel("units", "pattern_check")),
        found_(device.buffer((2 + 3 * kNamed) * 4)) {}

  void fill(std::uint32_t kind) {
    each([&](const Buffer& piece, std::uint64_t first, std::uint64_t words) {
      device_.launch(fill_, {grid(device_, words), 256, 0}, piece, first, words, kind, seed_,
                     grid(device_, words));
    });
  }
  void check(std::uint32_t kind, bool inverted, bool invert, const char* name) {
    each([&](const Buffer& piece, std::uint64_t first, std::uint64_t words) {
      device_.fill(found_, 0);
      checked_ms_ += device_.stopwatch().ms([&] {
        device_.launch(check_, {grid(device_, words), 256, 0}, piece, found_, first, words, kind,
                       seed_, static_cast<std::uint32_t>(inverted),
                       static_cast<std::uint32_t>(invert), grid(device_, words));
      });
      // What is inverted on the way is read and written.
      checked_bytes_ += static_cast<double>(words) * 4 * (invert ? 2 : 1);
      note(device_.download<std::uint32_t>(found_, 2 + 3 * kNamed), name);
    });
  }
  const Faults& faults() const { return faults_; }
  /// GB/s of the checks.
  double speed() const { return checked_ms_ > 0 ? checked_bytes_ / checked_ms_ * 1e-6 : 0; }

 private:
  void each(const std::function<void(const Buffer&, std::uint64_t, std::uint64_t)>& act) {
    std::uint64_t first = 0;
    for (const Buffer& piece : pieces_) {
      act(piece, first, piece.bytes() / 4);
      first += piece.bytes() / 4;
    }
  }
  void note(const std::vector<std::uint32_t>& found, const char* name) {
    faults_.wrong += found[0];
    for (std::uint32_t i = 0; i < std::min(found[0], kNamed); ++i) {
      faults_.bits |= found[4 + 3 * i];
      if (faults_.named.size() >= kTold) continue;
      char text[120];
      std::snprintf(
          text, sizeof text, "pattern '%s': byte 0x%llx of the tested memory, bits 0x%08x", name,
          (static_cast<unsigned long long>(found[3 + 3 * i]) << 32 | found[2 + 3 * i]) * 4,
          found[4 + 3 * i]);
      faults_.named.emplace_back(text);
    }
  }

  Device& device_;
  const std::vector<Buffer>& pieces_;
  std::uint32_t seed_;
  gpu::Handle fill_, check_;
  Buffer found_;
  Faults faults_;
  double checked_ms_ = 0, checked_bytes_ = 0;
};

Measurement judged(const Faults& faults, std::string what) {
  Measurement result;
  result.metric = std::move(what);
  if (faults.wrong == 0) return result;
  char bits[24];
  std::snprintf(bits, sizeof bits, "0x%08x", faults.bits);
  result.verification.max_rel_error = INFINITY;
  result.verification.detail = faults.named.front() + "; " + std::to_string(faults.wrong) +
                               " wrong words, bits ever wrong " + bits;
  result.notes.assign(faults.named.begin() + 1, faults.named.end());
  return result;
}

Measurement run_pattern(Device& device, const Params& params) {
  const std::uint64_t free = device.info().free_bytes;
  const auto wanted =
      pick<std::uint64_t>(device, params.size, 64 * 1024, 1024 * kMiB, free / 10 * 9, 4 * kMiB);
  const std::uint64_t bytes = (free == 0 ? wanted : std::min(wanted, free / 10 * 9)) / 1024 * 1024;
  if (bytes == 0) fail("allocate", "no memory is free on this device");
  const std::vector<Buffer> pieces = allocate(device, bytes);
  Patterns patterns(device, pieces, static_cast<std::uint32_t>(params.seed));
  constexpr const char* kNames[] = {"own address", "walking one", "walking zero",
                                    "moving inversions", "random"};
  for (std::uint32_t kind = 0; kind < 5; ++kind) {
    patterns.fill(kind);
    const bool moving = kind == 3;
    patterns.check(kind, false, moving, kNames[kind]);
    if (moving) patterns.check(kind, true, true, kNames[kind]);
    if (moving) patterns.check(kind, false, false, kNames[kind]);
  }
  Measurement result = judged(
      patterns.faults(), std::to_string(bytes / 1024) + " KiB hold five patterns in every bit");
  if (!device.is_host())
    result.notes.push_back("checked at " + std::to_string(std::lround(patterns.speed())) + " GB/s");
  return result;
}

Measurement run_alloc(Device& device, const Params& params) {
  const std::uint64_t free = device.info().free_bytes;
  // On the CPU and on APUs free memory is everyone's: taking nine tenths would swap the machine.
  const bool shared = device.is_host() || device.info().integrated;
  const std::uint64_t share = params.size == Size::tiny ? free / 100 : free / 10 * (shared ? 1 : 9);
  const std::uint64_t bytes =
      (device.is_host() ? std::min<std::uint64_t>(share, 64 * kMiB) : share) / 4096 * 4096;
  if (bytes == 0) fail("allocate", "no memory is free on this device");
  const std::vector<Buffer> pieces = allocate(device, bytes);
  // First and last page of each piece hold what is written: the memory is really there.
  Faults faults;
  for (const Buffer& piece : pieces) {
    for (const std::uint64_t at : {std::uint64_t{0}, piece.bytes() - 4096}) {
      std::vector<std::uint32_t> page(1024);
      for (std::size_t i = 0; i < page.size(); ++i) {
        page[i] = static_cast<std::uint32_t>(at + i * 2654435761u);
      }
      must(device.runtime().copy(piece.pointer() + at, reinterpret_cast<gpu::Pointer>(page.data()),
                                 4096, gpu::CopyKind::host_to_device));
      const auto back = device.download<std::uint32_t>(piece, 1024, at / 4);
      if (back == page) continue;
      ++faults.wrong;
      faults.named.push_back("a page at byte " + std::to_string(at) +
                             " of an allocation lost its content");
    }
  }
  return judged(faults, std::to_string(bytes / kMiB) + " MiB of " + std::to_string(free / kMiB) +
                            " MiB free could be allocated and used");
}

std::optional<std::string> never(const DeviceRun&) {
  return std::nullopt;
}

constexpr std::string_view kPatternDoc = R"(
## What it does
Writes patterns to device memory and reads them back: each word's own address, a walking one and
zero, moving inversions (check, complement, check), and random words.

## What a failure means
Memory cells, the memory bus or the address lines are faulty. The report names the first wrong byte,
the bits that differ and how often. The same bit in many places points at the bus, one place at a
cell. Look for ECC events; a card with wrong bits and no ECC event should be exchanged.
)";
constexpr std::string_view kAllocDoc = R"(
## What it does
Allocates 90 % of the memory that the runtime says is free (10 % where the memory is the host's too)
and uses the first and last page of each piece.

## What a failure means
Another process holds the memory, a limit of the container or the kernel (GTT, TTM pages) is lower
than what is announced, or the memory is retired for its errors.
)";

}  // namespace

extern const SelfTest kMemoryAlloc, kMemoryPattern;
constinit const SelfTest kMemoryAlloc{"memory.alloc", "most of the free memory can be allocated",
                                      kAllocDoc, never, guarded<run_alloc>};
constinit const SelfTest kMemoryPattern{"memory.pattern", "device memory holds patterns",
                                        kPatternDoc, never, guarded<run_pattern>};

}  // namespace rocvet
