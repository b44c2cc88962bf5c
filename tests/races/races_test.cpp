// Every kernel under watch: on the host, built so that each access to memory is reported, no two
// threads of a block may touch a byte of shared memory, one of them writing, with no barrier in
// between. Leaving out a barrier must be found at once, by address and threads.
#include <doctest/doctest.h>

#include <string>

#include "selftests/gpu/race.h"
#include "selftests/selftest.h"

namespace rocvet {
namespace {

/// What the test says on a device that leaves out a barrier (-1: none): "" is all right.
std::string words_of(const std::string& id, int removed_barrier) {
  auto host = gpu::host_runtime({.seed = 1, .removed_barrier = removed_barrier});
  for (const SelfTest* test : all_selftests()) {
    if (test->id != id) continue;
    const DeviceRun run{**host, *(*host)->use_device(0), *(*host)->create_stream()};
    Params params;
    params.size = Size::tiny;
    params.time_limit_s = 0;
    const auto measured = test->run(run, params);
    return measured ? measured->verification.detail : measured.error().text();
  }
  FAIL("no such self-test: " << id);
  return "";
}

bool names_race(const std::string& words) {
  return words.find("block ") != std::string::npos && words.find("thread ") != std::string::npos &&
         words.find(" of shared array ") != std::string::npos &&
         words.find(" with no barrier in between") != std::string::npos;
}

}  // namespace

TEST_CASE("no kernel of the self-tests has a race in shared memory") {
  for (const std::string id :
       {"gemm.fp64", "gemm.fp32", "gemm.fp16", "gemm.bf16", "gemm.fp8", "gemm.int8", "gemm.mxfp8",
        "gemm.mxfp6", "gemm.mxfp4", "attention.fp32", "attention.fp16", "attention.bf16",
        "cu.uniform", "convert.fp16", "convert.fp4", "sparse.int8"}) {
    CAPTURE(id);
    CHECK(words_of(id, -1) == "");
  }
}

TEST_CASE("any barrier that is left out is named as a race") {
  struct Barriers {
    std::string id;
    int first, last;  ///< attention.fp16's barrier 0 is idle: nothing has been read yet
  };
  for (const Barriers& of :
       {Barriers{"gemm.fp64", 0, 2}, Barriers{"gemm.fp32", 0, 2}, Barriers{"gemm.fp16", 0, 1},
        Barriers{"gemm.int8", 0, 0}, Barriers{"attention.fp32", 0, 3},
        Barriers{"attention.fp16", 1, 3}, Barriers{"cu.uniform", 0, 3}}) {
    for (int barrier = of.first; barrier <= of.last; ++barrier) {
      const std::string words = words_of(of.id, barrier);
      CAPTURE(of.id);
      CAPTURE(barrier);
      CAPTURE(words);
      CHECK(names_race(words));
    }
  }
}

TEST_CASE("the log of accesses knows a race from what is none") {
  gpu::AccessLog log(16);
  CHECK_FALSE(log.add(0, 4, 1, 0, true));  // one thread, as it likes
  CHECK_FALSE(log.add(0, 4, 1, 0, false));
  CHECK_FALSE(log.add(4, 4, 2, 0, true));   // its neighbour's bytes
  CHECK_FALSE(log.add(0, 8, 3, 1, false));  // after a barrier
  CHECK_FALSE(log.add(0, 8, 4, 1, false));  // two that read
  const auto race = log.add(7, 1, 3, 1, true);
  REQUIRE(race);
  CHECK(race->byte == 7);
  CHECK(race->first == 4);
  CHECK(race->second == 3);
  CHECK_FALSE(race->first_writes);
  CHECK(race->second_writes);
  CHECK_FALSE(log.add(8, 4, 5, 2, true));
  const auto again = log.add(10, 1, 6, 2, false);
  REQUIRE(again);
  CHECK(again->first_writes);
  CHECK_FALSE(again->second_writes);
}

}  // namespace rocvet
