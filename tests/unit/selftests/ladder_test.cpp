#include "selftests/ladder.h"

#include <doctest/doctest.h>

namespace rocvet {
namespace {

TestResult result(const char* id, const char* device, Verdict verdict, const char* summary = "") {
  TestResult one;
  one.id = id;
  one.device = device;
  one.verdict = verdict;
  one.summary = summary;
  return one;
}

LadderGpu gpu(const char* bdf) {
  LadderGpu one{bdf, "gfx942", {}};
  one.driver.name = "driver";
  one.driver.verdict = Verdict::pass;
  return one;
}

TEST_CASE("the first rung that fails is where it breaks") {
  const auto ladders =
      climb({gpu("0000:03:00.0")},
            {{"hsa", 1, {result("gemm.fp32", "hsa:0", Verdict::pass)}},
             {"hip",
              1,
              {result("device", "hip", Verdict::fail, "libamdhip64: it is nowhere"),
               result("gemm.fp32", "hip", Verdict::skip)}},
             {"libraries", 1, {result("library.rocblas", "hip", Verdict::skip)}}});
  REQUIRE(ladders.size() == 1);
  REQUIRE(ladders[0].rungs.size() == 4);
  CHECK(ladders[0].rungs[1].verdict == Verdict::pass);
  CHECK(ladders[0].rungs[2].verdict == Verdict::fail);
  CHECK(ladders[0].rungs[3].verdict == Verdict::skip);
  CHECK(ladders[0].broken == "the break is between HSA (ROCr) and HIP: libamdhip64: it is nowhere");
  CHECK(has_break(ladders[0]));
}

TEST_CASE("a driver that does not answer is the break itself") {
  LadderGpu one = gpu("0000:03:00.0");
  one.driver.verdict = Verdict::fail;
  one.driver.summary = "/dev/kfd: EACCES";
  const auto ladders =
      climb({one}, {{"hsa", 1, {result("device", "hsa", Verdict::fail, "hsa_init")}}});
  CHECK(ladders[0].broken == "the break is at the kernel driver: /dev/kfd: EACCES");
  CHECK(has_break(ladders[0]));
}

TEST_CASE("a driver that could not be seen and works is no break") {
  LadderGpu one = gpu("0000:03:00.0");
  one.driver.verdict = Verdict::fail;
  one.driver.summary = "/dev/kfd: does not exist";
  const auto ladders = climb({one}, {{"hsa", 1, {result("gemm.fp32", "hsa:0", Verdict::pass)}}});
  CHECK(ladders[0].rungs[0].verdict == Verdict::warn);
  CHECK(ladders[0].broken.empty());
}

TEST_CASE("a layer that fails below one that works is told as such") {
  const auto ladders =
      climb({gpu("0000:03:00.0")},
            {{"kfd", 1, {result("device", "kfd:0", Verdict::fail, "CREATE_QUEUE: EINVAL")}},
             {"hsa", 1, {result("gemm.fp32", "hsa:0", Verdict::pass)}}});
  CHECK(ladders[0].broken.starts_with("KFD (rocvet's own runtime) fails and HSA (ROCr) works"));
  CHECK_FALSE(has_break(ladders[0]));
}

TEST_CASE("and does not hide a break above") {
  const auto ladders =
      climb({gpu("0000:03:00.0")},
            {{"kfd", 1, {result("device", "kfd:0", Verdict::fail, "CREATE_QUEUE: EINVAL")}},
             {"hsa", 1, {result("gemm.fp32", "hsa:0", Verdict::pass)}},
             {"hip", 1, {result("gemm.fp32", "hip:0", Verdict::fail, "wrong")}}});
  CHECK(ladders[0].broken.starts_with("the break is between HSA (ROCr) and HIP: gemm.fp32: wrong"));
  CHECK(has_break(ladders[0]));
}

TEST_CASE("each GPU has its own results, by its place or its number") {
  TestResult placed = result("gemm.fp32", "hip:0", Verdict::fail, "wrong");
  placed.gpu.bdf = "0000:83:00.0";  // HIP counts in another order
  TestResult other = result("gemm.fp32", "hip:1", Verdict::pass);
  other.gpu.bdf = "0000:03:00.0";
  const auto ladders = climb(
      {gpu("0000:03:00.0"), gpu("0000:83:00.0")},
      {{"hsa", 1, {result("gemm.fp32", "hsa:1", Verdict::pass)}}, {"hip", 1, {placed, other}}});
  CHECK(ladders[0].rungs[1].verdict == Verdict::skip);
  CHECK(ladders[0].rungs[2].verdict == Verdict::pass);
  CHECK(ladders[0].broken.empty());
  CHECK(ladders[1].rungs[1].verdict == Verdict::pass);
  CHECK(ladders[1].broken == "the break is between HSA (ROCr) and HIP: gemm.fp32: wrong");
}

TEST_CASE("answers of the same kernel are compared bit by bit") {
  TestResult low = result("gemm.fp32", "kfd:0", Verdict::pass), high = low;
  low.digest = 1;
  high.digest = 2;
  const auto ladders = climb({gpu("")}, {{"kfd", 1, {low}}, {"hsa", 1, {low}}, {"hip", 1, {high}}});
  REQUIRE(ladders[0].differing.size() == 1);
  CHECK(ladders[0].differing[0] == "gemm.fp32 through hip and through hsa");
  TestResult unlike = result("cu.uniform", "hip:0", Verdict::pass);
  unlike.digest = 7;
  CHECK(climb({gpu("")}, {{"kfd", 1, {low, unlike}}, {"hip", 1, {low}}})[0].differing.empty());
}

TEST_CASE("a GPU that only the tests saw has a ladder too") {
  LadderGpu nobody;
  nobody.driver.name = "driver";
  nobody.driver.verdict = Verdict::unknown;
  nobody.driver.summary = "/sys/bus/pci/devices: does not exist";
  TestResult tested = result("gemm.fp32", "kfd:0", Verdict::pass);
  tested.gpu.bdf = "0000:C3:00.0";
  tested.gpu.arch = "gfx908";
  const auto ladders = climb({nobody}, {{"kfd", 1, {tested}}});
  REQUIRE(ladders.size() == 1);
  CHECK(ladders[0].bdf == "0000:c3:00.0");
  CHECK(ladders[0].arch == "gfx908");
  CHECK(ladders[0].rungs[0].verdict == Verdict::unknown);
  CHECK(ladders[0].rungs[1].verdict == Verdict::pass);
}

TEST_CASE("what could not be judged is not right") {
  const auto ladders = climb(
      {gpu("")},
      {{"hsa", 1, {result("gemm.fp32", "hsa:0", Verdict::unknown, "the time budget was spent")}}});
  CHECK(ladders[0].rungs[1].verdict == Verdict::unknown);
  CHECK(ladders[0].rungs[1].summary == "the time budget was spent");
  CHECK(ladders[0].broken.empty());
}

}  // namespace
}  // namespace rocvet
