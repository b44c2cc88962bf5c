// What a kernel may use, on the three platforms that our kernels build for:
//   AMD    clang -x hip --offload-device-only -nogpuinc -nogpulib (no header of ROCm), and hipRTC
//   CUDA   nvcc
//   host   the C++ compiler of the project; every thread of a block really runs
// Blocks and grids are one-dimensional. Kernels are ROCVET_KERNEL functions with extern "C" names.
#pragma once

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define ROCVET_CUDA 1
#define ROCVET_AMD 0
#define ROCVET_HOST 0
#elif defined(__HIP__) || defined(__HIPCC_RTC__)
#define ROCVET_AMD 1
#define ROCVET_CUDA 0
#define ROCVET_HOST 0
#else
#define ROCVET_HOST 1
#define ROCVET_CUDA 0
#define ROCVET_AMD 0
#include <bit>
#include <cmath>
#include <cstddef>
#endif

#if ROCVET_CUDA
#define ROCVET_DEVICE __device__ __forceinline__
#define ROCVET_BOTH __host__ __device__ __forceinline__
/// A kernel whose blocks have at most `threads` threads, at least `blocks` of them on a compute
/// unit.
#define ROCVET_KERNEL(threads, blocks) extern "C" __global__ void __launch_bounds__(threads, blocks)
#elif ROCVET_AMD
#define ROCVET_DEVICE __attribute__((device)) inline __attribute__((always_inline))
#define ROCVET_BOTH \
  __attribute__((device)) __attribute__((host)) inline __attribute__((always_inline))
#define ROCVET_KERNEL(threads, blocks)                     \
  extern "C" __attribute__((global)) __attribute__((used)) \
  __attribute__((amdgpu_flat_work_group_size(1, threads))) void
#else
#define ROCVET_DEVICE inline
#define ROCVET_BOTH inline
#define ROCVET_KERNEL(threads, blocks) extern "C" void
#endif

#if ROCVET_HOST
#define ROCVET_UNROLL
#define ROCVET_UNROLL_BY(n)
#else
#define ROCVET_PRAGMA(text) _Pragma(#text)
#define ROCVET_UNROLL _Pragma("unroll")
#define ROCVET_UNROLL_BY(n) ROCVET_PRAGMA(unroll n)
#endif

namespace rocvet::kernel {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;

#if ROCVET_HOST
/// The host runtime (selftests/gpu/host.cpp) defines these: the thread of a block that calls.
namespace host {
u32 thread_index();
u32 block_index();
u32 grid_blocks();
void barrier();
/// The block's shared memory: the n-th call of every thread of a block gets the same address.
void* shared_memory(std::size_t bytes);
/// The value that lane `from` of this wave of 32 gave in the same call.
u32 shuffle(u32 value, u32 from);
}  // namespace host
#endif

// barrier() orders what the block does in shared memory; global memory need not be ordered by it,
// so that loads can be under way across it.
#if ROCVET_CUDA
ROCVET_DEVICE u32 thread_index() {
  return threadIdx.x;
}
ROCVET_DEVICE u32 block_index() {
  return blockIdx.x;
}
ROCVET_DEVICE u32 grid_blocks() {
  return gridDim.x;
}
ROCVET_DEVICE void barrier() {
  __syncthreads();
}
#elif ROCVET_AMD
ROCVET_DEVICE u32 thread_index() {
  return __builtin_amdgcn_workitem_id_x();
}
ROCVET_DEVICE u32 block_index() {
  return __builtin_amdgcn_workgroup_id_x();
}
ROCVET_DEVICE u32 grid_blocks() {
  return __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x();
}
#if __clang_major__ >= 19
#define ROCVET_SHARED_ONLY , "local"
#else
#define ROCVET_SHARED_ONLY
#endif
ROCVET_DEVICE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup" ROCVET_SHARED_ONLY);
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup" ROCVET_SHARED_ONLY);
}
#else
inline u32 thread_index() {
  return host::thread_index();
}
inline u32 block_index() {
  return host::block_index();
}
inline u32 grid_blocks() {
  return host::grid_blocks();
}
inline void barrier() {
  host::barrier();
}
#endif

