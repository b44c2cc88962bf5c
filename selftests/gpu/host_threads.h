// Runs a kernel on the CPU as a GPU would: each block on one core, each of its threads a fiber of
// its own, so that barriers, shared memory and wave operations do what they do on a GPU.
//
// A thread runs until it meets a barrier or a wave operation, and which thread runs next is drawn
// from the seed. A missing barrier therefore shows: a thread that should wait for the others runs
// ahead of all of them. Shared memory is filled with NaNs before each block, so reading what nobody
// wrote shows too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/result.h"

namespace rocvet::gpu {

inline constexpr std::uint32_t kHostWaveSize = 32;

struct HostLaunch {
  std::uint32_t blocks = 1, threads = 1;
  std::uint64_t seed = 1;  ///< of the order in which threads run
  /// For tests of the tests: barriers that let every thread pass, counted per thread from 0 in each
  /// block; -1 for none.
  int removed_barrier = -1;
};

/// For kernels that are built to report each access to memory (tests/races): finds two threads of a
/// block that touch the same byte of shared memory with no barrier in between, one of them writing.
/// That makes the launch fail, whatever the order was that threads ran in. Other memory is ignored.
void host_access(const void* at, std::size_t bytes, bool write);

/// Calls `kernel` once for each thread of each block. Blocks run in parallel over the cores.
/// Errors: a barrier or wave operation that not every thread reached; a race that was reported.
Result<Done> run_on_host(const HostLaunch& launch, const std::function<void()>& kernel);

}  // namespace rocvet::gpu
