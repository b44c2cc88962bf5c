// Where a block runs, and for how many cycles of its engine clock.
#pragma once

#include "platform.h"

namespace rocvet::kernel {

/// Counts cycles of the engine clock from where it is made. Between two looks the counter may turn
/// once at most.
class EngineClock {
 public:
#if ROCVET_AMD && defined(__GFX11__)
  static constexpr u32 kBits = 20;
#elif ROCVET_HOST
  static constexpr u32 kBits = 0;
#else
  static constexpr u32 kBits = 32;
#endif
  ROCVET_DEVICE EngineClock() : last_(counter()) {}
  ROCVET_DEVICE void look() {
    const u32 now = counter();
    cycles_ += (now - last_) & kMask;
    last_ = now;
  }
  ROCVET_DEVICE u64 cycles() const {
    return cycles_;
  }

 private:
  static constexpr u32 kMask = kBits == 32 ? ~0u : (1u << kBits % 32) - 1;
  static ROCVET_DEVICE u32 counter() {
#if ROCVET_AMD && (defined(__GFX11__) || defined(__GFX12__))
    return __builtin_amdgcn_s_getreg(29 | (kBits - 1) << 11);  // HW_REG_SHADER_CYCLES, its LO
#elif ROCVET_AMD
    return static_cast<u32>(__builtin_amdgcn_s_memtime());
#elif ROCVET_CUDA
    u32 value;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
    return value;
#else
    return 0;
#endif
  }

  u64 cycles_ = 0;
  u32 last_;
};

/// Ticks of a clock that runs at the same pace whatever the engine does.
ROCVET_DEVICE u64 steady_ticks() {
#if ROCVET_AMD
  return __builtin_readsteadycounter();
#elif ROCVET_CUDA
  u64 value;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value)::"memory");
  return value;
#else
  return 0;
#endif
}

/// HW_ID, with XCC_ID in the upper half where there are several; HW_ID1; %smid; 0 on the host.
ROCVET_DEVICE u32 hardware_place() {
#if ROCVET_AMD && defined(__GFX9__)
  const u32 id = __builtin_amdgcn_s_getreg(4 | (31 << 11));
#if defined(__gfx942__) || defined(__gfx950__)
  return (id & 0xffffu) | __builtin_amdgcn_s_getreg(20 | (3 << 11)) << 16;
#else
  return id;
#endif
#elif ROCVET_AMD && !defined(__GFX8__) && !defined(__gfx1250__)
  return __builtin_amdgcn_s_getreg(23 | (31 << 11));
#elif ROCVET_CUDA
  u32 id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
#else
  return 0;
#endif
}

/// Of that, what tells compute units (on RDNA: pairs of them) apart, and not waves of the same one.
ROCVET_DEVICE u32 unit_number() {
  const u32 place = hardware_place();
#if ROCVET_AMD && defined(__GFX9__)
  return (place >> 8 & 0xffu) | (place >> 16 & 0xfu) << 8;  // CU, SH and SE; XCC
#elif ROCVET_AMD
  return (place >> 10 & 0xfu) | (place >> 16 & 1u) << 4 | (place >> 18 & 7u) << 5;  // WGP, SA, SE
#else
  return place;
#endif
}

}  // namespace rocvet::kernel
