// Small products of matrices of which the first is sparse, two of four along K, as the kernels of
// sparse.hip and the host agree on them.
//
// A product is D = A * B^T, 16 rows of A with kN of B. Of each four neighbours along K, a group, A
// has two that are not zero: those stand one after the other, so that a row has K / 2 elements. An
// index tells where in the group they belong: the lower one's place in bits 0 and 1, the upper
// one's in bits 2 and 3; a byte for each group. Rows follow each other without gaps, and so do the
// matrices of several products.
#pragma once

#include "types.h"

namespace rocvet::kernel {

inline constexpr int kSparseRows = 16;
inline constexpr u32 kSparseThreads = 256;

/// Elements of K: what the deepest instruction takes, or several of the others.
constexpr int sparse_depth(Type type) {
  return bytes_of(type) == 1 ? 128 : 64;
}

/// Types that there are kernels for, in the order of the shapes. A target may have two kinds of
/// instructions for a type: the second takes more of K at once.
inline constexpr int kSparseTypes = 4, kSparseKinds = 2;

struct SparseShape {
  u32 lanes;    ///< of a wave, which computes a product; 0: there is no such instruction
  u32 columns;  ///< of D
  u32 fnuz;     ///< whether fp8 is FNUZ
};

struct SparseWave {
  u32 digest;  ///< of all products of this wave
  u32 unit;    ///< where it ran, as the hardware numbers its units; on RDNA pairs of them
};

}  // namespace rocvet::kernel
