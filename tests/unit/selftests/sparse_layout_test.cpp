// Which lane and register holds an element of a sparse product, as the sources of sparse_layout.h
// say it: from the element to its place, where the layouts go from the place to the element.
#include "selftests/kernels/sparse_layout.h"

#include <doctest/doctest.h>

namespace rocvet::kernel {
namespace {

/// A lane and, of what it holds, the number of the pair, element, index or sum.
struct Place {
  int lane, at;
};
/// Of an instruction: where A[i][k] and its index, B[k][j] and D[i][j] are.
struct Instruction {
  int k;
  Place (*a)(int i, int k);
  Place (*b)(int k, int j);
  Place (*d)(int i, int j);
  Place (*index)(int i, int k) = nullptr;  ///< of the places; none: they lie as A does
};

// AMD's matrix instruction calculator 2ef9189, --detail-instruction, CDNA3: registers of 32 bits
// hold one pair of 16-bit elements or two of 8-bit ones, and two or four elements of B.
constexpr Place mfma_d(int i, int j) {
  return {16 * (i / 4) + j, i % 4};
}
constexpr Instruction kSmfmac16{32,
                                [](int i, int k) {
                                  return Place{16 * (k / 8) + i, k / 4 % 2};
                                },
                                [](int k, int j) {
                                  return Place{16 * (k / 8) + j, k % 8};
                                },
                                mfma_d};
constexpr Instruction kSmfmac8{64,
                               [](int i, int k) {
                                 return Place{16 * (k / 16) + i, k / 4 % 4};
                               },
                               [](int k, int j) {
                                 return Place{16 * (k / 16) + j, k % 16};
                               },
                               mfma_d};
// gfx950, composable_kernel's amdgcn_mma<fp16_t, fp16_t, fp32_t, 16u, 16u, 64u, …>: 16 of K a lane,
// A in one access and B in two.
constexpr Instruction kSmfmac16Deep{64,
                                    [](int i, int k) {
                                      return Place{16 * (k / 16) + i, k / 4 % 4};
                                    },
                                    [](int k, int j) {
                                      return Place{16 * (k % 32 / 8) + j, 8 * (k / 32) + k % 8};
                                    },
                                    mfma_d};
constexpr Instruction kSmfmac8Deep{128,
                                   [](int i, int k) {
                                     return Place{16 * (k / 32) + i, k / 4 % 8};
                                   },
                                   [](int k, int j) {
                                     return Place{16 * (k % 64 / 16) + j, 16 * (k / 64) + k % 16};
                                   },
                                   mfma_d};
// The calculator, RDNA4, wave32.
constexpr Place wmma_d(int i, int j) {
  return {16 * (i / 8) + j, i % 8};
}
constexpr Instruction kSwmmac16{
    32,
    [](int i, int k) {
      return Place{16 * (k / 8 % 2) + i, 2 * (k / 16) + k / 4 % 2};
    },
    [](int k, int j) {
      return Place{16 * (k / 8 % 2) + j, 2 * (4 * (k / 16) + k / 2 % 4) + k % 2};
    },
    wmma_d};
constexpr Instruction kSwmmac8{32,
                               [](int i, int k) {
                                 return Place{16 * (k / 16) + i, k / 4 % 4};
                               },
                               [](int k, int j) {
                                 return Place{16 * (k / 16) + j, k % 16};
                               },
                               wmma_d};
// PTX ISA, mma.sp m16n8k32 of 16-bit and m16n8k64 of 8-bit elements; selector 0.
constexpr Place mma_d(int i, int j) {
  return {4 * (i % 8) + j / 2, 2 * (i / 8) + j % 2};
}
constexpr Instruction kMmaSp16{32,
                               [](int i, int k) {
                                 return Place{4 * (i % 8) + k % 16 / 4, i / 8 + 2 * (k / 16)};
                               },
                               [](int k, int j) {
                                 return Place{4 * j + k % 8 / 2, 2 * (k / 8) + k % 2};
                               },
                               mma_d,
                               [](int i, int k) {
                                 return Place{4 * (i % 8) + k / 16, 4 * (i / 8) + k % 16 / 4};
                               }};
constexpr Instruction kMmaSp8{
    64,
    [](int i, int k) {
      return Place{4 * (i % 8) + k % 32 / 8, 2 * (i / 8) + k % 8 / 4 + 4 * (k / 32)};
    },
    [](int k, int j) {
      return Place{4 * j + k % 16 / 4, 4 * (k / 16) + k % 4};
    },
    mma_d,
    [](int i, int k) {
      return Place{4 * (i % 8) + i / 8 + 2 * (k / 32), k % 32 / 4};
    }};

template <class L>
void check_layout(const Instruction& one) {
  REQUIRE(L::kK == one.k);
  int wrong = 0;
  for (int i = 0; i < 16; ++i) {
    for (int k = 0; k < one.k; ++k) {
      const Place at = one.a(i, k), index = one.index != nullptr ? one.index(i, k) : at;
      CHECK(at.at < L::kPairs);
      CHECK(index.at < L::kIndices);
      const Pair pair = L::a(at.lane, at.at), told = L::index(index.lane, index.at);
      wrong += pair.row != i || pair.group != k / 4;
      wrong += told.row != i || told.group != k / 4;
    }
  }
  for (int j = 0; j < L::kN; ++j) {
    for (int k = 0; k < one.k; ++k) {
      const Place at = one.b(k, j);
      CHECK(at.at < L::kElementsB);
      const Spot spot = L::b(at.lane, at.at);
      wrong += spot.row != j || spot.at != k;
    }
    for (int i = 0; i < 16; ++i) {
      const Place at = one.d(i, j);
      CHECK(at.at < L::kSums);
      const Spot spot = L::d(at.lane, at.at);
      wrong += spot.row != i || spot.at != j;
    }
  }
  CHECK(wrong == 0);
  // As many places as elements: none is left over.
  CHECK(L::kLanes * L::kPairs == 16 * one.k / 4);
  CHECK(L::kLanes * L::kElementsB == L::kN * one.k);
  CHECK(L::kLanes * L::kSums == 16 * L::kN);
}

}  // namespace

TEST_CASE("lanes of sparse products hold the elements that the instructions take them for") {
  SUBCASE("SMFMAC of 16-bit elements") {
    check_layout<SmfmacLayout<2, 1>>(kSmfmac16);
  }
  SUBCASE("SMFMAC of 8-bit elements") {
    check_layout<SmfmacLayout<4, 1>>(kSmfmac8);
  }
  SUBCASE("SMFMAC of gfx950, twice as deep") {
    check_layout<SmfmacLayout<4, 2>>(kSmfmac16Deep);
    check_layout<SmfmacLayout<8, 2>>(kSmfmac8Deep);
  }
  SUBCASE("SWMMAC of 16-bit elements") {
    check_layout<SwmmacLayout<2>>(kSwmmac16);
  }
  SUBCASE("SWMMAC of 8-bit elements") {
    check_layout<SwmmacLayout<1>>(kSwmmac8);
  }
  SUBCASE("mma.sp of 16-bit elements") {
    check_layout<MmaSpLayout<2>>(kMmaSp16);
  }
  SUBCASE("mma.sp of 8-bit elements") {
    check_layout<MmaSpLayout<1>>(kMmaSp8);
  }
}

}  // namespace rocvet::kernel
