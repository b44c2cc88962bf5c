#include "selftests/gpu/kfd/queue_sizes.h"

#include <doctest/doctest.h>

namespace rocvet::gpu::kfd {
namespace {

/// Of a part with so many compute units in each XCC.
WaveSlots part(std::uint64_t target, std::uint64_t units, std::uint64_t engines,
               std::uint64_t xccs = 1) {
  WaveSlots slots;
  slots.target_version = target;
  slots.simd_per_cu = target >= 100000 ? 2 : 4;
  slots.simd_count = units * slots.simd_per_cu * xccs;
  slots.simd_arrays_per_engine = 2;
  slots.array_count = engines * 2;
  slots.xccs = xccs;
  return slots;
}

TEST_CASE("sizes are those that logs of real machines show") {
  // gfx1030: tinygrad issue 9363; a gfx1012 of 20 units: ROCm/rocm-systems pull request 11299.
  const QueueSizes navi21 = queue_sizes(part(100300, 80, 4));
  CHECK(navi21.context_save == 0x1a97000);
  CHECK(navi21.mapping == 0x1aab000);
  const QueueSizes navi14 = queue_sizes(part(100102, 20, 1));
  CHECK(navi14.context_save == 0x6a6000);
  CHECK(navi14.mapping == 0x6ab000);
}

TEST_CASE("each generation by the kernel's rules") {
  const auto mib = [](const QueueSizes& sizes) { return (sizes.mapping + (1 << 19)) >> 20; };
  CHECK(mib(queue_sizes(part(90402, 38, 4, 8))) == 177);  // MI300X as one
  CHECK(mib(queue_sizes(part(90402, 38, 4))) == 22);      // a partition of it
  CHECK(mib(queue_sizes(part(90010, 104, 8))) == 61);
  CHECK(mib(queue_sizes(part(110000, 96, 6))) == 44);
  CHECK(mib(queue_sizes(part(120001, 64, 4))) == 29);
  CHECK(queue_sizes(part(100300, 80, 4)).control_stack == 0x7000);
  CHECK(queue_sizes(part(90402, 38, 4)).control_stack == 0x3000);
  CHECK(queue_sizes(part(90402, 38, 4)).end_of_pipe == 4096);
}

TEST_CASE("what the kernel itself says comes first") {
  WaveSlots slots = part(110501, 40, 2);
  slots.cwsr_size = 0x1234000;
  slots.ctl_stack_size = 0x5000;
  const QueueSizes sizes = queue_sizes(slots);
  CHECK(sizes.context_save == 0x1234000);
  CHECK(sizes.control_stack == 0x5000);
  CHECK(sizes.mapping == 0x1234000 + 32 * 32 * 40);
}

TEST_CASE("a node that says nothing divides by nothing") {
  CHECK(queue_sizes({}).end_of_pipe == 4096);
}

}  // namespace
}  // namespace rocvet::gpu::kfd
