#include "selftests/gpu/aql_queue.h"

#include <atomic>
#include <cstring>

namespace rocvet::gpu {

/// The number of a packet whose slot, and that of its arguments, is free.
Result<std::uint64_t> AqlQueue::next_packet() {
  // The one two behind the reader's has ended: each waits for its predecessor.
  const auto free = [&] {
    return written_ + 2 < shared_->read_index.load(std::memory_order_acquire) + kPackets;
  };
  if (auto done = wait_until(free); !done) return done.error();
  return written_++;
}

void AqlQueue::submit(std::uint64_t number, std::uint16_t setup, aql::PacketType type,
                      const void* body) {
  aql::Packet& packet = packets_[number % kPackets];
  std::memcpy(packet.body.data(), body, packet.body.size());
  // Header and setup at once, last: then the packet is the command processor's.
  auto& head = *reinterpret_cast<std::uint32_t*>(&packet);
  std::atomic_ref<std::uint32_t>(head).store(aql::header_of(type) | std::uint32_t{setup} << 16,
                                             std::memory_order_release);
  shared_->write_index.store(number + 1, std::memory_order_release);
  ring_doorbell(number);
}

Result<Done> AqlQueue::run(const Dispatch& dispatch) {
  const std::uint64_t items = std::uint64_t{dispatch.blocks} * dispatch.threads;
  if (items > UINT32_MAX || dispatch.threads > UINT16_MAX)
    return Error{Error::Kind::unsupported, "dispatch", "a grid has fewer than 2^32 work-items"};
  if (dispatch.arguments.size() > kMostArguments)
    return Error{Error::Kind::unsupported, "dispatch", "the kernel has too many arguments"};
  const auto number = next_packet();
  if (!number) return number.error();
  std::byte* const arguments = arguments_ + *number % kPackets * kMostArguments;
  std::memcpy(arguments, dispatch.arguments.data(), dispatch.arguments.size());
  aql::DispatchBody body;
  body.group_size[0] = static_cast<std::uint16_t>(dispatch.threads);
  body.grid_size[0] = static_cast<std::uint32_t>(items);
  body.group_bytes = dispatch.group_bytes;
  aql::put_address(body.kernel_object, dispatch.kernel_object);
  aql::put_address(body.kernel_arguments, reinterpret_cast<std::uint64_t>(arguments));
  constexpr std::uint16_t kOneDimension = 1;
  submit(*number, kOneDimension, aql::PacketType::kernel_dispatch, &body);
  return Done{};
}

Result<Done> AqlQueue::barrier(const aql::Signal* dependency, const aql::Signal* completion) {
  const auto number = next_packet();
  if (!number) return number.error();
  aql::BarrierBody body;
  aql::put_address(body.dependency[0], reinterpret_cast<std::uint64_t>(dependency));
  aql::put_address(body.completion_signal, reinterpret_cast<std::uint64_t>(completion));
  submit(*number, 0, aql::PacketType::barrier_and, &body);
  return Done{};
}

std::string AqlQueue::state() const {
  const std::uint64_t begun = shared_->read_index.load(std::memory_order_acquire);
  std::string out =
      std::to_string(begun) + " of " + std::to_string(written_) + " packets were begun";
  if (begun >= written_) return out;
  const unsigned type = packets_[begun % kPackets].header & 0xffu;
  const bool kernel = type == static_cast<unsigned>(aql::PacketType::kernel_dispatch);
  return out + ", the next is a " + (kernel ? "kernel" : "barrier");
}

}  // namespace rocvet::gpu
