#include "selftests/gpu/kfd/signal_pool.h"

#include <new>

namespace rocvet::gpu::kfd {

SignalPool::~SignalPool() {
  for (const Memory& block : blocks_) (void)device_.free(block);
}

Result<aql::Signal*> SignalPool::take() {
  constexpr std::uint64_t kBlock = 64 << 10;
  if (free_.empty()) {
    const auto block = device_.allocate(kBlock, MemoryKind::control);
    if (!block) return block.error();
    blocks_.push_back(*block);
    for (std::uint64_t at = 0; at < kBlock; at += sizeof(aql::Signal))
      free_.push_back(block->as<aql::Signal>(at));
  }
  aql::Signal* const signal = new (free_.back()) aql::Signal;
  free_.pop_back();
  signal->value.store(1, std::memory_order_release);
  return signal;
}

}  // namespace rocvet::gpu::kfd
