// What the kernel's compute driver is asked through /dev/kfd, and what it answers: numbers and
// layouts of its interface 1.17 (linux/kfd_ioctl.h of Linux 6.12; older kernels take these too, and
// copy what they know). Our own, since the header of the machine that builds may be older.
#pragma once

#include <cstdint>

namespace rocvet::gpu::kfd {

struct Version {
  std::uint32_t major = 0, minor = 0;
};

enum class QueueType : std::uint32_t { compute = 0, sdma = 1, compute_aql = 2, sdma_xgmi = 3 };

struct CreateQueue {
  std::uint64_t ring_base = 0, write_pointer = 0, read_pointer = 0;
  std::uint64_t doorbell_offset = 0;  ///< out: where it is mapped from /dev/kfd
  std::uint32_t ring_size = 0, gpu_id = 0;
  QueueType type = QueueType::compute_aql;
  std::uint32_t percentage = 100, priority = 7;
  std::uint32_t queue_id = 0;  ///< out
  std::uint64_t eop_buffer = 0, eop_size = 0, context_save = 0;
  std::uint32_t context_save_size = 0, control_stack_size = 0;
  std::uint32_t sdma_engine = 0, pad = 0;
};
static_assert(sizeof(CreateQueue) == 96);

struct DestroyQueue {
  std::uint32_t queue_id = 0, pad = 0;
};

struct ClockCounters {
  std::uint64_t gpu_ticks = 0;                                      ///< out
  std::uint64_t cpu_raw_ns = 0, boot_ns = 0, system_frequency = 0;  ///< out
  std::uint32_t gpu_id = 0, pad = 0;
};
static_assert(sizeof(ClockCounters) == 40);

enum class EventType : std::uint32_t { signal = 0, hardware = 3, memory = 8 };

struct CreateEvent {
  std::uint64_t page_offset = 0;  ///< in, of the first: the handle of the event page
  std::uint32_t trigger_data = 0;
  EventType type = EventType::signal;
  std::uint32_t auto_reset = 1, node_id = 0;
  std::uint32_t event_id = 0, slot = 0;  ///< out
};
static_assert(sizeof(CreateEvent) == 32);

struct OneEvent {  ///< of DESTROY_EVENT, SET_EVENT
  std::uint32_t event_id = 0, pad = 0;
};

/// What one awaited event brings, if it happened.
struct EventData {
  union {
    struct {
      std::uint32_t not_present, read_only, no_execute, imprecise;
      std::uint64_t address;
      std::uint32_t gpu_id, type;  ///< type: 0 page fault, 1 ECC, 2 poison, 3 hang
    } memory;
    struct {
      std::uint32_t reset_type, cause, memory_lost, gpu_id;  ///< cause: 0 hang, 1 ECC
    } hardware;
    struct {
      std::uint64_t last_age;  ///< in: waits for a later one; out: the age now; 0: of no interest
    } signal;
  };
  std::uint64_t extension = 0;
  std::uint32_t event_id = 0, pad = 0;
};
static_assert(sizeof(EventData) == 48);

struct WaitEvents {
  std::uint64_t events = 0;  ///< of EventData
  std::uint32_t count = 0, all = 0, timeout_ms = 0, result = 0;
};
static_assert(sizeof(WaitEvents) == 24);

struct Aperture {
  std::uint64_t lds_base = 0, lds_limit = 0, scratch_base = 0, scratch_limit = 0, gpuvm_base = 0,
                gpuvm_limit = 0;
  std::uint32_t gpu_id = 0, pad = 0;
};
static_assert(sizeof(Aperture) == 56);

struct GetApertures {
  std::uint64_t apertures = 0;
  std::uint32_t count = 0, pad = 0;  ///< in: room for; out: how many there are
};
static_assert(sizeof(GetApertures) == 16);

struct AcquireVm {
  std::uint32_t render_fd = 0, gpu_id = 0;
};

/// Of AllocateMemory::flags.
enum MemoryFlag : std::uint32_t {
  kVram = 1u << 0,
  kGtt = 1u << 1,
  kDoorbell = 1u << 3,
  kUncached = 1u << 25,
  kCoherent = 1u << 26,
  kNoSubstitute = 1u << 28,
  kPublic = 1u << 29,  ///< the CPU maps it
  kExecutable = 1u << 30,
  kWritable = 1u << 31,
};

struct AllocateMemory {
  std::uint64_t address = 0, size = 0;
  std::uint64_t handle = 0;       ///< out
  std::uint64_t mmap_offset = 0;  ///< out, of the render node
  std::uint32_t gpu_id = 0, flags = 0;
};
static_assert(sizeof(AllocateMemory) == 40);

struct FreeMemory {
  std::uint64_t handle = 0;
};

struct MapMemory {  ///< of MAP_MEMORY_TO_GPU and UNMAP_MEMORY_FROM_GPU
  std::uint64_t handle = 0, gpu_ids = 0;
  std::uint32_t count = 0, succeeded = 0;
};
static_assert(sizeof(MapMemory) == 24);

struct AvailableMemory {
  std::uint64_t bytes = 0;
  std::uint32_t gpu_id = 0, pad = 0;
};
static_assert(sizeof(AvailableMemory) == 16);

/// A request of /dev/kfd: its number and which way its argument goes.
struct Request {
  unsigned long code;
  const char* name;
};
constexpr unsigned kToKernel = 1, kFromKernel = 2;
template <typename Argument>
constexpr unsigned long request_code(unsigned direction, unsigned number) {
  return static_cast<unsigned long>(direction) << 30 |
         static_cast<unsigned long>(sizeof(Argument)) << 16 | 'K' << 8 | number;
}
template <typename Argument>
constexpr Request asked(unsigned number, const char* name) {
  return {request_code<Argument>(kToKernel | kFromKernel, number), name};
}
template <typename Argument>
constexpr Request told(unsigned number, const char* name) {
  return {request_code<Argument>(kToKernel, number), name};
}

constexpr Request kGetVersion{request_code<Version>(kFromKernel, 0x01), "GET_VERSION"};
constexpr Request kCreateQueue = asked<CreateQueue>(0x02, "CREATE_QUEUE");
constexpr Request kDestroyQueue = asked<DestroyQueue>(0x03, "DESTROY_QUEUE");
constexpr Request kGetClockCounters = asked<ClockCounters>(0x05, "GET_CLOCK_COUNTERS");
constexpr Request kCreateEvent = asked<CreateEvent>(0x08, "CREATE_EVENT");
constexpr Request kDestroyEvent = told<OneEvent>(0x09, "DESTROY_EVENT");
constexpr Request kWaitEvents = asked<WaitEvents>(0x0C, "WAIT_EVENTS");
constexpr Request kGetApertures = asked<GetApertures>(0x14, "GET_PROCESS_APERTURES_NEW");
constexpr Request kAcquireVm = told<AcquireVm>(0x15, "ACQUIRE_VM");
constexpr Request kAllocateMemory = asked<AllocateMemory>(0x16, "ALLOC_MEMORY_OF_GPU");
constexpr Request kFreeMemory = told<FreeMemory>(0x17, "FREE_MEMORY_OF_GPU");
constexpr Request kMapMemory = asked<MapMemory>(0x18, "MAP_MEMORY_TO_GPU");
constexpr Request kUnmapMemory = asked<MapMemory>(0x19, "UNMAP_MEMORY_FROM_GPU");
constexpr Request kAvailableMemory = asked<AvailableMemory>(0x23, "AVAILABLE_MEMORY");

}  // namespace rocvet::gpu::kfd