/// ROCVET_SHARED(T, name, count): an array of the block in shared memory. Its size is known to the
/// compiler; the launch's dynamic_lds is for ROCVET_DYNAMIC_SHARED (NVIDIA allows 48 KiB without).
#if ROCVET_CUDA
#define ROCVET_SHARED(T, name, count) __shared__ alignas(128) T name[count]
#define ROCVET_DYNAMIC_SHARED(name) extern __shared__ __align__(1024) unsigned char name[]
#elif ROCVET_AMD
#define ROCVET_SHARED(T, name, count) \
  static __attribute__((shared)) __attribute__((aligned(128))) T name[count]
#else
#define ROCVET_SHARED(T, name, count) \
  T* const name = static_cast<T*>(rocvet::kernel::host::shared_memory(sizeof(T) * (count)))
#endif

/// 16 bytes: what one lane loads or stores at a time.
#if ROCVET_AMD
using Chunk = u32 __attribute__((ext_vector_type(4)));
#else
struct alignas(16) Chunk {
  u32 word[4];
  ROCVET_BOTH u32& operator[](int i) { return word[i]; }
  ROCVET_BOTH u32 operator[](int i) const { return word[i]; }
};
#endif

/// How many lanes run in lockstep on the target that is being compiled.
#if ROCVET_AMD && (defined(__GFX8__) || defined(__GFX9__))
inline constexpr u32 kWaveSize = 64;
#else
inline constexpr u32 kWaveSize = 32;
#endif

ROCVET_DEVICE u32 lane_index() {
  return thread_index() % kWaveSize;
}
/// `value` is the same in every lane of a wave: the compiler is told so.
ROCVET_DEVICE u32 same_in_wave(u32 value) {
#if ROCVET_AMD
  return __builtin_amdgcn_readfirstlane(value);
#elif ROCVET_CUDA
  return __shfl_sync(0xffffffffu, value, 0);
#else
  return value;
#endif
}
/// The same in every lane of a wave, and known to be so by the compiler.
ROCVET_DEVICE u32 wave_index() {
  return same_in_wave(thread_index() / kWaveSize);
}

/// The compiler moves no instruction (on CUDA: no access to memory) across.
ROCVET_DEVICE void schedule_fence() {
#if ROCVET_AMD
  __builtin_amdgcn_sched_barrier(0);
#elif ROCVET_CUDA
  asm volatile("" ::: "memory");
#endif
}

/// `value` is made before here, and what is made of it after: neither once before a loop nor later.
template <class T>
ROCVET_DEVICE void keep_here(T& value) {
#if ROCVET_AMD
  asm volatile("" : "+v"(value));
#endif
  (void)value;
}

/// Global memory: loads say so themselves, whatever the compiler can prove of the address.
#if ROCVET_AMD
template <class T>
using Global = __attribute__((address_space(1))) T;
template <class T>
using Shared = __attribute__((address_space(3))) T;
#else
template <class T>
using Global = T;
#endif

/// Waits for all loads, or for all that the wave does with shared memory (but for the last
/// `pending` accesses), in one go.
ROCVET_DEVICE void wait_for_loads() {
#if ROCVET_AMD && defined(__GFX9__)
  __builtin_amdgcn_s_waitcnt(0x0f70);
#endif
}
template <int pending = 0>
ROCVET_DEVICE void wait_for_shared() {
#if ROCVET_AMD && defined(__GFX9__)
  __builtin_amdgcn_s_waitcnt(0xc07f | pending << 8);
#endif
}

/// What a group of schedule_group is made of.
enum class Instruction { matrix = 0x8, load = 0x20, shared_read = 0x100, shared_write = 0x200 };
/// In the part of the code between two fences: the next `count` instructions of `kind` come here,
/// after those of the groups before. A wish that the compiler may refuse.
template <Instruction kind, int count>
ROCVET_DEVICE void schedule_group() {
#if ROCVET_AMD
  if constexpr (count > 0) {
    __builtin_amdgcn_sched_group_barrier(static_cast<int>(kind), count, 0);
  }
#endif
}

