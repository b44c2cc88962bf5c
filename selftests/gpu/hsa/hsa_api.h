// The calls of libhsa-runtime64 that we use, as a table of what dlsym found. Signatures and numbers
// are those of hsa.h and hsa_ext_amd.h, the same from ROCr 1.5 (ROCm 5.2) to 1.18 (ROCm 7.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rocvet::gpu::hsa {

struct Agent {
  std::uint64_t handle = 0;
};
struct Pool {
  std::uint64_t handle = 0;
};
struct SignalHandle {
  std::uint64_t handle = 0;  ///< the address of an amd_signal_t
};
struct Reader {
  std::uint64_t handle = 0;
};
struct Executable {
  std::uint64_t handle = 0;
};
struct Symbol {
  std::uint64_t handle = 0;
};
struct ProfiledTime {
  std::uint64_t start = 0, end = 0;
};

/// hsa_system_info_t, hsa_agent_info_t with AMD's, hsa_amd_memory_pool_info_t,
/// hsa_executable_symbol_info_t: what is asked, and how large the answer is.
enum SystemInfo : int {
  kTimestampFrequency = 3,  // u64
  kBuildVersion = 0x200,    // a pointer to text; the version of the HSA standard says nothing
};
enum AgentInfo : int {
  kAgentName = 0,  // 64 characters
  kWavefrontSize = 6,
  kDeviceType = 17,
  kComputeUnits = 0xA002,
  kMaxClock = 0xA003,
  kDriverNode = 0xA004,
  kBdf = 0xA006,
  kMemoryWidth = 0xA007,
  kMemoryClock = 0xA008,
  kProductName = 0xA009,  // 64 characters
  kDomain = 0xA00F,
  kUuid = 0xA011,             // 21 characters
  kMemoryAvailable = 0xA015,  // u64
};
enum PoolInfo : int {
  kSegment = 0,
  kGlobalFlags = 1,
  kPoolBytes = 2,  // size_t
};
enum SymbolInfo : int {
  kKernelObject = 22,  // u64
};
constexpr std::uint32_t kGpu = 1;  // hsa_device_type_t
constexpr std::uint32_t kSegmentGlobal = 0, kSegmentGroup = 3;
constexpr std::uint32_t kKernelArguments = 1, kFineGrained = 2, kCoarseGrained = 4;
constexpr std::uint32_t kSingleProducer = 1;
constexpr int kFullProfile = 1, kDefaultRounding = 0;
constexpr int kLessThan = 2, kBlocked = 0;  // of a wait

#define ROCVET_HSA_CALLS(CALL)                                                                    \
  CALL(hsa_init, int())                                                                           \
  CALL(hsa_shut_down, int())                                                                      \
  CALL(hsa_system_get_info, int(int, void*))                                                      \
  CALL(hsa_iterate_agents, int(int (*)(Agent, void*), void*))                                     \
  CALL(hsa_agent_get_info, int(Agent, int, void*))                                                \
  CALL(hsa_amd_agent_iterate_memory_pools, int(Agent, int (*)(Pool, void*), void*))               \
  CALL(hsa_amd_memory_pool_get_info, int(Pool, int, void*))                                       \
  CALL(hsa_amd_memory_pool_allocate, int(Pool, std::size_t, std::uint32_t, void**))               \
  CALL(hsa_amd_memory_pool_free, int(void*))                                                      \
  CALL(hsa_amd_agents_allow_access,                                                               \
       int(std::uint32_t, const Agent*, const std::uint32_t*, const void*))                       \
  CALL(hsa_amd_memory_async_copy, int(void*, Agent, const void*, Agent, std::size_t,              \
                                      std::uint32_t, const SignalHandle*, SignalHandle))          \
  CALL(hsa_queue_create, int(Agent, std::uint32_t, std::uint32_t, void (*)(int, void*, void*),    \
                             void*, std::uint32_t, std::uint32_t, void**))                        \
  CALL(hsa_queue_destroy, int(void*))                                                             \
  CALL(hsa_signal_create, int(std::int64_t, std::uint32_t, const Agent*, SignalHandle*))          \
  CALL(hsa_signal_destroy, int(SignalHandle))                                                     \
  CALL(hsa_signal_store_screlease, void(SignalHandle, std::int64_t))                              \
  CALL(hsa_signal_wait_scacquire,                                                                 \
       std::int64_t(SignalHandle, int, std::int64_t, std::uint64_t, int))                         \
  CALL(hsa_code_object_reader_create_from_memory, int(const void*, std::size_t, Reader*))         \
  CALL(hsa_code_object_reader_destroy, int(Reader))                                               \
  CALL(hsa_executable_create_alt, int(int, int, const char*, Executable*))                        \
  CALL(hsa_executable_load_agent_code_object, int(Executable, Agent, Reader, const char*, void*)) \
  CALL(hsa_executable_freeze, int(Executable, const char*))                                       \
  CALL(hsa_executable_destroy, int(Executable))                                                   \
  CALL(hsa_executable_get_symbol_by_name, int(Executable, const char*, const Agent*, Symbol*))    \
  CALL(hsa_executable_symbol_get_info, int(Symbol, int, void*))                                   \
  CALL(hsa_amd_profiling_set_profiler_enabled, int(void*, int))                                   \
  CALL(hsa_amd_profiling_get_dispatch_time, int(Agent, SignalHandle, ProfiledTime*))

struct HsaApi {
#define CALL(name, signature) \
  using name##_t = signature; \
  name##_t* name = nullptr;
  ROCVET_HSA_CALLS(CALL)
#undef CALL
};

/// "HSA_STATUS_ERROR_OUT_OF_RESOURCES"; hsa_status_string answers only after hsa_init did.
std::string status_name(int status);
/// What it means where ROCr's name of it says too little; "" for all others.
std::string_view meaning_of(std::string_view call, int status);

}  // namespace rocvet::gpu::hsa
