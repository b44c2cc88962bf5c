// What the compiler's -fsanitize=thread calls, with our meaning: every access to memory of an
// instrumented kernel goes to the host runtime. The sanitizer's own library is not linked: it knows
// threads of the machine, not those of a block, which take turns on one of them.
#include <cstdint>

#include "selftests/gpu/host_threads.h"

using rocvet::gpu::host_access;

// The names are the compiler's.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

#define ACCESS(bytes)                            \
  void __tsan_read##bytes(void* at) {            \
    host_access(at, bytes, false);               \
  }                                              \
  void __tsan_write##bytes(void* at) {           \
    host_access(at, bytes, true);                \
  }                                              \
  void __tsan_unaligned_read##bytes(void* at) {  \
    host_access(at, bytes, false);               \
  }                                              \
  void __tsan_unaligned_write##bytes(void* at) { \
    host_access(at, bytes, true);                \
  }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
#undef ACCESS
void __tsan_read_range(void* at, unsigned long bytes) {
  host_access(at, bytes, false);
}
void __tsan_write_range(void* at, unsigned long bytes) {
  host_access(at, bytes, true);
}

// clang's copies.
void* __tsan_memcpy(void* to, const void* from, unsigned long bytes) {
  host_access(from, bytes, false);
  host_access(to, bytes, true);
  return __builtin_memcpy(to, from, bytes);
}
void* __tsan_memset(void* to, int value, unsigned long bytes) {
  host_access(to, bytes, true);
  return __builtin_memset(to, value, bytes);
}

// Atomics are what they are: no race.
std::uint32_t __tsan_atomic32_fetch_add(volatile std::uint32_t* at, std::uint32_t value, int) {
  return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
}
std::uint32_t __tsan_atomic32_load(const volatile std::uint32_t* at, int) {
  return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}
void __tsan_atomic32_store(volatile std::uint32_t* at, std::uint32_t value, int) {
  __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
}
}
// NOLINTEND(bugprone-reserved-identifier)
