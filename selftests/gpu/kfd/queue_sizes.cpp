#include "selftests/gpu/kfd/queue_sizes.h"

#include <algorithm>

namespace rocvet::gpu::kfd {
namespace {

constexpr std::uint64_t kSizePage = 4096, kKiB = 1024;

std::uint64_t whole(std::uint64_t bytes, std::uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// Of one compute unit, in bytes.
std::uint64_t vector_registers(std::uint64_t target) {
  switch (target) {
    case 90008:  // gfx908
    case 90010:  // gfx90a
    case 90400:
    case 90401:
    case 90402:
    case 90500:
      return 512 * kKiB;
    case 110000:
    case 110001:
    case 110501:
    case 120000:
    case 120001:
      return 384 * kKiB;
    default:
      return 256 * kKiB;
  }
}

}  // namespace

QueueSizes queue_sizes(const WaveSlots& slots) {
  constexpr std::uint64_t kScalarRegisters = 0x4000, kHardwareRegisters = 0x1000;
  constexpr std::uint64_t kStackHead = 48, kMostStackGfx10 = 0x7000, kDebugOfWave = 32;
  const std::uint64_t major = slots.target_version / 10000;
  const std::uint64_t xccs = std::max<std::uint64_t>(slots.xccs, 1);
  const std::uint64_t units =
      slots.simd_count / std::max<std::uint64_t>(slots.simd_per_cu, 1) / xccs;
  std::uint64_t waves = 32 * units;
  if (major == 9) {
    const std::uint64_t engines =
        slots.array_count / std::max<std::uint64_t>(slots.simd_arrays_per_engine, 1);
    waves = std::min(40 * units, engines * 512);
  }
  std::uint64_t stack = whole(kStackHead + waves * (major == 9 ? 8 : 12), kSizePage);
  if (major == 10) stack = std::min(stack, kMostStackGfx10);
  const std::uint64_t lds = (slots.target_version == 90500 ? 160 : 64) * kKiB;
  const std::uint64_t data = whole(units * (vector_registers(slots.target_version) +
                                            kScalarRegisters + lds + kHardwareRegisters),
                                   kSizePage);
  QueueSizes sizes;
  sizes.end_of_pipe = kSizePage;
  sizes.control_stack = slots.ctl_stack_size != 0 ? slots.ctl_stack_size : stack;
  sizes.context_save = slots.cwsr_size != 0 ? slots.cwsr_size : stack + data;
  sizes.mapping = whole((sizes.context_save + whole(kDebugOfWave * waves, 64)) * xccs, kSizePage);
  return sizes;
}

}  // namespace rocvet::gpu::kfd
