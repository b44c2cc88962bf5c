// What Hopper (sm_90a) has beyond mma.sync: the tensor copy engine, barriers that count its bytes,
// and matrix products of a whole warpgroup (4 warps) that read their operands from shared memory.
#pragma once

#include "platform.h"
#include "types.h"

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define ROCVET_SM90 1

namespace rocvet::kernel {

/// An NVIDIA tensor map: made by the driver on the host, passed by value, opaque here.
struct alignas(64) TensorMap {
  u64 opaque[16];
};

ROCVET_DEVICE u32 shared_address(const void* pointer) {
  return static_cast<u32>(__cvta_generic_to_shared(pointer));
}

/// A barrier in shared memory: it turns to its next phase when `arrivals` threads have arrived and
/// the bytes they announced have been copied.
struct PhaseBarrier {
  u64 word;

  ROCVET_DEVICE void start(u32 arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&word)),
                 "r"(arrivals));
  }
  ROCVET_DEVICE void arrive() {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&word))
                 : "memory");
  }
  /// Arrives at this barrier's counterpart in block `block` of the cluster.
  ROCVET_DEVICE void arrive_at(u32 block) {
    asm volatile(
        "{.reg .b32 there;\n"
        "mapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [there];}" ::"r"(shared_address(&word)),
        "r"(block)
        : "memory");
  }
  ROCVET_DEVICE void arrive_and_expect(u32 bytes) {
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&word)),
        "r"(bytes)
        : "memory");
  }
  /// Waits until the phase of this parity has ended.
  ROCVET_DEVICE void wait(u32 parity) {
    asm volatile(
        "{.reg .pred done;\n"
        "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@!done bra again;}" ::"r"(shared_address(&word)),
        "r"(parity)
        : "memory");
  }
};

/// Starts to copy 4 bytes to shared memory, or zeros.
ROCVET_DEVICE void copy_word(void* shared, const void* from, bool inside) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared_address(shared)),
               "l"(from), "r"(inside ? 4 : 0)
               : "memory");
}

/// Makes what this thread wrote to shared memory visible to the copy engine and to products that
/// read it there.
ROCVET_DEVICE void publish_shared() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
/// Makes barriers that were just started visible to the copy engine and the cluster.
ROCVET_DEVICE void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  publish_shared();
}

/// Copies one box of a tensor, at (x, y) or (x, y, z), into shared memory. One thread calls.
ROCVET_DEVICE void copy_box(void* to, const TensorMap* map, PhaseBarrier* done, int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
      "{%3, "
      "%4}], [%2];" ::"r"(shared_address(to)),
      "l"(map), "r"(shared_address(done)), "r"(x), "r"(y)
      : "memory");
}
/// The same into every block of the cluster whose bit is set, at the same place.
ROCVET_DEVICE void copy_box_to_cluster(void* to, const TensorMap* map, PhaseBarrier* done, int x,
                                       int y, u16 blocks) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(shared_address(to)),
      "l"(map), "r"(shared_address(done)), "r"(x), "r"(y), "h"(blocks)
      : "memory");
}
ROCVET_DEVICE void copy_box(void* to, const TensorMap* map, PhaseBarrier* done, int x, int y,
                            int z) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
      "{%3, "
      "%4, %5}], [%2];" ::"r"(shared_address(to)),
      "l"(map), "r"(shared_address(done)), "r"(x), "r"(y), "r"(z)
      : "memory");
}

/// Copies one box from shared memory to a tensor, at (x, y); what lies outside is left out. One
/// thread calls, then commits, and may wait until shared memory has been read.
ROCVET_DEVICE void store_box(const TensorMap* map, const void* from, int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map),
      "r"(x), "r"(y), "r"(shared_address(from))
      : "memory");
}
ROCVET_DEVICE void commit_stores() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/// Until at most `pending` of this thread's committed stores have still to read shared memory.
template <int pending>
ROCVET_DEVICE void wait_for_stores() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

ROCVET_DEVICE u32 block_in_cluster() {
  u32 rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
ROCVET_DEVICE void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}

