// Packets of the copy engines against the fields that ROCr gives them (sdma_registers.h).
#include "selftests/gpu/kfd/sdma_packets.h"

#include <doctest/doctest.h>

namespace rocvet::gpu::sdma {

constexpr std::uint64_t kFrom = 0x1122334455667788, kTo = 0x8877665544332211;

TEST_CASE("the generation of a copy engine is that of the target") {
  CHECK(generation_of(90402) == Generation::gfx9);
  CHECK(generation_of(100300) == Generation::gfx10);
  CHECK(generation_of(110501) == Generation::gfx10);
  CHECK(generation_of(120001) == Generation::gfx12);
  CHECK(generation_of(120500) == Generation::gfx125);
}

TEST_CASE("a copy names its scopes where there are such fields") {
  for (const Generation of : {Generation::gfx9, Generation::gfx10, Generation::gfx12}) {
    CHECK(copy(of, kTo, kFrom, 256) ==
          std::array<std::uint32_t, 7>{1, 255, 0, 0x55667788, 0x11223344, 0x44332211, 0x88776655});
  }
  const auto packet = copy(Generation::gfx125, kTo, kFrom, 256);
  CHECK((packet[2] >> 18 & 3) == 3);  // dst_scope
  CHECK((packet[2] >> 26 & 3) == 3);  // src_scope
  CHECK((packet[2] & ~(3u << 18 | 3u << 26)) == 0);
}

TEST_CASE("a fence is uncached, of the system's memory, and of the system's scope") {
  CHECK(write_word(Generation::gfx9, kTo, 7)[0] == 5);
  CHECK(write_word(Generation::gfx10, kTo, 7)[0] == 0x30005);
  CHECK(write_word(Generation::gfx12, kTo, 7)[0] == 0x130005);
  CHECK(write_word(Generation::gfx125, kTo, 7) ==
        std::array<std::uint32_t, 4>{0x3130005, 0x44332211, 0x88776655, 7});
}

TEST_CASE("the packet for the caches has a word more on gfx1250, and its control field alone") {
  CHECK(caches(Generation::gfx9).empty());
  for (const Generation of : {Generation::gfx10, Generation::gfx12}) {
    const auto packet = caches(of);
    REQUIRE(packet.size() == 5);
    CHECK(packet[0] == 0x111);
    CHECK((packet[2] >> 30) == 3);       // GL2_WB, GL2_INV
    CHECK((packet[2] & 0xffff) == 0);  // the base address
  }
  const auto packet = caches(Generation::gfx125);
  REQUIRE(packet.size() == 6);
  CHECK(packet[0] == 0x111);
  CHECK(packet[2] == 0);
  CHECK((packet[3] >> 14 & 3) == 3);  // GL2_WB, GL2_INV
  CHECK((packet[3] >> 4 & 3) == 1);   // GL2_SCOPE
  CHECK((packet[3] >> 6 & 1) == 0);   // GLV_WB: nothing to write back
}

}  // namespace rocvet::gpu::sdma
