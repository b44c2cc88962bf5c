// A queue that an AMD GPU's command processor reads: what is given to it is done in its order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/result.h"
#include "selftests/gpu/aql.h"

namespace rocvet::gpu {

/// A kernel that is to run, in one dimension.
struct Dispatch {
  std::uint64_t kernel_object = 0;
  std::uint32_t blocks = 1, threads = 1, group_bytes = 0;
  std::span<const std::byte> arguments;  ///< at most AqlQueue::kMostArguments bytes
};

class AqlQueue {
 public:
  static constexpr std::uint64_t kPackets = 256;
  static constexpr std::size_t kMostArguments = 1024;
  virtual ~AqlQueue() = default;
  AqlQueue(const AqlQueue&) = delete;

  Result<Done> run(const Dispatch& dispatch);
  /// After all before it: waits for `dependency` (nullptr: none) to be 0, then subtracts 1 from
  /// `completion`.
  Result<Done> barrier(const aql::Signal* dependency, const aql::Signal* completion);
  /// How far the command processor has come: "5 of 7 packets were begun, the next is a kernel".
  std::string state() const;

 protected:
  AqlQueue() = default;
  /// kPackets packets, as many times kMostArguments bytes that kernels read, and what the command
  /// processor writes. Before the queue is used.
  void use(aql::Packet* packets, std::byte* arguments, aql::QueueMemory* shared) {
    packets_ = packets;
    arguments_ = arguments;
    shared_ = shared;
  }
  virtual void ring_doorbell(std::uint64_t value) = 0;
  /// Until `done`, which another packet's end brings about.
  virtual Result<Done> wait_until(const std::function<bool()>& done) = 0;

 private:
  Result<std::uint64_t> next_packet();
  void submit(std::uint64_t number, std::uint16_t setup, aql::PacketType type, const void* body);

  aql::Packet* packets_ = nullptr;
  std::byte* arguments_ = nullptr;
  aql::QueueMemory* shared_ = nullptr;
  std::uint64_t written_ = 0;
};

}  // namespace rocvet::gpu