ROCVET_DEVICE void warp_barrier() {
  __syncwarp();
}
/// A barrier of `threads` threads of the block; ids 1 to 15.
ROCVET_DEVICE void named_barrier(u32 id, u32 threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
ROCVET_DEVICE void named_barrier_arrive(u32 id, u32 threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

template <int registers>
ROCVET_DEVICE void give_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
ROCVET_DEVICE void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

/// An operand in shared memory: rows of 128 bytes along K, swizzled by the copy engine (128-byte
/// mode), starting at a multiple of 1024 bytes. Add n / 16 to move n bytes along K within the row.
ROCVET_DEVICE u64 operand_rows128(const void* shared) {
  const u64 eight_rows = 1024 >> 4, swizzle_128 = 1;
  return ((shared_address(shared) & 0x3ffff) >> 4) | u64{1} << 16 | eight_rows << 32 |
         swizzle_128 << 62;
}

ROCVET_DEVICE void warpgroup_arrive() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
ROCVET_DEVICE void warpgroup_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Waits until at most `pending` committed groups of products are under way.
template <int pending>
ROCVET_DEVICE void warpgroup_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}

#define ROCVET_REGISTERS_128                                                           \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "  \
  "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, "   \
  "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "   \
  "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, "   \
  "%66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, "   \
  "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, "   \
  "%98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, "     \
  "%125, %126, %127}"
#define ROCVET_OPERANDS_128(letter)                                                               \
  letter(d[0]), letter(d[1]), letter(d[2]), letter(d[3]), letter(d[4]), letter(d[5]),             \
      letter(d[6]), letter(d[7]), letter(d[8]), letter(d[9]), letter(d[10]), letter(d[11]),       \
      letter(d[12]), letter(d[13]), letter(d[14]), letter(d[15]), letter(d[16]), letter(d[17]),   \
      letter(d[18]), letter(d[19]), letter(d[20]), letter(d[21]), letter(d[22]), letter(d[23]),   \
      letter(d[24]), letter(d[25]), letter(d[26]), letter(d[27]), letter(d[28]), letter(d[29]),   \
      letter(d[30]), letter(d[31]), letter(d[32]), letter(d[33]), letter(d[34]), letter(d[35]),   \
      letter(d[36]), letter(d[37]), letter(d[38]), letter(d[39]), letter(d[40]), letter(d[41]),   \
      letter(d[42]), letter(d[43]), letter(d[44]), letter(d[45]), letter(d[46]), letter(d[47]),   \
      letter(d[48]), letter(d[49]), letter(d[50]), letter(d[51]), letter(d[52]), letter(d[53]),   \
      letter(d[54]), letter(d[55]), letter(d[56]), letter(d[57]), letter(d[58]), letter(d[59]),   \
      letter(d[60]), letter(d[61]), letter(d[62]), letter(d[63]), letter(d[64]), letter(d[65]),   \
      letter(d[66]), letter(d[67]), letter(d[68]), letter(d[69]), letter(d[70]), letter(d[71]),   \
      letter(d[72]), letter(d[73]), letter(d[74]), letter(d[75]), letter(d[76]), letter(d[77]),   \
      letter(d[78]), letter(d[79]), letter(d[80]), letter(d[81]), letter(d[82]), letter(d[83]),   \
      letter(d[84]), letter(d[85]), letter(d[86]), letter(d[87]), letter(d[88]), letter(d[89]),   \
      letter(d[90]), letter(d[91]), letter(d[92]), letter(d[93]), letter(d[94]), letter(d[95]),   \
      letter(d[96]), letter(d[97]), letter(d[98]), letter(d[99]), letter(d[100]), letter(d[101]), \
      letter(d[102]), letter(d[103]), letter(d[104]), letter(d[105]), letter(d[106]),             \
      letter(d[107]), letter(d[108]), letter(d[109]), letter(d[110]), letter(d[111]),             \
      letter(d[112]), letter(d[113]), letter(d[114]), letter(d[115]), letter(d[116]),             \
      letter(d[117]), letter(d[118]), letter(d[119]), letter(d[120]), letter(d[121]),             \
      letter(d[122]), letter(d[123]), letter(d[124]), letter(d[125]), letter(d[126]),             \
      letter(d[127])

#define ROCVET_REGISTERS_64                                                           \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, " \
  "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, "  \
  "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "  \
  "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"
#define ROCVET_OPERANDS_64(letter)                                                              \
  letter(d[0]), letter(d[1]), letter(d[2]), letter(d[3]), letter(d[4]), letter(d[5]),           \
      letter(d[6]), letter(d[7]), letter(d[8]), letter(d[9]), letter(d[10]), letter(d[11]),     \
      letter(d[12]), letter(d[13]), letter(d[14]), letter(d[15]), letter(d[16]), letter(d[17]), \
      letter(d[18]), letter(d[19]), letter(d[20]), letter(d[21]), letter(d[22]), letter(d[23]), \
      letter(d[24]), letter(d[25]), letter(d[26]), letter(d[27]), letter(d[28]), letter(d[29]), \
      letter(d[30]), letter(d[31]), letter(d[32]), letter(d[33]), letter(d[34]), letter(d[35]), \
      letter(d[36]), letter(d[37]), letter(d[38]), letter(d[39]), letter(d[40]), letter(d[41]), \
      letter(d[42]), letter(d[43]), letter(d[44]), letter(d[45]), letter(d[46]), letter(d[47]), \
      letter(d[48]), letter(d[49]), letter(d[50]), letter(d[51]), letter(d[52]), letter(d[53]), \
      letter(d[54]), letter(d[55]), letter(d[56]), letter(d[57]), letter(d[58]), letter(d[59]), \
      letter(d[60]), letter(d[61]), letter(d[62]), letter(d[63])

#define ROCVET_REGISTERS_32                                                           \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, " \
  "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}"
#define ROCVET_OPERANDS_32(letter)                                                              \
  letter(d[0]), letter(d[1]), letter(d[2]), letter(d[3]), letter(d[4]), letter(d[5]),           \
      letter(d[6]), letter(d[7]), letter(d[8]), letter(d[9]), letter(d[10]), letter(d[11]),     \
      letter(d[12]), letter(d[13]), letter(d[14]), letter(d[15]), letter(d[16]), letter(d[17]), \
      letter(d[18]), letter(d[19]), letter(d[20]), letter(d[21]), letter(d[22]), letter(d[23]), \
      letter(d[24]), letter(d[25]), letter(d[26]), letter(d[27]), letter(d[28]), letter(d[29]), \
      letter(d[30]), letter(d[31])

/// D (64 x 256, or 64 x 128) += A * B^T for 32 bytes of K, both operands in shared memory. Sum i of
/// a thread is row 16 * warp + lane / 4 + 8 * (i / 2 % 2), column 8 * (i / 4) + 2 * (lane % 4) + i
/// % 2. `keep` 0: D is overwritten.
#define ROCVET_WGMMA(n, shape, letter, tail) \
  asm volatile("{.reg .pred keep;\nsetp.ne.b32 keep, %" ROCVET_TEXT(ROCVET_PLUS2_##n) ", 0;\n"     \
               "wgmma.mma_async.sync.aligned." shape " " ROCVET_REGISTERS_##n                       \
               ", %" ROCVET_TEXT(ROCVET_PLUS0_##n) ", %" ROCVET_TEXT(ROCVET_PLUS1_##n) ", keep" tail ";}" \
               : ROCVET_OPERANDS_##n(letter)                                                        \
               : "l"(a), "l"(b), "r"(keep))
#define ROCVET_TEXT_(x) #x
#define ROCVET_TEXT(x) ROCVET_TEXT_(x)
#define ROCVET_PLUS0_128 128
#define ROCVET_PLUS1_128 129
#define ROCVET_PLUS2_128 130
#define ROCVET_PLUS0_64 64
#define ROCVET_PLUS1_64 65
#define ROCVET_PLUS2_64 66

template <Type type>
ROCVET_DEVICE void warpgroup_multiply(Sum<type> (&d)[128], u64 a, u64 b, u32 keep) {
  if constexpr (type == Type::fp16) {
    ROCVET_WGMMA(128, "m64n256k16.f32.f16.f16", "+f", ", 1, 1, 0, 0");
  } else if constexpr (type == Type::bf16) {
    ROCVET_WGMMA(128, "m64n256k16.f32.bf16.bf16", "+f", ", 1, 1, 0, 0");
  } else if constexpr (type == Type::fp8) {
    ROCVET_WGMMA(128, "m64n256k32.f32.e4m3.e4m3", "+f", ", 1, 1");
  } else {
    ROCVET_WGMMA(128, "m64n256k32.s32.s8.s8", "+r", "");
  }
}

/// D (64 x 128) += A * B^T for 32 bytes of K; sums as above.
template <Type type>
ROCVET_DEVICE void multiply_64x128(float (&d)[64], u64 a, u64 b, u32 keep) {
  if constexpr (type == Type::fp16) {
    ROCVET_WGMMA(64, "m64n128k16.f32.f16.f16", "+f", ", 1, 1, 0, 0");
  } else {
    ROCVET_WGMMA(64, "m64n128k16.f32.bf16.bf16", "+f", ", 1, 1, 0, 0");
  }
}

/// D (64 x 128, or 64 x 64) += A * B, A (64 x 16) in registers, B as operand_columns describes it.
#define ROCVET_WGMMA_REGISTERS(n, shape) \
  asm volatile("wgmma.mma_async.sync.aligned." shape " " ROCVET_REGISTERS_##n                     \
               ", {%" ROCVET_TEXT(ROCVET_PLUS0_##n) ", %" ROCVET_TEXT(ROCVET_PLUS1_##n) ", %"     \
               ROCVET_TEXT(ROCVET_PLUS2_##n) ", %" ROCVET_TEXT(ROCVET_PLUS3_##n) "}, %"           \
               ROCVET_TEXT(ROCVET_PLUS4_##n) ", 1, 1, 1, 1;"                                      \
               : ROCVET_OPERANDS_##n("+f")                                                        \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b))
#define ROCVET_PLUS3_64 67
#define ROCVET_PLUS4_64 68
#define ROCVET_PLUS0_32 32
#define ROCVET_PLUS1_32 33
#define ROCVET_PLUS2_32 34
#define ROCVET_PLUS3_32 35
#define ROCVET_PLUS4_32 36

template <Type type>
ROCVET_DEVICE void multiply_registers(float (&d)[64], const u32* a, u64 b) {
  if constexpr (type == Type::fp16) {
    ROCVET_WGMMA_REGISTERS(64, "m64n128k16.f32.f16.f16");
  } else {
    ROCVET_WGMMA_REGISTERS(64, "m64n128k16.f32.bf16.bf16");
  }
}
template <Type type>
ROCVET_DEVICE void multiply_registers(float (&d)[32], const u32* a, u64 b) {
  if constexpr (type == Type::fp16) {
    ROCVET_WGMMA_REGISTERS(32, "m64n64k16.f32.f16.f16");
  } else {
    ROCVET_WGMMA_REGISTERS(32, "m64n64k16.f32.bf16.bf16");
  }
}

}  // namespace rocvet::kernel
#endif
