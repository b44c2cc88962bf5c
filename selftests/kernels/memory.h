// Ways to reach memory that platform.h does not need: past the caches, and atomically for everyone.
#pragma once

#include "platform.h"

namespace rocvet::kernel {

/// 16 bytes that nobody reads again soon: kept out of the caches where the hardware can.
ROCVET_DEVICE Chunk stream_load(const Chunk* from) {
#if ROCVET_AMD
  return __builtin_nontemporal_load(from);
#elif ROCVET_CUDA
  const uint4 held = __ldcs(reinterpret_cast<const uint4*>(from));
  return {{held.x, held.y, held.z, held.w}};
#else
  return *from;
#endif
}
ROCVET_DEVICE void stream_store(Chunk* to, Chunk value) {
#if ROCVET_AMD
  __builtin_nontemporal_store(value, to);
#elif ROCVET_CUDA
  __stcs(reinterpret_cast<uint4*>(to),
         make_uint4(value.word[0], value.word[1], value.word[2], value.word[3]));
#else
  *to = value;
#endif
}

/// Atomic for the host and every device that shares the memory.
ROCVET_DEVICE u32 system_add(u32* at, u32 value) {
#if ROCVET_AMD
  return __hip_atomic_fetch_add(at, value, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_SYSTEM);
#elif ROCVET_CUDA
  // PCIe of these GPUs carries no atomics, so that one of system scope on the host's memory is no
  // valid access (compute-sanitizer says so): atomic for the device, while the host waits.
  return atomicAdd(at, value);
#else
  return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
#endif
}
/// Acquire: what was written before the value was stored is seen after it was loaded.
ROCVET_DEVICE u32 system_load(u32* at) {
#if ROCVET_AMD
  return __hip_atomic_load(at, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
#elif ROCVET_CUDA
  const u32 value = *static_cast<volatile u32*>(at);
  __threadfence_system();
  return value;
#else
  return __atomic_load_n(at, __ATOMIC_ACQUIRE);
#endif
}
/// Release: the counterpart of system_load.
ROCVET_DEVICE void system_store(u32* at, u32 value) {
#if ROCVET_AMD
  __hip_atomic_store(at, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
#elif ROCVET_CUDA
  __threadfence_system();
  *static_cast<volatile u32*>(at) = value;
#else
  __atomic_store_n(at, value, __ATOMIC_RELEASE);
#endif
}

/// A number that makes every place and round different: splitmix32.
ROCVET_BOTH u32 mixed(u32 value) {
  value += 0x9e3779b9u;
  value = (value ^ value >> 16) * 0x85ebca6bu;
  value = (value ^ value >> 13) * 0xc2b2ae35u;
  return value ^ value >> 16;
}

}  // namespace rocvet::kernel