#if ROCVET_CUDA
/// Starts to copy 16 bytes to shared memory, or zeros.
ROCVET_DEVICE void copy_chunk(void* shared, const void* from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                   static_cast<u32>(__cvta_generic_to_shared(shared))),
               "l"(from), "r"(inside ? 16 : 0)
               : "memory");
}
ROCVET_DEVICE void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Waits until at most `pending` committed groups of this thread are under way.
template <int pending>
ROCVET_DEVICE void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}
#else
ROCVET_DEVICE void copy_chunk(void*, const void*, bool) {}
ROCVET_DEVICE void commit_copies() {}
template <int pending>
ROCVET_DEVICE void wait_for_copies() {}
#endif

template <class To, class From>
ROCVET_BOTH To bits(From from) {
#if ROCVET_AMD
  return __builtin_bit_cast(To, from);
#elif ROCVET_CUDA
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
#else
  return std::bit_cast<To>(from);
#endif
}

/// The value that the lane has whose number differs in the bits of `mask`. Every lane must call.
template <u32 mask>
ROCVET_DEVICE u32 shuffle_xor(u32 value) {
#if ROCVET_AMD
  const int word = static_cast<int>(value);
  if constexpr (mask == 1) {
    return __builtin_amdgcn_mov_dpp(word, 0xb1, 0xf, 0xf, true);  // quad_perm 1 0 3 2
  } else if constexpr (mask == 2) {
    return __builtin_amdgcn_mov_dpp(word, 0x4e, 0xf, 0xf, true);  // quad_perm 2 3 0 1
#if !defined(__GFX8__) && !defined(__GFX9__)
  } else if constexpr (mask == 16) {  // the same lane of the other row of 16
    return __builtin_amdgcn_permlanex16(word, word, 0x76543210, 0xfedcba98, false, false);
#endif
  } else if constexpr (mask < 32) {
    return __builtin_amdgcn_ds_swizzle(word, mask << 10 | 0x1f);
  } else {
    return __builtin_amdgcn_ds_bpermute(static_cast<int>((lane_index() ^ mask) * 4), word);
  }
#elif ROCVET_CUDA
  return __shfl_xor_sync(0xffffffffu, value, mask);
#else
  return host::shuffle(value, lane_index() ^ mask);
#endif
}
template <u32 mask>
ROCVET_DEVICE float shuffle_xor(float value) {
  return bits<float>(shuffle_xor<mask>(bits<u32>(value)));
}

/// 2 to the power of x; minus infinity gives 0.
ROCVET_DEVICE float exp2_fast(float x) {
#if ROCVET_AMD
  return __builtin_amdgcn_exp2f(x);
#elif ROCVET_CUDA
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return std::exp2(x);
#endif
}

/// The larger of two numbers that are not NaN.
ROCVET_DEVICE float maximum(float a, float b) {
#if ROCVET_HOST
  return a < b ? b : a;
#else
  return __builtin_fmaxf(a, b);
#endif
}

/// Whether it is so in any lane of the wave. Every lane must call.
ROCVET_DEVICE bool any_lane(bool so) {
#if ROCVET_AMD
  if constexpr (kWaveSize == 64) {
    return __builtin_amdgcn_ballot_w64(so) != 0;
  } else {
    return __builtin_amdgcn_ballot_w32(so) != 0;
  }
#elif ROCVET_CUDA
  return __any_sync(0xffffffffu, so);
#else
  u32 any = so;
  for (u32 mask = 1; mask < kWaveSize; mask *= 2) any |= host::shuffle(any, lane_index() ^ mask);
  return any != 0;
#endif
}

/// What follows in a branch stays there: the compiler does not select among both outcomes instead.
ROCVET_DEVICE void stay_in_branch() {
#if ROCVET_AMD
  asm volatile("");
#endif
}

/// std::conditional_t, which device code has not.
template <bool condition, class Yes, class No>
struct Select {
  using type_t = Yes;
};
template <class Yes, class No>
struct Select<false, Yes, No> {
  using type_t = No;
};

template <class T>
ROCVET_BOTH constexpr T smaller(T a, T b) {
  return b < a ? b : a;
}
template <class T>
ROCVET_BOTH constexpr T larger(T a, T b) {
  return a < b ? b : a;
}

}  // namespace rocvet::kernel
