// How much memory the kernel wants beside a compute queue, which depends on the GPU's waves. It
// refuses a queue with other sizes (EINVAL).
#pragma once

#include <cstdint>

namespace rocvet::gpu::kfd {

/// What a node of the topology says that the sizes depend on.
struct WaveSlots {
  std::uint64_t target_version = 0;  ///< gfx_target_version: 90402 is gfx942
  std::uint64_t simd_count = 0, simd_per_cu = 0, array_count = 0, simd_arrays_per_engine = 0;
  std::uint64_t xccs = 1;
  std::uint64_t cwsr_size = 0, ctl_stack_size = 0;  ///< of newer kernels; 0: computed here
};

struct QueueSizes {
  std::uint64_t end_of_pipe = 0;    ///< bytes, as the next
  std::uint64_t control_stack = 0;  ///< of one XCC
  std::uint64_t context_save = 0;   ///< of one XCC, with the control stack
  std::uint64_t mapping = 0;        ///< of all XCCs, with what a debugger is told
};

/// By the rules of drivers/gpu/drm/amd/amdkfd/kfd_queue.c (Linux 6.12).
QueueSizes queue_sizes(const WaveSlots& slots);

}  // namespace rocvet::gpu::kfd
