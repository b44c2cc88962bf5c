// The registry: one line a self-test, in the order that reports print them.
#include "selftests/selftest.h"

namespace rocvet {

extern const SelfTest kBandwidthCopy, kBandwidthTriad, kBandwidthRead, kBandwidthWrite;
extern const SelfTest kBandwidthH2d, kBandwidthD2h, kBandwidthBidir, kBandwidthP2p;
extern const SelfTest kAllReduce, kAllToAll;
extern const SelfTest kMemoryAlloc, kMemoryPattern;
extern const SelfTest kAtomicsSystem, kCoherenceHost, kCuUniform;
extern const SelfTest kLaunchLatency, kStreamOrder, kEventClock;
extern const SelfTest kPeakFp64, kPeakFp32, kPeakFp16, kPeakBf16, kPeakFp8, kPeakInt8;
extern const SelfTest kPeakFp6, kPeakFp4;
extern const SelfTest kConvertFp16, kConvertBf16, kConvertFp8, kConvertFp6, kConvertFp4;
extern const SelfTest kGemmFp64, kGemmFp32, kGemmFp16, kGemmBf16, kGemmFp8, kGemmInt8;
extern const SelfTest kGemmMxFp8, kGemmMxFp6, kGemmMxFp4;
extern const SelfTest kSparseFp16, kSparseBf16, kSparseFp8, kSparseInt8;
extern const SelfTest kAttentionFp32, kAttentionFp16, kAttentionBf16;
extern const SelfTest kJit;
extern const SelfTest kLibraryRocblas, kLibraryHipblaslt, kLibraryMiopen, kLibraryRocfft,
    kLibraryRocrand, kLibraryRocsparse, kLibraryRccl, kLibraryMigraphx;

std::span<const SelfTest* const> all_selftests() {
  static constexpr const SelfTest* kAll[] = {
      &kBandwidthCopy,  &kBandwidthTriad,   &kBandwidthRead,  &kBandwidthWrite,
      &kBandwidthH2d,   &kBandwidthD2h,     &kBandwidthBidir, &kBandwidthP2p,
      &kAllReduce,      &kAllToAll,         &kMemoryAlloc,    &kMemoryPattern,
      &kAtomicsSystem,  &kCoherenceHost,    &kCuUniform,      &kLaunchLatency,
      &kStreamOrder,    &kEventClock,       &kPeakFp64,       &kPeakFp32,
      &kPeakFp16,       &kPeakBf16,         &kPeakFp8,        &kPeakInt8,
      &kPeakFp6,        &kPeakFp4,          &kConvertFp16,    &kConvertBf16,
      &kConvertFp8,     &kConvertFp6,       &kConvertFp4,     &kGemmFp64,
      &kGemmFp32,       &kGemmFp16,         &kGemmBf16,       &kGemmFp8,
      &kGemmInt8,       &kGemmMxFp8,        &kGemmMxFp6,      &kGemmMxFp4,
      &kSparseFp16,     &kSparseBf16,       &kSparseFp8,      &kSparseInt8,
      &kAttentionFp32,  &kAttentionFp16,    &kAttentionBf16,  &kJit,
      &kLibraryRocblas, &kLibraryHipblaslt, &kLibraryMiopen,  &kLibraryRocfft,
      &kLibraryRocrand, &kLibraryRocsparse, &kLibraryRccl,    &kLibraryMigraphx,
  };
  return kAll;
}

}  // namespace rocvet
