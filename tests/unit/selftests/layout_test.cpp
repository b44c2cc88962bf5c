// The layouts of selftests/kernels/layout.h and attention_layout.h against the formulas of AMD's
// matrix instruction calculator and of the PTX manual: instructions are simulated from the formulas
// alone, fed with what the layouts say that a lane loads, and the result, read where the layouts
// say, must be the product.
#include "selftests/kernels/layout.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "selftests/kernels/attention_layout.h"
#include "selftests/kernels/gemm_mx.h"

using namespace rocvet::kernel;

namespace {

/// Where an instruction has element `e` of a lane's operand, and sum `v` of a lane's result.
struct Instruction {
  int lanes, m, n, k, a_elements, b_elements, sums;
  Spot (*a)(int lane, int e);  ///< row, k
  Spot (*b)(int lane, int e);  ///< column, k
  Spot (*d)(int lane, int v);  ///< row, column
};

// MFMA 16x16xK with `E` elements of a lane: row lane % 16, k = E * (lane / 16) + e.
template <int E>
constexpr Instruction kMfma{64,
                            16,
                            16,
                            4 * E,
                            E,
                            E,
                            4,
                            [](int lane, int e) {
                              return Spot{lane % 16, E * (lane / 16) + e};
                            },
                            [](int lane, int e) {
                              return Spot{lane % 16, E * (lane / 16) + e};
                            },
                            [](int lane, int v) {
                              return Spot{4 * (lane / 16) + v, lane % 16};
                            }};
// MFMA 32x32xK: row lane % 32, k = E * (lane / 32) + e.
template <int E>
constexpr Instruction kMfmaTall{64,
                                32,
                                32,
                                2 * E,
                                E,
                                E,
                                16,
                                [](int lane, int e) {
                                  return Spot{lane % 32, E * (lane / 32) + e};
                                },
                                [](int lane, int e) {
                                  return Spot{lane % 32, E * (lane / 32) + e};
                                },
                                [](int lane, int v) {
                                  return Spot{8 * (v / 4) + 4 * (lane / 32) + v % 4, lane % 32};
                                }};
constexpr Instruction kMfmaFp64{64,
                                16,
                                16,
                                4,
                                1,
                                1,
                                4,
                                [](int lane, int) {
                                  return Spot{lane % 16, lane / 16};
                                },
                                [](int lane, int) {
                                  return Spot{lane % 16, lane / 16};
                                },
                                [](int lane, int v) {
                                  return Spot{4 * v + lane / 16, lane % 16};
                                }};
constexpr Instruction kWmma11{32,
                              16,
                              16,
                              16,
                              16,
                              16,
                              8,
                              [](int lane, int e) {
                                return Spot{lane % 16, e};
                              },
                              [](int lane, int e) {
                                return Spot{lane % 16, e};
                              },
                              [](int lane, int v) {
                                return Spot{2 * v + lane / 16, lane % 16};
                              }};
constexpr Instruction kWmma12{32,
                              16,
                              16,
                              16,
                              8,
                              8,
                              8,
                              [](int lane, int e) {
                                return Spot{lane % 16, 8 * (lane / 16) + e};
                              },
                              [](int lane, int e) {
                                return Spot{lane % 16, 8 * (lane / 16) + e};
                              },
                              [](int lane, int v) {
                                return Spot{v + 8 * (lane / 16), lane % 16};
                              }};
// WMMA of gfx1250, `E` elements of a lane in pieces of `P`, which belong to the halves of the wave
// in turn (Triton's wmma layouts of version 3; AMD's simulator rocjitsu, shared/mma_exec.h).
template <int E, int P>
constexpr Spot piece_of_half(int lane, int e) {
  return Spot{lane % 16, (e / P * 2 + lane / 16) * P + e % P};
}
template <int E, int P>
constexpr Instruction kWmma1250{
    32, 16, 16, 2 * E, E, E, 8, piece_of_half<E, P>, piece_of_half<E, P>, [](int lane, int v) {
      return Spot{v + 8 * (lane / 16), lane % 16};
    }};
// mma.sync m16n8k16 of 16-bit elements: a0 a1 of row group, a2 a3 of row group + 8, a4.. of k + 8.
constexpr Instruction kMma{
    32,
    16,
    8,
    16,
    8,
    4,
    4,
    [](int lane, int e) {
      return Spot{lane / 4 + (e / 2 % 2) * 8, lane % 4 * 2 + e % 2 + e / 4 * 8};
    },
    [](int lane, int e) {
      return Spot{lane / 4, lane % 4 * 2 + e % 2 + e / 2 * 8};
    },
    [](int lane, int v) {
      return Spot{lane / 4 + 8 * (v / 2), lane % 4 * 2 + v % 2};
    }};

int number(int row, int k) {
  return (row * 37 + k * 11) % 13 - 6;
}

/// Multiplies through the layout L; `split` gives element e of instruction i from the lane's
/// chunks.
template <class L, class SplitA, class SplitB>
void check_product(const Instruction& one, int size, SplitA split_a, SplitB split_b) {
  const int instructions = L::kBytes / size / one.k, per_chunk = 16 / size;
  std::vector<int> d(static_cast<std::size_t>(L::kM * L::kN));
  REQUIRE(one.m == L::kM);
  REQUIRE(one.n == L::kN);
  REQUIRE(one.lanes == L::kLanes);
  for (int i = 0; i < instructions; ++i) {
    std::vector<int> a(static_cast<std::size_t>(one.m * one.k)),
        b(static_cast<std::size_t>(one.n * one.k));
    std::vector<int> seen_a(a.size()), seen_b(b.size());
    for (int lane = 0; lane < one.lanes; ++lane) {
      for (int e = 0; e < one.a_elements; ++e) {
        const auto [chunk, element] = split_a(i, e);
        REQUIRE(element < per_chunk);
        const Spot from = L::a(lane, chunk), to = one.a(lane, e);
        const auto at = static_cast<std::size_t>(to.row * one.k + to.at);
        const int value = number(from.row, from.at / size + element);
        CHECK((seen_a[at]++ == 0 || a[at] == value));  // copies in other lanes agree
        a[at] = value;
      }
      for (int e = 0; e < one.b_elements; ++e) {
        const auto [chunk, element] = split_b(i, e);
        const Spot from = L::b(lane, chunk), to = one.b(lane, e);
        const auto at = static_cast<std::size_t>(to.row * one.k + to.at);
        const int value = number(from.row + 100, from.at / size + element);
        CHECK((seen_b[at]++ == 0 || b[at] == value));
        b[at] = value;
      }
    }
    for (const int count : seen_a) CHECK(count > 0);
    for (const int count : seen_b) CHECK(count > 0);
    for (int row = 0; row < one.m; ++row) {
      for (int col = 0; col < one.n; ++col) {
        for (int k = 0; k < one.k; ++k) {
          d[static_cast<std::size_t>(row * one.n + col)] +=
              a[static_cast<std::size_t>(row * one.k + k)] *
              b[static_cast<std::size_t>(col * one.k + k)];
        }
      }
    }
  }
  std::set<std::pair<int, int>> places;
  for (int lane = 0; lane < one.lanes; ++lane) {
    for (int sum = 0; sum < L::kSums; ++sum) {
      const Spot theirs = one.d(lane, sum), ours = L::d(lane, sum);
      int expected = 0;
      for (int k = 0; k < L::kBytes / size; ++k) {
        expected += number(ours.row, k) * number(ours.at + 100, k);
      }
      CAPTURE(lane);
      CAPTURE(sum);
      CHECK(d[static_cast<std::size_t>(theirs.row * one.n + theirs.at)] == expected);
      places.insert({ours.row, ours.at});
    }
  }
  CHECK(places.size() == static_cast<std::size_t>(L::kM * L::kN));
}

struct LayoutPart {
  int chunk, element;
};
/// Consecutive parts of `E` elements of one chunk.
template <int E>
LayoutPart consecutive(int i, int e) {
  return {0, i * E + e};
}

TEST_CASE("layouts of matrix instructions give the product") {
  SUBCASE("MFMA takes parts of a 16-byte chunk") {
    using L = MfmaLayout<1, false>;
    check_product<L>(kMfma<4>, 2, consecutive<4>, consecutive<4>);     // fp16, bf16 _1k
    check_product<L>(kMfma<2>, 2, consecutive<2>, consecutive<2>);     // bf16 of gfx908
    check_product<L>(kMfma<8>, 2, consecutive<8>, consecutive<8>);     // gfx950
    check_product<L>(kMfma<8>, 1, consecutive<8>, consecutive<8>);     // fp8, int8 of gfx942
    check_product<L>(kMfma<4>, 1, consecutive<4>, consecutive<4>);     // int8 of gfx908 and gfx90a
    check_product<L>(kMfma<16>, 1, consecutive<16>, consecutive<16>);  // int8 of gfx950
    check_product<L>(kMfma<1>, 4, consecutive<1>, consecutive<1>);     // fp32
  }
  SUBCASE("MFMA in double precision has rows of its own") {
    check_product<MfmaLayout<1, true>>(kMfmaFp64, 8, consecutive<1>, consecutive<1>);
  }
  SUBCASE("MFMA of 32x32") {
    using L = MfmaTallLayout;
    check_product<L>(kMfmaTall<4>, 2, consecutive<4>, consecutive<4>);  // fp16, bf16 _1k
    check_product<L>(kMfmaTall<2>, 2, consecutive<2>, consecutive<2>);  // bf16 of gfx908
    check_product<L>(kMfmaTall<8>, 2, consecutive<8>, consecutive<8>);  // gfx950
  }
  SUBCASE("f8f6f4 of gfx950 takes two chunks at once") {
    const auto both = [](int, int e) { return LayoutPart{e / 16, e % 16}; };
    check_product<MfmaLayout<2, false>>(kMfma<32>, 1, both, both);
  }
  SUBCASE("WMMA of gfx11 has all of K in every lane") {
    const auto two = [](int, int e) { return LayoutPart{e / 8, e % 8}; };
    check_product<Wmma11Layout>(kWmma11, 2, two, two);
    const auto one = [](int i, int e) { return LayoutPart{i, e}; };
    check_product<Wmma11Layout>(kWmma11, 1, one, one);  // iu8
  }
  SUBCASE("WMMA of gfx12 has a half of K in each half of the wave") {
    check_product<Wmma12Layout>(kWmma12, 2, consecutive<8>, consecutive<8>);
    check_product<Wmma12Layout>(kWmma12, 1, consecutive<8>, consecutive<8>);
  }
  SUBCASE("WMMA of gfx1250 takes two chunks at once, of fp32 a half of one") {
    const auto halves = [](int, int e) { return LayoutPart{e / 8, e % 8}; };
    check_product<Wmma1250Layout<2>>(kWmma1250<16, 8>, 2, halves, halves);
    const auto bytes = [](int, int e) { return LayoutPart{e / 16, e % 16}; };
    check_product<Wmma1250Layout<2>>(kWmma1250<32, 16>, 1, bytes, bytes);
    check_product<Wmma1250Layout<1>>(kWmma1250<2, 2>, 4, consecutive<2>, consecutive<2>);
  }
  SUBCASE("mma.sync takes a word of each row and half of K") {
    // Register r of A is word 2 * i + r / 2 of the chunk of row group r % 2.
    const auto a = [](int i, int e) { return LayoutPart{e / 2 % 2, (2 * i + e / 4) * 2 + e % 2}; };
    const auto b = [](int i, int e) { return LayoutPart{0, (2 * i + e / 2) * 2 + e % 2}; };
    check_product<MmaLayout>(kMma, 2, a, b);
  }
}

/// Each lane of the scalar layout multiplies whole rows: every sum belongs to its two chunks.
template <class L>
void check_scalar() {
  std::set<std::pair<int, int>> places;
  for (int lane = 0; lane < L::kLanes; ++lane) {
    for (int i = 0; i < L::kChunksA; ++i) {
      for (int j = 0; j < L::kChunksB; ++j) {
        const Spot place = L::d(lane, i * L::kChunksB + j);
        CHECK(place.row == L::a(lane, i).row);
        CHECK(place.at == L::b(lane, j).row);
        places.insert({place.row, place.at});
      }
    }
  }
  CHECK(places.size() == static_cast<std::size_t>(L::kM * L::kN));
}

TEST_CASE("the layout without matrix instructions covers its tile once") {
  check_scalar<ScalarLayout<32, 8, 8>>();
  check_scalar<ScalarLayout<64, 8, 8>>();
  check_scalar<ScalarLayout<32, 4, 4>>();
}

// kernels.md 1.4: which lanes a ds_read_b128 serves together.
const std::vector<std::vector<int>> kCdna3 = {{0, 1, 2, 3, 20, 21, 22, 23},
                                              {4, 5, 6, 7, 16, 17, 18, 19},
                                              {8, 9, 10, 11, 28, 29, 30, 31},
                                              {12, 13, 14, 15, 24, 25, 26, 27}};
const std::vector<std::vector<int>> kCdna4 = {
    {0, 1, 2, 3, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27},
    {4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 28, 29, 30, 31}};

/// Accesses at once want every bank of `bank_bytes` at most once; equal addresses are one.
void check_banks(const std::vector<int>& all, int bank_bytes) {
  const std::set<int> addresses(all.begin(), all.end());
  std::set<int> banks;
  for (const int address : addresses) banks.insert(address % bank_bytes);
  CHECK(banks.size() == addresses.size());
}
void check_phase(Isa isa, int row_bytes, const std::vector<Spot>& reads, int bank_bytes) {
  std::vector<int> all;
  for (const Spot& read : reads) all.push_back(swizzled(isa, row_bytes, read.row, read.at));
  check_banks(all, bank_bytes);
}

TEST_CASE("the swizzle spreads lanes that are served together over all banks") {
  for (const int row_bytes : {64, 128}) {
    CAPTURE(row_bytes);
    for (const int more : {0, 32}) {
      for (const auto& [groups, bank_bytes] : {std::pair{kCdna3, 128}, std::pair{kCdna4, 256}}) {
        for (const auto& group : groups) {
          std::vector<Spot> reads;
          for (const int lane : group) reads.push_back(MfmaLayout<1, false>::a(lane + more, 0));
          check_phase(Isa::mfma_gfx942, row_bytes, reads, bank_bytes);
          if (row_bytes != 128) continue;
          for (Spot& read : reads) read.at += 64;  // the lane's second chunk of the row
          check_phase(Isa::mfma_gfx942, row_bytes, reads, bank_bytes);
        }
      }
    }
    for (int first = 0; first < 32; first += 8) {  // eight lanes at a time
      std::vector<Spot> gfx11, gfx12, nvidia;
      for (int lane = first; lane < first + 8; ++lane) {
        gfx11.push_back(Wmma11Layout::a(lane, 0));
        gfx12.push_back(Wmma12Layout::a(lane, 0));
        nvidia.push_back(MmaLayout::a(lane, 0));
      }
      check_phase(Isa::wmma_gfx11, row_bytes, gfx11, 128);
      check_phase(Isa::wmma_gfx12, row_bytes, gfx12, 128);
      check_phase(Isa::mma_sm80, row_bytes, nvidia, 128);
    }
  }
}

TEST_CASE("a load straight to shared memory brings each lane's 16 bytes to their swizzled place") {
  std::set<std::pair<int, int>> brought;
  for (int lane = 0; lane < 64; ++lane) {
    const Spot spot = direct_spot(lane);
    brought.insert({spot.row, spot.at});
    // The load writes in the order of lanes: no bank twice, and every bank.
    CHECK(swizzled(Isa::mfma_gfx950, kDirectStep, spot.row, spot.at) == 16 * lane);
    // Loads that follow one another begin at a row that changes nothing of it.
    for (int more = 8; more < 512; more += 8) {
      CHECK(swizzled(Isa::mfma_gfx950, kDirectStep, spot.row + more, spot.at) ==
            more * kDirectStep + 16 * lane);
    }
  }
  CHECK(brought.size() == 64);
  for (const auto& [row, at] : brought) {
    CHECK((row >= 0 && row < 8));
    CHECK((at % 16 == 0 && at >= 0 && at < kDirectStep));
  }
}

TEST_CASE("an address from a start is the address") {
  for (const Isa isa : {Isa::mfma_gfx942, Isa::mma_sm80}) {
    for (const int row_bytes : {64, 128}) {
      for (int row = 0; row < 16; ++row) {
        for (int more = 0; more < 128; more += 16) {
          for (int byte = 0; byte < 64; byte += 16) {
            const int start = swizzled(isa, row_bytes, row, byte);
            CHECK(swizzled_from(isa, row_bytes, start, more, 0) ==
                  swizzled(isa, row_bytes, row + more, byte));
            if (row_bytes == 128) {
              CHECK(swizzled_from(isa, row_bytes, start, more, 64) ==
                    swizzled(isa, row_bytes, row + more, byte + 64));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("attention reads and writes shared memory in all banks") {
  for (int byte = 0; byte < 128; byte += MfmaTallLayout::kBytes) {
    CAPTURE(byte);
    for (const int more : {0, 32}) {
      for (const auto& [groups, bank_bytes] : {std::pair{kCdna3, 128}, std::pair{kCdna4, 256}}) {
        for (const auto& group : groups) {
          std::vector<int> reads;
          for (const int lane : group) {
            const Spot from = MfmaTallLayout::a(lane + more, 0);
            reads.push_back(turned(from.row, byte + from.at));
          }
          check_banks(reads, bank_bytes);
        }
      }
    }
    for (int first = 0; first < 32; first += 8) {  // eight lanes at a time
      std::vector<int> gfx11, gfx12;
      for (int lane = first; lane < first + 8; ++lane) {
        gfx11.push_back(turned(Wmma11Layout::a(lane, 0).row, byte));
        const Spot from = Wmma12Layout::a(lane, 0);
        gfx12.push_back(turned(from.row, byte + from.at));
      }
      check_banks(gfx11, 128);
      check_banks(gfx12, 128);
    }
  }
  for (int row = 0; row < 64; ++row) {  // a row of K is written by eight lanes
    std::vector<int> writes;
    for (int chunk = 0; chunk < 8; ++chunk) writes.push_back(turned(row, chunk * 16));
    check_banks(writes, 128);
  }
  // Of V^T sixteen lanes write 8 bytes each. Threads of a block, d, columns of a thread.
  for (const auto& [threads, d, columns] :
       {std::tuple{512, 128, 4}, {512, 64, 2}, {256, 128, 8}, {256, 64, 4}}) {
    CAPTURE(threads);
    CAPTURE(d);
    for (int first = 0; first < threads; first += 16) {
      for (int column = 0; column < columns; ++column) {
        std::vector<int> writes;
        for (int thread = first; thread < first + 16; ++thread) {
          const ValuePart part =
              value_part(static_cast<u32>(thread), static_cast<u32>(d), static_cast<u32>(columns));
          const int group = static_cast<int>(part.group);
          writes.push_back(turned(static_cast<int>(part.column) + column, group / 2 * 16) +
                           group % 2 * 8);
        }
        check_banks(writes, 128);
      }
    }
  }
}

/// A lane's eight sums from `8 * step` on are the weights of the keys that V^T has in its chunk.
template <class L>
void check_order(Isa isa) {
  for (int lane = 0; lane < L::kLanes; ++lane) {
    for (int step = 0; step < L::kSums / 8; ++step) {
      for (int element = 0; element < 8; ++element) {
        const int half = lane / (L::kLanes / 2);
        const auto position = static_cast<u32>(16 * step + 8 * half + element);
        CHECK(key_at(isa, position) == static_cast<u32>(L::d(lane, 8 * step + element).row));
      }
    }
  }
}

TEST_CASE("the weights are in the order of the values") {
  check_order<MfmaTallLayout>(Isa::mfma_gfx942);
  check_order<Wmma11Layout>(Isa::wmma_gfx11);
  check_order<Wmma12Layout>(Isa::wmma_gfx12);
  check_order<Wmma1250Layout<2>>(Isa::wmma_gfx1250);
}

TEST_CASE("an address of attention from a start is the address") {
  for (int row = 0; row < 32; ++row) {
    for (const int more : {0, 32, 64, 96}) {
      for (int byte = 0; byte < 128; byte += 32) {
        for (const int at : {0, 16}) {
          CHECK(turned_from(turned(row, at), more, byte) == turned(row + more, byte + at));
        }
      }
    }
  }
}

TEST_CASE("lanes of the block-scaled instruction hold the elements that gfx950 takes them for") {
  // ROCm/composable_kernel: the register tables of test/mx_mfma_op/mx_mfma_op.hpp, 16x16x128; fp6
  // is one piece as fp4 is (ck_tile/core/arch/mma/scale/mfma/scale_gfx9.hpp).
  const auto k_of = [](Mx format, int quarter, int element) {
    if (bits_of(format) == 8) return 16 * quarter + element % 16 + element / 16 * 64;
    return 32 * quarter + element;
  };
  for (const Mx format : {Mx::e4m3, Mx::e5m2, Mx::e2m3, Mx::e3m2, Mx::e2m1}) {
    CAPTURE(static_cast<int>(format));
    std::set<int> seen;
    for (int quarter = 0; quarter < 4; ++quarter) {
      for (int element = 0; element < kMxBlock; ++element) {
        // Element by element the lane's registers are filled from the lowest bit on.
        const int bit = element * bits_of(format);
        const int from = 8 * mx_byte(format, quarter, bit / 8) + bit % 8;
        CHECK(from == k_of(format, quarter, element) * bits_of(format));
        seen.insert(from);
      }
    }
    CHECK(seen.size() == static_cast<std::size_t>(kMxStep));
  }
}

TEST_CASE("lanes of the block-scaled instruction hold the elements that gfx1250 takes them for") {
  // ROCm/composable_kernel's intrinsics for gfx125: scale i of a row is that of K from 32 * i on.
  // AMD's simulator: which of a lane's elements a scale is for.
  for (const Mx format : {Mx::e4m3, Mx::e5m2, Mx::e2m3, Mx::e3m2, Mx::e2m1}) {
    CAPTURE(static_cast<int>(format));
    std::set<int> seen;
    for (int half = 0; half < 2; ++half) {
      for (int element = 0; element < 2 * kMxBlock; ++element) {
        const int scale = bits_of(format) == 8 ? element / 16 : 2 * (element / 32) + half;
        const int bit = element * bits_of(format);
        const int from = 8 * mx_byte_of_half(format, half, bit / 8) + bit % 8;
        CHECK(from / bits_of(format) / kMxBlock == scale);
        seen.insert(from);
      }
    }
    CHECK(seen.size() == static_cast<std::size_t>(kMxStep));
  }
}

TEST_CASE("lanes that are served together find block-scaled elements in different banks") {
  std::vector<int> half(32);
  for (int lane = 0; lane < 32; ++lane) half[static_cast<std::size_t>(lane)] = lane;
  for (const Mx format : {Mx::e4m3, Mx::e2m3, Mx::e2m1}) {
    CAPTURE(static_cast<int>(format));
    // fp6 is read 8 bytes at a time, taken to be served half a wave at once; the others 16 bytes.
    const int piece = bits_of(format) == 6 ? 8 : 16;
    const std::vector<std::vector<int>> served =
        piece == 8 ? std::vector<std::vector<int>>{half} : kCdna4;
    // A row in shared memory is 128 bytes: of fp4 those of two instructions.
    const int parts = bits_of(format) == 4 ? 2 : 1;
    const auto place = [&](int row, int byte) {
      return piece == 8 ? row * mx_staged_row(format) + byte
                        : swizzled(Isa::mfma_gfx950, kDirectStep, row, byte);
    };
    for (int at = 0; at < parts * mx_bytes(format, kMxBlock); at += piece) {
      for (const auto& group : served) {
        for (const int more : {0, 32}) {
          std::set<int> banks;
          for (const int lane : group) {
            const int byte = parts == 1 ? mx_byte(format, (lane + more) / 16, at)
                                        : 4 * at + mx_byte(format, (lane + more) / 16, 0);
            banks.insert(place(lane % 16, byte) % 256 / piece);
          }
          CHECK(banks.size() == group.size());
        }
      }
    }
  }
}

}  // namespace
