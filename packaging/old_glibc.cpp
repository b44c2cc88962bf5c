// What a release needs where glibc is older than the one that its static libraries (libstdc++,
// libgcc) were built for: stand-ins for symbols that came after the floor, each under the version
// that brought it. The linker's --wrap leads every use of NAME to __wrap_NAME here
// (cmake/old_glibc.cmake); no other library of the process sees them.
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sys/single_threaded.h>
#include <time.h>

#include <algorithm>
#include <cstdint>

namespace {

// What dl_iterate_phdr() is asked for, and what it found.
struct ObjectAt {
  ElfW(Addr) address;
  ElfW(Addr) start = 0;
  ElfW(Addr) end = 0;
  const void* eh_frame_header = nullptr;
};

int find_object(dl_phdr_info* info, std::size_t, void* data) {
  auto& wanted = *static_cast<ObjectAt*>(data);
  ElfW(Addr) start = ~ElfW(Addr){0};
  ElfW(Addr) end = 0;
  bool inside = false;
  const void* eh_frame_header = nullptr;
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    const ElfW(Addr) from = info->dlpi_addr + segment.p_vaddr;
    const ElfW(Addr) to = from + segment.p_memsz;
    if (segment.p_type == PT_GNU_EH_FRAME) eh_frame_header = reinterpret_cast<const void*>(from);
    if (segment.p_type != PT_LOAD) continue;
    if (from < start) start = from;
    if (to > end) end = to;
    if (wanted.address >= from && wanted.address < to) inside = true;
  }
  if (!inside) return 0;
  wanted.start = start;
  wanted.end = end;
  wanted.eh_frame_header = eh_frame_header;
  return 1;
}

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * kNanosecondsPerSecond + time.tv_nsec;
}

std::int64_t now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return nanoseconds(time);
}

}  // namespace

extern "C" {

// 2.29 brought these a second time, to leave out the error handling of SVID.
#define ROCVET_FIRST_VERSION(name) __asm__(".symver first_" #name ", " #name "@GLIBC_2.2.5")
ROCVET_FIRST_VERSION(exp);
ROCVET_FIRST_VERSION(exp2);
ROCVET_FIRST_VERSION(log);
ROCVET_FIRST_VERSION(log2);
ROCVET_FIRST_VERSION(pow);
#undef ROCVET_FIRST_VERSION
double first_exp(double);
double first_exp2(double);
double first_log(double);
double first_log2(double);
double first_pow(double, double);
double __wrap_exp(double x) {
  return first_exp(x);
}
double __wrap_exp2(double x) {
  return first_exp2(x);
}
double __wrap_log(double x) {
  return first_log(x);
}
double __wrap_log2(double x) {
  return first_log2(x);
}
double __wrap_pow(double x, double y) {
  return first_pow(x, y);
}

// 2.30, for std::condition_variable. Waits by the wall clock, as libstdc++ did before. Where the
// end came early, because that clock was set or the wait is a long one, this tells of a
// notification: callers look and wait again.
int __wrap_pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                  clockid_t clock, const timespec* until) {
  const std::int64_t left =
      std::min(nanoseconds(*until) - now(clock), 3600 * kNanosecondsPerSecond);
  const std::int64_t end = now(CLOCK_REALTIME) + left;
  const timespec wall{.tv_sec = end / kNanosecondsPerSecond,
                      .tv_nsec = end % kNanosecondsPerSecond};
  const int status = pthread_cond_timedwait(condition, mutex, &wall);
  return status == ETIMEDOUT && now(clock) < nanoseconds(*until) ? 0 : status;
}

// 2.32. False is always right: it says that there may be other threads.
char __wrap___libc_single_threaded = 0;

// 2.35. libgcc's unwinder asks it for the object that code at an address belongs to; before, it
// walked the objects as here. Zero: found.
int __wrap__dl_find_object(void* address, dl_find_object* result) {
  ObjectAt wanted{.address = reinterpret_cast<ElfW(Addr)>(address)};
  if (dl_iterate_phdr(find_object, &wanted) == 0 || wanted.eh_frame_header == nullptr) return -1;
  *result = {};
  result->dlfo_map_start = reinterpret_cast<void*>(wanted.start);
  result->dlfo_map_end = reinterpret_cast<void*>(wanted.end);
  result->dlfo_eh_frame = const_cast<void*>(wanted.eh_frame_header);
  return 0;
}

}  // extern "C"
