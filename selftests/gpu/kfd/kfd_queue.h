// Queues of a GPU, as the kernel makes them: one that runs kernels, one that copies.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "selftests/gpu/aql_queue.h"
#include "selftests/gpu/kfd/kfd_device.h"
#include "selftests/gpu/kfd/sdma_packets.h"

namespace rocvet::gpu::kfd {

/// What both kinds have: memory, a number at the kernel, and a doorbell.
class Queue {
 public:
  Queue(const Queue&) = delete;

 protected:
  explicit Queue(KfdDevice& device) : device_(device) {}
  ~Queue();
  /// Memory that lives as long as the queue.
  Result<Memory> allocate(std::uint64_t bytes, MemoryKind kind);
  Result<Done> create(CreateQueue& request);
  void ring(std::uint64_t value);

  KfdDevice& device_;

 private:
  std::vector<Memory> memory_;
  std::uint32_t id_ = 0;
  bool created_ = false;
  std::uint64_t* doorbell_ = nullptr;
};

class ComputeQueue final : public AqlQueue, private Queue {
 public:
  static Result<std::unique_ptr<AqlQueue>> create(KfdDevice& device);
  ~ComputeQueue() override;

 private:
  explicit ComputeQueue(KfdDevice& device) : Queue(device) {}
  Result<Done> start();
  void ring_doorbell(std::uint64_t value) override { ring(value); }
  Result<Done> wait_until(const std::function<bool()>& done) override {
    return device_.wait_for(done, false);
  }

  aql::Signal* stopped_ = nullptr;
};

class CopyQueue final : private Queue {
 public:
  static Result<std::unique_ptr<CopyQueue>> create(KfdDevice& device);

  /// When `before` has happened (nullptr: at once) copies, then sets `after` to 0. No overlap.
  Result<Done> copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes,
                    const aql::Signal* before, const aql::Signal* after);
  /// "3264 of 3328 bytes of the copy engine's packets were read".
  std::string state() const;

 private:
  explicit CopyQueue(KfdDevice& device) : Queue(device) {}
  Result<Done> start();
  Result<Done> put(std::span<const std::uint32_t> words);

  Memory ring_, pointers_;
  std::uint64_t written_ = 0;  ///< bytes
  sdma::Generation generation_ = sdma::Generation::gfx9;
  std::size_t least_words_ = 0;  ///< of what it is given at once
};

}  // namespace rocvet::gpu::kfd
