// Packets and signals that an AMD GPU's command processor reads, as memory holds them.
// Source: HSA Platform System Architecture 1.2, and amd_hsa_queue.h, amd_hsa_signal.h of ROCr.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace rocvet::gpu::aql {

enum class PacketType : std::uint16_t { invalid = 1, kernel_dispatch = 2, barrier_and = 3 };

/// Each waits for those before it, and makes visible to all, and sees, what was written.
constexpr std::uint16_t header_of(PacketType type) {
  constexpr unsigned kBarrier = 1u << 8, kSystem = 2, kAcquire = 9, kRelease = 11;
  return static_cast<std::uint16_t>(static_cast<unsigned>(type) | kBarrier | kSystem << kAcquire |
                                    kSystem << kRelease);
}

struct Packet {
  std::uint16_t header = header_of(PacketType::invalid);
  std::uint16_t setup = 0;
  std::array<std::byte, 60> body{};
};

/// What follows the header and `setup`, which is the number of dimensions.
struct DispatchBody {
  std::uint16_t group_size[3] = {1, 1, 1};
  std::uint16_t reserved = 0;
  std::uint32_t grid_size[3] = {1, 1, 1};  ///< in work-items
  std::uint32_t private_bytes = 0, group_bytes = 0;
  std::uint32_t kernel_object[2] = {}, kernel_arguments[2] = {};
  std::uint32_t reserved_2[2] = {};
  std::uint32_t completion_signal[2] = {};
};
static_assert(sizeof(DispatchBody) == 60);

struct BarrierBody {
  std::uint32_t reserved = 0;
  std::uint32_t dependency[5][2] = {};  ///< addresses of signals, each awaited to be 0
  std::uint32_t reserved_2[2] = {};
  std::uint32_t completion_signal[2] = {};
};
static_assert(sizeof(BarrierBody) == 60);

inline void put_address(std::uint32_t (&to)[2], std::uint64_t address) {
  to[0] = static_cast<std::uint32_t>(address);
  to[1] = static_cast<std::uint32_t>(address >> 32);
}

/// amd_signal_t. The command processor subtracts 1 from the value; with a mailbox it also writes
/// the event's number there, and interrupts.
struct alignas(64) Signal {
  std::int64_t kind = 1;
  std::atomic<std::int64_t> value{0};
  std::uint64_t mailbox = 0;
  std::uint32_t event_id = 0, reserved = 0;
  std::uint64_t start_ticks = 0, end_ticks = 0;
  std::uint64_t reserved_2[2] = {};
};
static_assert(sizeof(Signal) == 64 && sizeof(std::atomic<std::int64_t>) == 8);

/// The parts of amd_queue_t that the command processor reads or writes.
struct QueueMemory {
  std::uint32_t type = 1, features = 1;  // one producer; dispatches
  std::uint64_t ring = 0, doorbell_signal = 0;
  std::uint32_t packets = 0, reserved = 0;
  std::uint64_t id = 0;
  std::uint32_t capabilities = 0, reserved_2[3] = {};
  std::atomic<std::uint64_t> write_index{0};
  std::uint32_t group_aperture_high = 0, private_aperture_high = 0;
  std::uint32_t last_unit = 0, last_wave = 0;
  std::uint64_t reserved_3[6] = {};
  std::atomic<std::uint64_t> read_index{0};
  std::uint32_t read_index_offset = 128, reserved_4[9] = {};
  std::uint32_t properties = 0, reserved_5[3] = {};
  std::uint64_t inactive_signal = 0;
};
static_assert(offsetof(QueueMemory, write_index) == 56);
static_assert(offsetof(QueueMemory, group_aperture_high) == 64);
static_assert(offsetof(QueueMemory, read_index) == 128);
static_assert(offsetof(QueueMemory, read_index_offset) == 136);
static_assert(offsetof(QueueMemory, properties) == 176);
static_assert(offsetof(QueueMemory, inactive_signal) == 192);
/// Of QueueMemory::properties.
constexpr std::uint32_t kPointersOf64Bits = 1u << 1, kTimestamps = 1u << 3;

/// What the command processor says of a queue that it stopped, by the bits of the queue's inactive
/// signal.
struct StopReason {
  std::uint32_t bits;
  const char* words;
};
constexpr StopReason kStopReasons[] = {
    {0x401, "a kernel needs scratch memory, which it was not given"},
    {2, "a packet has bad dimensions"},
    {4, "a kernel asks for more LDS than there is"},
    {8, "a kernel's code is not valid"},
    {32 | 256, "a packet is malformed"},
    {64, "a work-group is too large"},
    {128, "a kernel asks for more registers than there are"},
};

}  // namespace rocvet::gpu::aql
