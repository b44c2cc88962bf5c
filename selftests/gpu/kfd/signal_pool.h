// Signals in memory that the GPU writes.
#pragma once

#include <vector>

#include "selftests/gpu/aql.h"
#include "selftests/gpu/kfd/kfd_device.h"

namespace rocvet::gpu::kfd {

/// A taken signal is the taker's until it is given back.
class SignalPool {
 public:
  explicit SignalPool(KfdDevice& device) : device_(device) {}
  ~SignalPool();
  SignalPool(const SignalPool&) = delete;
  /// Of value 1, not yet happened; without a mailbox.
  Result<aql::Signal*> take();
  void give_back(aql::Signal* signal) { free_.push_back(signal); }

 private:
  KfdDevice& device_;
  std::vector<Memory> blocks_;
  std::vector<aql::Signal*> free_;
};

}  // namespace rocvet::gpu::kfd
