// What a worker said of a test, as a verdict.
#include "selftests/result.h"

#include <doctest/doctest.h>

#include "selftests/gpu/code_objects.h"

using namespace rocvet;

TEST_CASE("a call that fails fails the test") {
  const auto result = result_of(
      "hip:0", worker::Failed{"gemm.fp32", {Error::Kind::failed, "hipModuleLoadData", "boom"}});
  CHECK(result.id == "gemm.fp32");
  CHECK(result.device == "hip:0");
  CHECK(result.verdict == Verdict::fail);
  CHECK(result.summary == "hipModuleLoadData: boom");
}

TEST_CASE("a symbol that the runtime lacks fails the test") {
  const auto result = result_of("hip:0", worker::Failed{"gemm.fp32", missing("hipMemGetInfo")});
  CHECK(result.verdict == Verdict::fail);
}

TEST_CASE("a GPU that this build has no code for could not be judged") {
  const auto code = gpu::code_object("gfx0", "gemm");
  REQUIRE_FALSE(code);
  const auto result = result_of("hip:0", worker::Failed{"gemm.fp32", code.error()});
  CHECK(result.verdict == Verdict::unknown);
  CHECK(result.summary.find("gfx0") != std::string::npos);
}
